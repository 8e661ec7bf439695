// All that stands between a device and its broker: six functions – connect, send, send again, pause,
// resume, close – and the events that come back. What is said over a link (greeting, numbers, feed)
// is not known here; the client library and the agent's session are layered on it.

import Records
import RecordsWire

/// A way to reach a broker.
package protocol BrokerConnector: Sendable {
  /// Tries once to reach the broker. `receive` is called for everything that happens, one event at
  /// a time and in order: first `opened`, unless that fails, and last, exactly once, `closed`.
  /// It is called on the connection's own thread and must not block.
  func connect(_ receive: @escaping @Sendable (LinkEvent) -> Void)
}

/// An open connection to a broker. All functions may be called from anywhere, also from within an
/// event, return at once and do nothing after `closed`.
package protocol BrokerLink: Sendable {
  /// Sends a message under the number `id`, behind everything sent before.
  /// - Returns: Whether there is room for more. If not, what was given is still sent, but nothing
  ///   further should be given before `writable`.
  @discardableResult
  func send(_ id: UInt64, _ message: ClientMessage) -> Bool

  /// Sends a request as it was frozen (`ModifyRequest.encoded`), like `send`.
  @discardableResult
  func send(_ id: UInt64, encodedRequest: [UInt8]) -> Bool

  /// Stops `received` events until `resume`; the broker notices when its own buffers are full. For
  /// a receiver that has too much to do. From within an event it takes effect at once.
  func pause()

  /// Lets events come again.
  func resume()

  /// Ends the connection; what was sent before and is not on its way yet may be lost.
  func close()
}

/// What happens on a connection.
package enum LinkEvent: Sendable {
  /// The broker is reached; nothing was said yet.
  case opened(any BrokerLink)
  /// The broker said something.
  case received(BrokerFrame)
  /// There is room to send again.
  case writable
  /// The connection is over, or could not be made. `nil` when `close` ended it.
  case closed(RecordsError?)
}
