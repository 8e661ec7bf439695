import Records
import SyncCore
import Testing

@Suite("I3, I5, K3 a conversation")
struct ConversationTests {
  private var conversation = Conversation()
  private var generator = SeededGenerator(seed: 1)

  private mutating func greet() -> UInt64? {
    _ = conversation.begin()
    let id = conversation.opened()
    conversation.welcomed(
      Welcome(
        version: 1, account: AccountID(7), accountName: "ada", device: DeviceID(8),
        lastNumber: .zero, directory: .zero, heartbeatSeconds: 8))
    return id
  }

  @Test mutating func `only one attempt is under way, and only an attempt is greeted`() {
    #expect(conversation.opened() == nil)
    let attempts = [conversation.begin(), conversation.begin()]
    #expect(attempts == [true, false])
    let hellos = [conversation.opened(), conversation.opened()]
    #expect(hellos == [1, nil])
  }

  @Test mutating func `numbers of messages are used once over all connections`() {
    let first = greet()
    _ = conversation.ended(because: nil, using: &generator)
    let second = greet()
    #expect(first == 1 && second == 2 && conversation.freshID() == 3)
  }

  @Test mutating func `a broker that does not answer the hello is left`() {
    _ = conversation.begin()
    _ = conversation.opened()
    guard case .close = conversation.check(bytesUnderWay: 0) else {
      Issue.record("The connection is kept.")
      return
    }
  }

  @Test mutating func `a silent broker is pinged, then left after three rounds`() {
    _ = greet()
    conversation.heard()
    #expect(conversation.checkMilliseconds == 2000)
    var checks: [Conversation.Check] = []
    for _ in 1...4 { checks.append(conversation.check(bytesUnderWay: 0)) }
    #expect(checks.dropLast().allSatisfy { if case .ping = $0 { true } else { false } })
    #expect(checks.last == .close("The broker stopped answering."))
  }

  @Test mutating func `a broker that answers is pinged in every other round`() {
    _ = greet()
    var pings = 0
    for _ in 1...10 {
      conversation.heard()
      if case .ping = conversation.check(bytesUnderWay: 0) { pings += 1 }
    }
    #expect(pings == 5)
  }

  @Test mutating func `a large request on a slow network has time to arrive`() {
    _ = greet()
    // 1 MiB takes 64 s at 16 KiB/s, which are 32 rounds of 2 s.
    for _ in 1...34 {
      guard case .ping = conversation.check(bytesUnderWay: 1 << 20) else {
        Issue.record("The connection ended early.")
        return
      }
    }
    #expect(conversation.check(bytesUnderWay: 1 << 20) == .close("The broker stopped answering."))
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
    _ = greet()
    guard case .ping(_, milliseconds: 10_000) = conversation.networkChanged() else {
      Issue.record("The broker is not asked.")
      return
    }
    // Another change does not postpone the check.
    #expect(conversation.networkChanged() == .wait)
    #expect(conversation.check(bytesUnderWay: 0) == .close("The broker stopped answering."))
  }
}
