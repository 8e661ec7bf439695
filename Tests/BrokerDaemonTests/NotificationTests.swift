// Subscriptions and notifications over real sockets.

import Processes
import Records
import RecordsWire
import Testing

@Suite("B1, B2, K4, I18 notifications over a socket", .timeLimit(.minutes(5)))
struct NotificationTests {
  /// A broker, a device that writes, and a device that receives notifications.
  private struct World {
    let broker: RunningBroker
    var writer = WireDevice()
    let writing: WireClient
    var reader = WireDevice()
    let reading: WireClient
    var ledger = ToldLedger()

    init() async throws {
      broker = try await RunningBroker()
      writing = try await writer.connect(broker)
      reading = try await reader.connect(broker)
      try await reading.follow(into: &ledger) { $1.isLevel }
    }
  }

  @Test func `a change is delivered live, with its fields, to the other device only`() async throws
  {
    var world = try await World()
    try await world.reading.subscribe(
      .notes("text BEGINSWITH 'h'") {
        $0.title = "{text}!"
        $0.desiredKeys = ["text"]
        $0.sound = "bell"
      })
    try await world.writer.perform(.note("a", text: "hello"), .note("b"), over: world.writing)
    try await world.writer.perform(.note("c", text: "other"), over: world.writing)
    try await world.reading.take(into: &world.ledger) { ledger, _ in ledger.received.count == 2 }
    #expect(world.ledger.names == ["a", "b"])
    let firing = try #require(world.ledger.received.first?.firings.first)
    #expect(firing.subscription.text == "notes" && firing.reason == .created)
    #expect(firing.content.title == "hello!" && firing.content.sound == "bell")
    #expect(try firing.fields.fields() == ["text": .string("hello")])
    #expect(world.ledger.received.first?.modified.origin.device == world.writer.id)
    try await world.reader.perform(.note("own"), over: world.reading)
    try await world.reading.expectNothingTold()
  }

  @Test(arguments: [
    ("text === 'x'", RecordsError.Code.invalidArguments), ("text == ", .invalidArguments),
    ("at < now()", .invalidArguments), (String(repeating: "(", count: 40) + "a", .limitExceeded),
    ("a == 1" + String(repeating: " OR a == 1", count: 300), .limitExceeded),
    ("a == '" + String(repeating: "x", count: 5000) + "'", .limitExceeded),
    ("a > TRUE", .invalidArguments),
  ])
  func `a predicate that is invalid, too deep, too long or of the wrong type is refused when saved`(
    predicate: String, code: RecordsError.Code
  ) async throws {
    let broker = try await RunningBroker()
    var device = WireDevice()
    let client = try await device.connect(broker)
    let error = try await client.subscribe(.notes(predicate))
    #expect(error?.code == code && error?.field == "predicate")
    let isAboutText = !predicate.contains("now()") && predicate.utf8.count <= 4096
    #expect((error?.column != nil) == isAboutText, "\(String(describing: error))")
    #expect(try await client.subscriptions().isEmpty)
  }

  @Test func `a flood of subscriptions reaches the quota, not the memory limit`() async throws {
    let broker = try await RunningBroker()
    var device = WireDevice()
    let client = try await device.connect(broker)
    let before = broker.program.residentBytes
    let long = Value.string(String(repeating: "x", count: 60_000))
    var refused = 0
    for index in 0..<300 {
      let error = try await client.subscribe(
        .notes("text == %@", id: "s\(index)", arguments: [long]))
      if let error {
        #expect(error.code == .quotaExceeded)
        refused += 1
      }
    }
    #expect(refused == 300 - Limits.subscriptionBytesPerAccount / 60_100)
    #expect(broker.program.residentBytes - before < 64 << 20)
    try await device.perform(.note("a"), over: client)
  }

  @Test func `a device that does not read blocks no other device and misses nothing`() async throws
  {
    var world = try await World()
    var stuck = WireDevice()
    let stuckClient = try await stuck.connect(world.broker)
    try await stuckClient.send(.followNotifications(.none))
    try await world.reading.subscribe(.notes { $0.desiredKeys = ["text"] })
    let text = String(repeating: "y", count: 10_000)
    let before = world.broker.program.residentBytes
    for batch in 0..<12 {
      let operations = (0..<100).map { Operation.note("n\(batch)-\($0)", text: text) }
      _ = try await world.writing.outcome(of: world.writer.request(operations))
      try await world.reading.take(into: &world.ledger) { ledger, _ in
        ledger.received.count == (batch + 1) * 100
      }
    }
    #expect(world.broker.program.residentBytes - before < 48 << 20)
    var ledger = ToldLedger()
    try await stuckClient.take(into: &ledger) { ledger, page in
      Int64(ledger.received.count) + ledger.collapsed.reduce(0) { $0 + $1.count } == 1200
    }
    // Collapsed notifications may be in between: the broker delivers again once the device has room.
    let collapsed = ledger.collapsed
    let expected = world.ledger.received.filter { received in
      !collapsed.contains { $0.first <= received.number && received.number <= $0.last }
    }
    #expect(ledger.names == expected.map(\.record.name.text))
  }

  @Test func `a notification follows the change itself on the same connection`() async throws {
    let broker = try await RunningBroker()
    var writer = WireDevice()
    let writing = try await writer.connect(broker)
    var reader = WireDevice()
    let reading = try await reader.connect(broker, zones: .fromNothing)
    _ = try await reading.changesUntilLevel()
    var ledger = ToldLedger()
    try await reading.follow(into: &ledger) { $1.isLevel }
    try await reading.subscribe(.notes())
    for index in 0..<50 { try await writing.send(.modify(writer.request([.note("n\(index)")]))) }
    var read = Revision.zero
    while ledger.received.count < 50, let frame = try await reading.next() {
      switch frame.message {
      case .changes(let segment): read = segment.to
      case .notifications(let page):
        ledger.take(page)
        #expect(page.notifications.allSatisfy { $0.tag <= read })
      default: break
      }
    }
    #expect(ledger.received.count == 50)
  }
}

@Suite("K2 queries over a socket", .timeLimit(.minutes(5)))
struct QueryTests {
  @Test func `an invalid query is refused with the column, and the connection stays usable`()
    async throws
  {
    let broker = try await RunningBroker()
    var device = WireDevice()
    let client = try await device.connect(broker)
    let type = RecordType(stored: "Note")
    for form in [
      QueryForm(type: type, predicate: PredicateText("a ==")),
      QueryForm(type: type, predicate: PredicateText("a == 1"), limit: 1001),
      QueryForm(type: type, predicate: PredicateText("a == 1"), cursor: [1, 2, 3]),
      QueryForm(zone: ZoneID(name: ZoneName(7)), type: type, predicate: PredicateText("a == 1")),
    ] {
      let answer = try await client.ask(.query(form))
      guard case .error(let error) = answer else { throw Unexpected(answer) }
      #expect([.invalidArguments, .limitExceeded, .zoneNotFound].contains(error.code))
    }
    let answer = try await client.ask(
      .query(QueryForm(type: type, predicate: PredicateText("TRUEPREDICATE"))))
    #expect(answer == .found(FoundPage(records: [], cursor: nil)))
  }
}

extension WireClient {
  /// Expects that no notification arrives before the answers to a ping and a query after it.
  fileprivate func expectNothingTold() async throws {
    _ = try await subscriptions()
    let end = try await send(.ping)
    while let frame = try await next(), frame.replyTo != end {
      if case .notifications(let page) = frame.message, !page.notifications.isEmpty {
        throw Unexpected(frame.message)
      }
    }
  }
}
