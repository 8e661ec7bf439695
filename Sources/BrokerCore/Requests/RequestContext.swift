import Records

/// The origin of a client's request and the address of its answer. It is passed with the request to the
/// storage, reading and asset threads, and returned with the result.
package struct RequestContext: Hashable, Sendable {
  /// The connection that the request arrived on. It may be closed when the result arrives.
  package let connection: ConnectionID
  /// The number of the client's frame, which the answer repeats; 0 if the broker made the request itself.
  package let replyTo: UInt64
  /// The device and account that sent the request.
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

  /// Returns a copy whose request occupies `byteCount` bytes in the storage queue.
  func queuing(_ byteCount: Int) -> RequestContext {
    RequestContext(
      connection: connection, replyTo: replyTo, identity: identity, queuedBytes: byteCount)
  }
}
