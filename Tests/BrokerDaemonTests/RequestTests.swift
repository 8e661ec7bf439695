import Processes
import Records
import RecordsWire
import Testing

@Suite("I2, I3, I4, I20 requests and their numbers", .timeLimit(.minutes(5)))
struct RequestTests {
  @Test func `fifty requests sent together have their outcomes in order`() async throws {
    let broker = try await RunningBroker()
    var device = WireDevice()
    let client = try await device.connect(broker)
    var ids: [UInt64] = []
    for index in 0..<50 {
      ids.append(try await client.send(.modify(device.request([.note("n\(index)")]))))
    }
    var tags: [Int64] = []
    for id in ids {
      guard let frame = try await client.next(untilReplyTo: id),
        case .outcome(let outcome) = frame.message,
        case .saved(let tag)? = outcome.groups.first?.first
      else { throw RecordsError(.serverResponseLost, "There is no outcome for \(id).") }
      tags.append(tag.value)
    }
    #expect(tags == Array(1...50))
  }

  @Test func `requests beyond the limit in flight wait in the socket`() async throws {
    let broker = try await RunningBroker()
    var device = WireDevice()
    let client = try await device.connect(broker)
    var last: UInt64 = 0
    for index in 0..<500 {
      last = try await client.send(.modify(device.request([.note("n\(index)")])))
    }
    guard case .outcome(let outcome) = try await client.answer(to: last) else {
      throw RecordsError(.serverResponseLost, "The last request has no outcome.")
    }
    #expect(outcome.groups == [[.saved(tag: Revision(500))]])
  }

  @Test func `a gap in the numbers refuses all later requests`() async throws {
    let broker = try await RunningBroker()
    var device = WireDevice()
    let client = try await device.connect(broker)
    let missing = device.request([.note("first")])
    let later = (0..<5).map { device.request([.note("later\($0)")]) }
    var ids: [UInt64] = []
    for request in later { ids.append(try await client.send(.modify(request))) }
    for id in ids {
      guard case .error(let error) = try await client.answer(to: id) else {
        throw RecordsError(.serverResponseLost, "A request behind a gap was carried out.")
      }
      #expect(error.code.isTransient)
      #expect(error.retryAfterSeconds != nil)
    }
    #expect(try await client.record("later0") == nil)
    for request in [missing] + later { _ = try await client.outcome(of: request) }
    #expect(try await client.record("later4")?.tag == Revision(6))
  }

  @Test func `unacknowledged outcomes have a limit`() async throws {
    let broker = try await RunningBroker()
    var device = WireDevice()
    let client = try await device.connect(broker)
    for _ in 0..<Limits.unacknowledgedOutcomes {
      try await client.send(.modify(device.request([.deleteNothing])))
    }
    let answer = try await client.ask(.modify(device.request([.note("a")])))
    guard case .error(let error) = answer else { throw Unexpected(answer) }
    #expect(error.code == .requestRateLimited)
    let kept = device.lastNumber
    device.lastNumber = RequestNumber(kept.value - 1)
    try await client.send(.acknowledge(device.lastNumber))
    #expect(try await device.perform(.note("a"), over: client) == [.saved(tag: Revision(1))])
  }

  @Test func `records are fetched in the requested order, and missing ones are reported`()
    async throws
  {
    let broker = try await RunningBroker()
    var device = WireDevice()
    let client = try await device.connect(broker)
    try await device.perform(.note("a", text: "one"), .note("b"), over: client)
    try await device.perform(
      .delete(Operation.Delete(name: RecordName(stored: "b"), tag: Revision(2))), over: client)
    let names = ["b", "nowhere", "a"].map(RecordName.init(stored:))
    let answer = try await client.ask(
      .fetch(names.map { RecordID(zone: .standard, name: $0) }))
    guard case .fetched(let changes) = answer else { throw Unexpected(answer) }
    #expect(changes.count == 3)
    #expect(changes[0]?.kind != .saved)
    #expect(changes[1] == nil)
    #expect(try changes[2]?.record.fields()["text"] == .string("one"))
    #expect(changes[2]?.modified.origin.device == device.id)
  }
}

extension Operation {
  /// The deletion of a record that never existed.
  static let deleteNothing = Operation.delete(
    Delete(name: RecordName(stored: "never"), tag: nil, isForced: true))
}

extension OperationResult {
  var errorCode: RecordsError.Code? {
    if case .failed(let error, _) = self { error.code } else { nil }
  }
}

extension WireClient {
  /// Returns the next frame, which must be the answer to `id`.
  func next(untilReplyTo id: UInt64) async throws -> BrokerFrame? {
    while let frame = try await next() {
      if frame.replyTo == id { return frame }
      guard frame.replyTo == 0 else { return nil }
    }
    return nil
  }
}
