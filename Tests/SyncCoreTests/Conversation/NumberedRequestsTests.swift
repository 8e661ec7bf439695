import Records
import SyncCore
import Testing

@Suite("I6, K3 the window of requests")
struct NumberedRequestsTests {
  private var window = NumberedRequests(
    lastNumber: .zero, acknowledged: .zero, requestsMaximum: 3, bytesMaximum: 1000)
  private var conversation = Conversation(pace: .relaxed)
  private var generator = SeededGenerator(seed: 1)

  init() {
    connect()
  }

  private mutating func connect() {
    _ = conversation.ended(because: nil, using: &generator)
    _ = conversation.begin()
    _ = conversation.opened()
    _ = conversation.welcomed(
      Welcome(
        version: 1, account: AccountID(7), accountName: "ada", device: DeviceID(8),
        lastNumber: .zero, directory: .zero, heartbeatSeconds: 30))
  }

  private mutating func send(_ count: Int) -> [(id: UInt64, number: RequestNumber)] {
    for _ in 0..<count { window.add(byteCount: 100) }
    return window.send(in: &conversation)
  }

  @Test mutating func `a full window has no room until an outcome arrives`() {
    #expect(send(3).map(\.number.value) == [1, 2, 3])
    #expect(!window.hasRoom && window.bytesUnderWay == 300)
    #expect(window.ended(RequestNumber(1)) == .ended)
    #expect(window.hasRoom && window.bytesUnderWay == 200)
  }

  @Test mutating func `large requests fill the window by their bytes`() {
    window.add(byteCount: 999)
    #expect(window.hasRoom)
    window.add(byteCount: 1)
    #expect(!window.hasRoom)
    #expect(window.send(in: &conversation).count == 2 && window.bytesBeforeOutcome == 999)
    #expect(window.ended(RequestNumber(1)) == .ended)
    #expect(window.hasRoom && window.bytesBeforeOutcome == 1)
  }

  @Test mutating func `an outcome is expected soon after the first request was sent`() {
    let (now, later) = (conversation.now, Timestamp(microseconds: 2_000_000))
    window.add(byteCount: 100)
    #expect(!window.expectsOutcome(at: now) && window.bytesBeforeOutcome == 0)
    let sent = window.send(in: &conversation)
    #expect(window.expectsOutcome(at: now) && !window.expectsOutcome(at: later))
    let busy = RecordsError(.zoneBusy, "Later.", retryAfterSeconds: 60)
    _ = window.refused(busy, replyTo: sent[0].id, using: &generator)
    #expect(!window.expectsOutcome(at: now))
  }

  @Test mutating func `a wait counts from the sending, without the time of a slow network`() {
    _ = send(2)
    let later = Timestamp(microseconds: 4_200_000)
    #expect(window.waitMilliseconds(at: later) == 4200)
    #expect(window.ended(RequestNumber(1)) == .ended)
    conversation.now = later
    window.add(byteCount: 48 << 10)
    #expect(window.send(in: &conversation).map(\.number.value) == [3])
    #expect(window.waitMilliseconds(at: later) == 1200)
    window.disconnected()
    #expect(window.waitMilliseconds(at: later) == 0)
  }

  @Test mutating func `nothing is sent without a connection, and everything again on the next`() {
    _ = send(2)
    window.disconnected()
    _ = conversation.ended(because: nil, using: &generator)
    #expect(window.send(in: &conversation).isEmpty && window.bytesUnderWay == 0)
    connect()
    #expect(window.send(in: &conversation).map(\.number.value) == [1, 2])
  }

  @Test mutating func `a request out of order is sent again with all before it`() {
    let sent = send(3)
    let error = RecordsError(.serviceUnavailable, "Out of order.", reason: "outOfOrder")
    guard case .postponed = window.refused(error, replyTo: sent[2].id, using: &generator) else {
      Issue.record("The request is not postponed.")
      return
    }
    #expect(!window.hasRoom && window.send(in: &conversation).isEmpty)
    // An outcome that was under way still counts.
    #expect(window.ended(RequestNumber(1)) == .ended)
    window.resume()
    #expect(window.send(in: &conversation).map(\.number.value) == [2, 3])
  }

  @Test mutating func `a request that fails the broker five times is refused`() {
    let error = RecordsError(.internalError, "A fault.")
    var refusals: [NumberedRequests.Refusal?] = []
    var sent = send(1)
    for _ in 1...5 {
      refusals.append(window.refused(error, replyTo: sent[0].id, using: &generator))
      window.resume()
      sent = window.send(in: &conversation)
      if sent.isEmpty { break }
    }
    #expect(refusals.count == 5 && refusals.last == .removed(from: RequestNumber(1)))
    #expect(window.lastNumber == .zero)
  }

  @Test mutating func `the answer to another message concerns no request`() {
    _ = send(1)
    let error = RecordsError(.invalidArguments, "No.")
    for id: UInt64 in [0, 99] {
      #expect(window.refused(error, replyTo: id, using: &generator) == nil)
    }
  }
}
