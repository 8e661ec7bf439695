import Records

/// The envelope of a client's request: who asks, and where the answer goes. It travels with the request
/// through the storage, reading and asset threads and comes back with the result.
package struct RequestContext: Hashable, Sendable {
  /// The connection that the request arrived on. It may be closed by the time the result is there.
  package let connection: ConnectionID
  /// The number of the client's frame, which the answer repeats; 0 if the broker asks on its own.
  package let replyTo: UInt64
  /// The device and account that ask.
  package let identity: SessionIdentity
  /// The bytes that the request occupies in the broker's `StorageQueue` until it is finished.
  package let queuedBytes: Int

  package init(
    connection: ConnectionID, replyTo: UInt64, identity: SessionIdentity, queuedBytes: Int = 0
  ) {
    self.connection = connection
    self.replyTo = replyTo
    self.identity = identity
    self.queuedBytes = queuedBytes
  }

  /// The same request with its place in the storage queue.
  func queuing(_ byteCount: Int) -> RequestContext {
    RequestContext(
      connection: connection, replyTo: replyTo, identity: identity, queuedBytes: byteCount)
  }
}
