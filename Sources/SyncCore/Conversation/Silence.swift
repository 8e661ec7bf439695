// Finds a broker that does not answer. A connection on which nothing arrived for some seconds gets a ping. If nothing
// follows, the broker is late. A late connection stays open for a while: a broker that was only stopped for a moment
// continues on it, and need not greet all its devices at once.
//
// Only timers lead from one stage to the next. The clock says when something was heard last, and measures answers. If it
// is set, one ping is early or a few seconds late.

import Records

/// How long a broker has been silent, and how fast it answers.
struct Silence: Hashable, Sendable {
  /// What a check requires.
  enum Verdict: Hashable {
    /// Check again after this time.
    case wait(milliseconds: Int)
    /// Send a ping; see `ask`.
    case ask
    /// The broker is late. Check again after this time.
    case late(milliseconds: Int)
    /// The broker no longer answers.
    case gone
  }

  private enum Stage: Hashable {
    /// Something arrived at this time.
    case heard(Timestamp)
    /// Nothing arrived since the question.
    case asked(Question)
    /// Nothing arrived for longer than an answer may take.
    case late(Question)
  }

  /// The time without a message after which the broker is gone, at least 2.
  var heartbeatSeconds = 30 {
    didSet { heartbeatSeconds = max(2, heartbeatSeconds) }
  }
  /// How long the last answer took; 0 before the first one.
  private(set) var answerMilliseconds = 0
  private let pace: Conversation.Pace
  private var stage = Stage.heard(Timestamp(microseconds: 0))
  /// The oldest question without an answer. Other messages can arrive before its answer.
  private var unanswered: Question?
  private var isProbing = false
  /// When the last question was asked.
  private var askedTime = Timestamp(microseconds: 0)

  init(pace: Conversation.Pace) { self.pace = pace }

  /// When the question was asked for whose answer the broker is late; `nil` if it is not late.
  var lateSince: Timestamp? {
    if case .late(let question) = stage { question.sent } else { nil }
  }

  /// Something arrived.
  /// - Returns: The time until the next check, in place of the one that was set; `nil` if that stays.
  mutating func heard(at now: Timestamp) -> Int? {
    defer { stage = .heard(now) }
    isProbing = false
    if case .heard = stage { return nil }
    return periods.idle
  }

  /// The answer to a message arrived.
  mutating func answered(_ id: UInt64, at now: Timestamp) {
    guard let question = unanswered, question.id == id else { return }
    unanswered = nil
    // NB: if nothing arrived for too long and no timer fired either, this device was busy or asleep, not the broker.
    if case .asked(let last) = stage, last.id == id, last.isOverdue(at: now) { return }
    let milliseconds = now.milliseconds(since: question.sent)
    // NB: an answer behind many messages also measures how fast this device reads them.
    answerMilliseconds =
      question.wasIdle ? milliseconds : min(milliseconds, answerMilliseconds)
  }

  /// The time for a check is over.
  mutating func check(at now: Timestamp) -> Verdict {
    switch stage {
    case .heard(let time):
      // NB: the broker ends a connection on which it hears nothing, also while it sends much itself.
      let mustSpeak =
        now < askedTime || now.milliseconds(since: askedTime) >= heartbeatSeconds * 500
      guard isBusy(at: now), !mustSpeak else { return .ask }
      return .wait(milliseconds: periods.idle - now.milliseconds(since: time))
    case .asked(var question):
      if question.isOverdue(at: now), !question.isExtended {
        question.isExtended = true
        stage = .asked(question)
        return .wait(milliseconds: Question.extensionMilliseconds)
      }
      stage = .late(question)
      return .late(milliseconds: question.rest)
    case .late: return .gone
    }
  }

  /// Whether something arrived a short time ago.
  private func isBusy(at now: Timestamp) -> Bool {
    guard case .heard(let time) = stage else { return false }
    return now.milliseconds(since: time) < periods.idle - Self.toleranceMilliseconds
  }

  // MARK: Questions

  /// The hello was sent.
  /// - Returns: The time until the next check.
  mutating func greet(_ id: UInt64, at now: Timestamp) -> Int {
    let half = Conversation.greetingMilliseconds / 2
    return ask(Question(id: id, sent: now, wasIdle: true, patience: half, rest: half))
  }

