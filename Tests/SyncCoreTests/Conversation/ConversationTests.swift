import Records
import SyncCore
import Testing

@Suite("I3, I5, K3 a conversation")
struct ConversationTests {
  private var conversation = Conversation(pace: .attentive)
  private var generator = SeededGenerator(seed: 1)

  /// Connects.
  /// - Returns: the time until the first check.
  @discardableResult
  private mutating func greet(heartbeatSeconds: Int = 30) -> Int {
    _ = conversation.begin()
    _ = conversation.opened()
    return conversation.welcomed(
      Welcome(
        version: 1, account: AccountID(7), accountName: "ada", device: DeviceID(8),
        lastNumber: .zero, directory: .zero, heartbeatSeconds: heartbeatSeconds))
  }

  private mutating func pass(_ milliseconds: Int) {
    conversation.now = Timestamp(
      microseconds: conversation.now.microseconds + Int64(milliseconds) * 1000)
  }

  private mutating func check(after milliseconds: Int, bytesBeforeAnswer: Int = 0)
    -> Conversation.Check
  {
    pass(milliseconds)
    return conversation.check(bytesBeforeAnswer: bytesBeforeAnswer)
  }

  /// Passes the time until a ping is sent.
  /// - Returns: its number.
  private mutating func ping(after milliseconds: Int) -> UInt64 {
    guard case .ping(let id, _) = check(after: milliseconds) else {
      Issue.record("The broker is not pinged.")
      return 0
    }
    return id
  }

  @Test mutating func `only one attempt is under way, and only an attempt is greeted`() {
    let early = conversation.opened()?.id
    let attempts = [conversation.begin(), conversation.begin()]
    let hellos = [conversation.opened()?.id, conversation.opened()?.id]
    #expect(early == nil && attempts == [true, false] && hellos == [1, nil])
  }

  @Test mutating func `numbers of messages are used once over all connections`() {
    greet()
    _ = conversation.ended(because: nil, using: &generator)
    _ = conversation.begin()
    let second = conversation.opened()?.id
    #expect(second == 2 && conversation.freshID() == 3)
  }

  // MARK: Silence

  @Test mutating func `a broker that does not answer the hello is late, then left`() {
    pass(1_000_000)
    let opening = conversation.now
    _ = conversation.begin()
    let wait = conversation.opened()?.milliseconds
    let late = check(after: 5000)
    #expect(wait == 5000 && late == .late(milliseconds: 5000))
    #expect(conversation.lateSince == opening)
    let end = check(after: 5000)
    #expect(end == .close("The broker did not answer the connection request."))
  }

  @Test(arguments: [
    (heartbeat: 30, idle: 5000, patience: 3000, rest: 22_000),
    (heartbeat: 3600, idle: 5000, patience: 3000, rest: 3_592_000),
    (heartbeat: 8, idle: 2000, patience: 2000, rest: 4000),
  ])
  mutating func `a silent broker is pinged, late within ten seconds, and left after a heartbeat`(
    heartbeat: Int, idle: Int, patience: Int, rest: Int
  ) {
    let first = greet(heartbeatSeconds: heartbeat)
    #expect(first == idle && idle + patience < 10_000)
    let asked = check(after: idle)
    #expect(asked == .ping(id: 2, milliseconds: patience) && conversation.lateSince == nil)
    let late = check(after: patience)
    #expect(late == .late(milliseconds: rest))
    let end = check(after: rest)
    #expect(end == .close("The broker stopped answering."))
  }

  @Test mutating func `a client without users pings once in half a heartbeat`() {
    conversation = Conversation(pace: .relaxed)
    let first = greet()
    let asked = check(after: first)
    let late = check(after: 7500)
    let end = check(after: 7500)
    #expect(first == 15_000 && asked == .ping(id: 2, milliseconds: 7500))
    #expect(late == .late(milliseconds: 7500) && end == .close("The broker stopped answering."))
  }

  @Test mutating func `a broker that sends messages is pinged once in half a heartbeat`() {
    greet()
    var pings = 0
    for _ in 1...24 {
      pass(4000)
      _ = conversation.heard()
      switch check(after: 1000) {
      case .wait(milliseconds: 4000): break
      case .ping: pings += 1
      default: Issue.record("The broker is silent.")
      }
    }
    #expect(pings == 8)
  }

  @Test mutating func `a broker that answers is pinged every five seconds, and never late`() {
    greet()
    for _ in 1...20 {
      let id = ping(after: 5000)
      pass(1)
      conversation.answered(id)
      let next = conversation.heard()
      #expect(next == 5000 && conversation.lateSince == nil)
    }
    #expect(conversation.answerMilliseconds == 1)
  }

