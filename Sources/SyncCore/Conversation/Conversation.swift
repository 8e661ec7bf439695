// A client's conversation with its broker, as far as it is the same for a device and for a program that uses the broker
// directly: the greeting, the numbers of messages, the broker's silence, and the waits between two attempts.

import Records

/// The state of a conversation that is resumed after each lost connection.
package struct Conversation: Hashable, Sendable {
  /// The state of the connection.
  package enum State: Hashable, Sendable {
    /// There is no connection.
    case none
    /// There is no connection, and no attempt is made.
    case stopped
    /// A connection is being opened.
    case opening
    /// The hello was sent under this number.
    case greeting(id: UInt64)
    /// The broker welcomed the client.
    case ready(Welcome)
  }

  /// What to do when the time for a check of the silence has come.
  package enum Check: Hashable, Sendable {
    /// There is no connection to check.
    case disconnected
    /// Check again after this time.
    case wait(milliseconds: Int)
    /// Send a ping under this number, and check again after this time.
    case ping(id: UInt64, milliseconds: Int)
    /// Close the connection, for this reason.
    case close(String)
  }

  /// What to do when the network has changed.
  package enum NetworkResponse: Hashable, Sendable {
    /// Connect.
    case connect
    /// Give up the attempt, which may be bound to an address that is gone, and connect again.
    case reconnect
    /// Send a ping under this number, and check the silence after this time.
    case ping(id: UInt64, milliseconds: Int)
    /// Wait for the check of an earlier ping.
    case wait
  }

  /// The time for the broker's answer to the hello.
  package static let greetingMilliseconds = 10_000

  /// The state of the connection.
  package private(set) var state = State.none
  private var silence = Silence()
  private var backoff = Backoff()
  private var lastID: UInt64 = 0

  /// Creates a conversation without a connection.
  package init() {}

  /// Whether the broker welcomed the client on this connection.
  package var isReady: Bool { welcome != nil }

  /// The broker's welcome; `nil` before it.
  package var welcome: Welcome? {
    if case .ready(let welcome) = state { welcome } else { nil }
  }

  /// Whether there is a connection, or an attempt.
  package var isUnderWay: Bool { state != .none && state != .stopped }

  /// Returns a number for the next message. It is used once, over all connections.
  package mutating func freshID() -> UInt64 {
    lastID += 1
    return lastID
  }

  /// Begins an attempt to connect.
  /// - Returns: `false` if there is a connection or an attempt, or after `stop`.
  package mutating func begin() -> Bool {
    guard state == .none else { return false }
    state = .opening
    return true
  }

  /// Makes no attempt from now on.
  package mutating func stop() { state = .stopped }

  /// The connection is open.
  /// - Returns: the number of the hello, which must be answered within `greetingMilliseconds`; `nil` if no attempt is
  ///   under way.
  package mutating func opened() -> UInt64? {
    guard state == .opening else { return nil }
    let id = freshID()
    state = .greeting(id: id)
    silence = Silence()
    return id
  }

  /// The broker answered the hello.
  package mutating func welcomed(_ welcome: Welcome) {
    state = .ready(welcome)
    backoff.reset()
    silence.heartbeatSeconds = welcome.heartbeatSeconds
  }

  /// A message arrived.
  package mutating func heard() { silence.heard() }

  /// The connection ended, or could not be opened.
  /// - Parameter error: The broker's reason, if it gave one.
  /// - Returns: the time until the next attempt, in milliseconds.
  package mutating func ended(
    because error: RecordsError?, using generator: inout some RandomNumberGenerator
  ) -> Int {
    state = .none
    let drawn = backoff.nextMilliseconds(using: &generator)
    return max(drawn, (error?.retryAfterSeconds ?? 0) * 1000)
  }

  // MARK: Silence

  /// The time until the next check of the silence.
  package var checkMilliseconds: Int { silence.roundMilliseconds }

  /// Checks whether the broker still answers. Called `greetingMilliseconds` after the hello, `checkMilliseconds` after the
  /// welcome, and then as each result says.
  /// - Parameter bytesUnderWay: The bytes that pings wait behind.
  package mutating func check(bytesUnderWay: Int) -> Check {
    switch state {
    case .none, .stopped, .opening: return .disconnected
    case .greeting: return .close("The broker did not answer the connection request.")
    case .ready:
      switch silence.round(bytesUnderWay: bytesUnderWay) {
      case .quiet: return .wait(milliseconds: silence.roundMilliseconds)
      case .ping: return .ping(id: freshID(), milliseconds: silence.roundMilliseconds)
      case .gone: return .close("The broker stopped answering.")
      }
    }
  }

  /// The network changed: the next attempt is an early one. A connection may be dead without a sign of it, so the
  /// connection ends if a ping is not answered until the next check.
  package mutating func networkChanged() -> NetworkResponse {
    backoff.reset()
    switch state {
    case .none, .stopped: return .connect
    case .opening, .greeting: return .reconnect
    case .ready:
      guard silence.doubt() else { return .wait }
      return .ping(id: freshID(), milliseconds: Silence.probeMilliseconds)
    }
  }
}