  /// A ping was sent.
  /// - Parameter bytesBeforeAnswer: The bytes of the first request without an outcome. The ping waits behind all of them,
  ///   but the outcome of the first one arrives sooner.
  /// - Returns: The time until the next check.
  mutating func ask(_ id: UInt64, at now: Timestamp, bytesBeforeAnswer: Int) -> Int {
    let transfer = Self.milliseconds(toSend: bytesBeforeAnswer)
    let rest = isProbing ? max(0, Self.probeMilliseconds - periods.patience) : periods.rest
    return ask(
      Question(
        id: id, sent: now, wasIdle: !isBusy(at: now), patience: periods.patience + transfer,
        rest: rest))
  }

  /// Requires that the broker answers the next ping within `probeMilliseconds`, because the network has changed.
  /// - Returns: `false` if an earlier ping tests that already.
  mutating func doubt() -> Bool {
    defer { isProbing = true }
    return !isProbing
  }

  private mutating func ask(_ question: Question) -> Int {
    if unanswered == nil { unanswered = question }
    askedTime = question.sent
    // A late broker stays late until something arrives.
    if case .late = stage { return question.patience + question.rest }
    stage = .asked(question)
    return question.patience
  }
}

/// A message that the broker has to answer.
private struct Question: Hashable {
  /// How long an overdue answer is waited for once more.
  static let extensionMilliseconds = 500

  let id: UInt64
  let sent: Timestamp
  /// Whether nothing had arrived for a while.
  let wasIdle: Bool
  /// The time after which the broker is late.
  let patience: Int
  /// The time after that, at the end of which it is gone.
  let rest: Int
  var isExtended = false

  /// Whether the time is over for so long that this device was busy or asleep, and may not have read an answer that is
  /// there.
  func isOverdue(at now: Timestamp) -> Bool {
    now.milliseconds(since: sent) > patience + Self.extensionMilliseconds
  }
}

// MARK: - Periods

extension Silence {
  /// The lengths of the stages, in milliseconds. Their sum is a heartbeat.
  private struct Periods {
    /// The longest time without a message before a ping.
    let idle: Int
    /// The time for the answer.
    let patience: Int
    /// The time from there to the end of the connection.
    let rest: Int
  }

  /// Users see within the sum of the first two that a broker does not answer. Once an answer was slow, the next one may
  /// take nearly as long.
  private static let usualIdleMilliseconds = 5000
  private static let patienceMilliseconds = 3000
  private static let idleMillisecondsAfterSlowAnswer = 1000
  /// A check that comes too early by less is not repeated, because timers and the clock differ.
  private static let toleranceMilliseconds = 50
  /// The slowest network, in bytes per second, on which a request arrives before the broker counts as silent.
  private static let slowestBytesPerSecond = 16 << 10
  /// The time for an answer after the network has changed.
  private static let probeMilliseconds = 10_000

  /// The time that requests may take to reach the broker.
  ///
  /// NB: pings wait behind them. Without this time, a large request on a slow network would be sent again and again.
  static func milliseconds(toSend byteCount: Int) -> Int {
    byteCount / slowestBytesPerSecond * 1000
  }

  /// The longest time without a message before a ping, in milliseconds.
  var idleMilliseconds: Int { periods.idle }

  private var periods: Periods {
    let heartbeat = heartbeatSeconds * 1000
    switch pace {
    case .relaxed:
      return Periods(idle: heartbeat / 2, patience: heartbeat / 4, rest: heartbeat / 4)
    case .attentive:
      let usual = min(Self.usualIdleMilliseconds, heartbeat / 4)
      let sum = usual + min(Self.patienceMilliseconds, heartbeat / 4)
      let isSlow = answerMilliseconds >= Responsiveness.slowMilliseconds
      let idle = isSlow ? min(Self.idleMillisecondsAfterSlowAnswer, usual) : usual
      return Periods(idle: idle, patience: sum - idle, rest: heartbeat - sum)
    }
  }
}

extension Timestamp {
  /// The milliseconds from `earlier` to this time; 0 if the clock was set back.
  func milliseconds(since earlier: Timestamp) -> Int {
    Int(max(0, microseconds &- earlier.microseconds) / 1000)
  }
}
