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
    /// The broker does not answer. It still may: check again after this time.
    case late(milliseconds: Int)
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

  /// How soon a client finds out that the broker does not answer.
  package enum Pace: Hashable, Sendable {
    /// Within seconds, because users see the state of the connection.
    case attentive
    /// Within a heartbeat, with fewer pings.
    case relaxed
  }

  /// The time for the broker's answer to the hello.
  package static let greetingMilliseconds = 10_000

  /// The time of the next event. It measures how fast the broker answers, and the time since its last message.
  package var now = Timestamp(microseconds: 0)
  /// The state of the connection.
  package private(set) var state = State.none
  /// How fast the broker answers, as a device has reported it last.
  var responsiveness = Responsiveness.prompt
  private let pace: Pace
  private var silence: Silence
  private var backoff = Backoff()
  private var lastID: UInt64 = 0

  /// Creates a conversation without a connection.
  package init(pace: Pace) {
    self.pace = pace
    silence = Silence(pace: pace)
  }

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
  /// - Returns: the number of the hello, and the time until `check`; `nil` if no attempt is under way.
  package mutating func opened() -> (id: UInt64, milliseconds: Int)? {
    guard state == .opening else { return nil }
    let id = freshID()
    state = .greeting(id: id)
    silence = Silence(pace: pace)
    return (id, silence.greet(id, at: now))
  }

  /// The broker answered the hello.
  /// - Returns: the time until `check`, in place of the one that was set.
  package mutating func welcomed(_ welcome: Welcome) -> Int {
    if case .greeting(let id) = state { silence.answered(id, at: now) }
    state = .ready(welcome)
    backoff.reset()
    silence.heartbeatSeconds = welcome.heartbeatSeconds
    return silence.heard(at: now) ?? silence.idleMilliseconds
  }

  /// A message arrived, or a part of one.
  /// - Returns: the time until `check`, in place of the one that was set; `nil` if that stays.
  package mutating func heard() -> Int? { isReady ? silence.heard(at: now) : nil }

  /// The pong to this ping arrived. Called before `heard`.
  package mutating func answered(_ id: UInt64) { silence.answered(id, at: now) }

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

  /// When the message was sent that the broker should have answered by now; `nil` if it is not late.
  package var lateSince: Timestamp? { isUnderWay ? silence.lateSince : nil }

  /// How long the broker's last answer on this connection took.
  package var answerMilliseconds: Int { silence.answerMilliseconds }

  /// Checks whether the broker still answers. Called after the time that `opened`, `welcomed`, `heard` or the last check
  /// returned.
  /// - Parameter bytesBeforeAnswer: The bytes that have to reach the broker before it answers anything.
  package mutating func check(bytesBeforeAnswer: Int) -> Check {
    guard state != .opening, isUnderWay else { return .disconnected }
    switch silence.check(at: now) {
    case .wait(let milliseconds): return .wait(milliseconds: milliseconds)
    case .late(let milliseconds): return .late(milliseconds: milliseconds)
    case .ask:
      let id = freshID()
      let milliseconds = silence.ask(id, at: now, bytesBeforeAnswer: bytesBeforeAnswer)
      return .ping(id: id, milliseconds: milliseconds)
    case .gone where isReady: return .close("The broker stopped answering.")
    case .gone: return .close("The broker did not answer the connection request.")
    }
  }

  /// The network changed: the next attempt is an early one. A connection may be dead without a sign of it, so the
  /// connection ends soon if a ping is not answered.
  package mutating func networkChanged() -> NetworkResponse {
    backoff.reset()
    switch state {
    case .none, .stopped: return .connect
    case .opening, .greeting: return .reconnect
    case .ready:
      guard silence.doubt() else { return .wait }
      let id = freshID()
      return .ping(id: id, milliseconds: silence.ask(id, at: now, bytesBeforeAnswer: 0))
    }
  }
}