  @Test mutating func `after a slow answer the next may take as long, and is asked for sooner`() {
    greet()
    let id = ping(after: 5000)
    let late = check(after: 3000)
    #expect(late == .late(milliseconds: 22_000))
    pass(1200)
    conversation.answered(id)
    let next = conversation.heard()
    #expect(next == 1000 && conversation.answerMilliseconds == 4200)
    #expect(conversation.lateSince == nil)
    let asked = check(after: 1000)
    #expect(asked == .ping(id: 3, milliseconds: 7000))
  }

  @Test mutating func `an answer is measured from its ping, also behind other messages`() {
    greet()
    let id = ping(after: 5000)
    pass(1000)
    _ = conversation.heard()
    _ = ping(after: 5000)
    pass(500)
    conversation.answered(id)
    #expect(conversation.answerMilliseconds == 6500)
  }

  @Test mutating func `an answer between other messages can only show that the broker is fast`() {
    greet()
    _ = ping(after: 5000)
    pass(2000)
    conversation.answered(2)
    _ = conversation.heard()
    for (milliseconds, measured) in [(3000, 2000), (100, 100), (3000, 100)] {
      // Something arrives all the time, for half a heartbeat.
      pass(15_000)
      _ = conversation.heard()
      let id = ping(after: 100)
      pass(milliseconds / 2)
      _ = conversation.heard()
      pass(milliseconds / 2)
      conversation.answered(id)
      #expect(conversation.answerMilliseconds == measured)
    }
  }

  @Test mutating func `a device that was busy looks once more before its broker is late`() {
    greet()
    let id = ping(after: 5000)
    let woken = check(after: 60_000)
    #expect(woken == .wait(milliseconds: 500) && conversation.lateSince == nil)
    conversation.answered(id)
    #expect(conversation.answerMilliseconds == 0)
    let late = check(after: 500)
    #expect(late == .late(milliseconds: 22_000))
  }

  @Test mutating func `a clock that is set back makes one ping early`() {
    pass(1_000_000)
    greet()
    conversation.now = Timestamp(microseconds: 0)
    let asked = conversation.check(bytesBeforeAnswer: 0)
    #expect(asked == .ping(id: 2, milliseconds: 3000))
    conversation.answered(2)
    let next = conversation.heard()
    #expect(next == 5000 && conversation.answerMilliseconds == 0)
  }

  @Test mutating func `a large request on a slow network has time to arrive`() {
    greet()
    // 1 MiB takes 64 s at 16 KiB/s.
    let asked = check(after: 5000, bytesBeforeAnswer: 1 << 20)
    #expect(asked == .ping(id: 2, milliseconds: 67_000))
    let late = check(after: 67_000)
    #expect(late == .late(milliseconds: 22_000))
  }

  @Test mutating func `the wait between attempts grows, and is never shorter than the broker asks`()
  {
    var longest = 0
    for _ in 1...20 {
      _ = conversation.begin()
      longest = max(longest, conversation.ended(because: nil, using: &generator))
    }
    #expect(longest > 5_000 && longest <= 60_000)
    let asked = RecordsError(.serviceUnavailable, "Later.", retryAfterSeconds: 90)
    #expect(conversation.ended(because: asked, using: &generator) == 90_000)
  }

  @Test mutating func `a changed network means connect, connect again, or ask`() {
    #expect(conversation.networkChanged() == .connect)
    _ = conversation.begin()
    #expect(conversation.networkChanged() == .reconnect)
    _ = conversation.ended(because: nil, using: &generator)
    greet()
    guard case .ping(_, milliseconds: 3000) = conversation.networkChanged() else {
      Issue.record("The broker is not asked.")
      return
    }
    // Another change does not postpone the checks.
    #expect(conversation.networkChanged() == .wait)
    let late = check(after: 3000)
    let end = check(after: 7000)
    #expect(late == .late(milliseconds: 7000) && end == .close("The broker stopped answering."))
  }

  @Test mutating func `a late broker has ten seconds more after a change of the network`() {
    greet()
    _ = ping(after: 5000)
    _ = check(after: 3000)
    guard case .ping(_, milliseconds: 10_000) = conversation.networkChanged() else {
      Issue.record("The broker is not asked.")
      return
    }
    #expect(conversation.lateSince != nil)
    let end = check(after: 10_000)
    #expect(end == .close("The broker stopped answering."))
  }
}
