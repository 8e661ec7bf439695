import Records
import RecordsWire

/// Opens connections to a broker.
///
/// Connector and link are the transport between a device and its broker. They know frames but not the
/// protocol above them, which the client library and the agent implement.
package protocol BrokerConnector: Sendable {
  /// Tries once to connect to the broker. The connection calls `receive` for each event, one at a time
  /// and in order: `opened` first, unless connecting fails, and `closed` last, exactly once.
  /// It calls `receive` on the connection's own thread, which `receive` must not block.
  func connect(_ receive: @escaping @Sendable (LinkEvent) -> Void)

  /// Whether the connector knows an address. A device without a broker gets one when it joins an account.
  var hasAddress: Bool { get }
}

extension BrokerConnector {
  package var hasAddress: Bool { true }
}

/// An open connection to a broker. All functions may be called from any thread, also from within an event.
/// They return immediately and do nothing after `closed`.
package protocol BrokerLink: Sendable {
  /// Sends a message with the frame number `id`, after all earlier messages.
  /// - Returns: Whether the send buffer has room for more. If not, this message is still sent, but the
  ///   caller should send no further one before `writable`.
  @discardableResult
  func send(_ id: UInt64, _ message: ClientMessage) -> Bool

  /// Sends a request that was encoded before with `ModifyRequest.encoded`.
  @discardableResult
  func send(_ id: UInt64, encodedRequest: [UInt8]) -> Bool

  /// Writes what was sent so far now, and not at the end of the event loop's turn. Does nothing on another thread.
  func flush()

  /// Stops `received` events until `resume`, for a receiver that cannot keep up. The broker stops sending
  /// when the buffers between are full. Called from within an event, it takes effect immediately.
  func pause()

  /// Starts `received` events again.
  func resume()

  /// Closes the connection. Messages that were not written to the socket yet may be lost.
  func close()
}

/// An event on a connection.
package enum LinkEvent: Sendable {
  /// The connection is open. No message was sent or received yet.
  case opened(any BrokerLink)
  /// A frame arrived from the broker.
  case received(BrokerFrame)
  /// A part of a frame arrived. Reported at most once a second, so that a large frame on a slow network does not count
  /// as silence.
  case receiving
  /// The send buffer has room again.
  case writable
  /// The connection is closed, or could not be opened. The error is `nil` after `close()`.
  case closed(RecordsError?)
}
