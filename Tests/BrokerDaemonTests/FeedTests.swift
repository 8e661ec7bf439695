import Processes
import Records
import RecordsWire
import Testing

@Suite("B2, B3, I5, I11, I18 the feed of a zone", .timeLimit(.minutes(5)))
struct FeedTests {
  @Test func `a new subscriber receives all records in pages, then the end of the snapshot`()
    async throws
  {
    let broker = try await RunningBroker()
    var writer = WireDevice()
    let writing = try await writer.connect(broker)
    for batch in 0..<10 {
      let operations = (0..<200).map { Operation.note("n\(batch)-\($0)") }
      _ = try await writing.outcome(of: writer.request(operations))
    }
    var reader = WireDevice()
    let reading = try await reader.connect(broker)
    try await reading.send(.attach([ZonePosition(zone: .standard, token: nil)]))
    let (pages, head) = try await reading.changesUntilLevel()
    #expect(pages.count > 1)
    #expect(head == Revision(2000))
    try expectWhole(pages, from: .zero, to: head)
    #expect(pages.allSatisfy { $0.scanStart == head })
    #expect(Set(pages.flatMap(\.changes).map(\.name)).count == 2000)
  }

  @Test func `each commit reaches every live subscriber, including the writer`() async throws {
    let broker = try await RunningBroker()
    var writer = WireDevice()
    let writing = try await writer.connect(broker, zones: .fromNothing)
    var reader = WireDevice()
    let reading = try await reader.connect(broker, zones: .fromNothing)
    _ = try await writing.changesUntilLevel()
    _ = try await reading.changesUntilLevel()
    try await writer.perform(.note("a"), .note("b"), over: writing)
    for client in [writing, reading] {
      let live = try await client.changes()
      #expect(live.from == .zero)
      #expect(live.to == Revision(2))
      #expect(live.scanStart == nil)
      #expect(live.changes.map(\.name.text) == ["a", "b"])
      #expect(live.changes.first?.modified.origin.device == writer.id)
      #expect(live.changes.first?.modified.origin.request == RequestNumber(1))
    }
  }

  @Test func `another account receives nothing`() async throws {
    let broker = try await RunningBroker()
    var writer = WireDevice(account: "alice")
    let writing = try await writer.connect(broker)
    let alice = try await writing.welcome(account: "alice", broker)
    var stranger = WireDevice(account: "mallory")
    let zone = ZoneID(owner: alice, name: .standard)
    let watching = try await stranger.connect(
      broker, zones: [ZonePosition(zone: zone, token: nil)])
    let refused = try await watching.first("a reset") { frame -> RecordsError.Code? in
      if case .reset(_, let error) = frame.message { error.code } else { nil }
    }
    #expect(refused == .zoneNotFound || refused == .permissionFailure)
    try await writer.perform(.note("secret"), over: writing)
    let answer = try await watching.ask(
      .fetch([RecordID(zone: zone, name: RecordName(stored: "secret"))]))
    if case .fetched(let changes) = answer { #expect(changes == [nil]) }
    let results = try await stranger.perform(.note("mine"), in: zone, over: watching)
    #expect(
      results.first?.errorCode == .zoneNotFound || results.first?.errorCode == .permissionFailure)
    try await watching.expectQuiet()
  }

  @Test func `a checkpoint follows every commit before its request`() async throws {
    let broker = try await RunningBroker()
    var writer = WireDevice()
    let writing = try await writer.connect(broker)
    var reader = WireDevice()
    let reading = try await reader.connect(broker)
    for batch in 0..<5 {
      let operations = (0..<400).map { Operation.note("n\(batch)-\($0)") }
      _ = try await writing.outcome(of: writer.request(operations))
    }
    try await reading.send(.attach(.fromNothing))
    let checkpoint = try await reading.send(.checkpoint)
    var seen = 0
    while let frame = try await reading.next(), frame.replyTo != checkpoint {
      if case .changes(let changes) = frame.message { seen += changes.changes.count }
    }
    #expect(seen == 2000)
  }

  @Test func `a device that catches up during writes misses no change`() async throws {
    let broker = try await RunningBroker()
    var writer = WireDevice()
    let writing = try await writer.connect(broker)
    for batch in 0..<5 {
      let operations = (0..<400).map { Operation.note("n\(batch)-\($0)") }
      _ = try await writing.outcome(of: writer.request(operations))
    }
    var reader = WireDevice()
    let reading = try await reader.connect(broker, zones: .fromNothing)
    for index in 0..<300 {
      try await writing.send(.modify(writer.request([.note("live\(index)")])))
    }
    var segments: [ZoneChanges] = []
    while segments.last?.to != Revision(2300) { segments.append(try await reading.changes()) }
    try expectWhole(segments, from: .zero, to: Revision(2300))
    #expect(Set(segments.flatMap(\.changes).map(\.name)).count == 2300)
  }

  @Test func `no change arrives after detaching`() async throws {
    let broker = try await RunningBroker()
    var writer = WireDevice()
    let writing = try await writer.connect(broker, zones: .fromNothing)
    _ = try await writing.changesUntilLevel()
    try await writing.send(.detach([.standard]))
    try await writer.perform(.note("a"), over: writing)
    try await writing.expectQuiet()
  }

  @Test func `a stopped reader uses little memory and misses no change`() async throws {
    let broker = try await RunningBroker()
    var reader = WireDevice()
    let reading = try await reader.connect(broker, zones: .fromNothing)
    _ = try await reading.changesUntilLevel()
    var writer = WireDevice()
    let writing = try await writer.connect(broker)
    let text = String(repeating: "y", count: 1000)
    try await writer.perform(.note("first", text: text), over: writing)
    let before = broker.program.residentBytes
    for batch in 0..<50 {
      let operations = (0..<400).map { Operation.note("n\(batch)-\($0)", text: text) }
      _ = try await writing.outcome(of: writer.request(operations))
    }
    #expect(broker.program.residentBytes - before < 64 << 20)
    var segments: [ZoneChanges] = []
    while segments.last?.to != Revision(20_001) { segments.append(try await reading.changes()) }
    try expectWhole(segments, from: .zero, to: Revision(20_001))
    #expect(segments.reduce(0) { $0 + $1.changes.count } == 20_001)
  }
}

@Suite("Z1 the directory", .timeLimit(.minutes(5)))
struct DirectoryTests {
  @Test func `a group that is created, renamed and deleted is visible on the other device`()
    async throws
  {
    let broker = try await RunningBroker()
    var writer = WireDevice()
    let writing = try await writer.connect(broker)
    var reader = WireDevice()
    let reading = try await reader.connect(broker)
    reader.directory = try await reading.directory().to
    let group = ZoneID(name: ZoneName(0xF00D))

    #expect(
      try await writer.perform(.saveZone(title: "Family"), in: group, over: writing)
        == [.zoneSaved])
    let made = try await reading.directory()
    #expect(made.from == reader.directory)
    #expect(made.entries.map(\.title) == ["Family"])
    #expect(made.entries.first?.role == .owner)
    #expect(made.entries.first?.isWritable == true)

    try await writer.perform(.saveZone(title: "Kin"), in: group, over: writing)
    let renamed = try await reading.directory()
    #expect(renamed.from == made.to)
    #expect(renamed.entries.map(\.title) == ["Kin"])

    try await writer.perform(.note("a"), in: group, over: writing)
    try await writer.perform(.deleteZone(), in: group, over: writing)
    let deleted = try await reading.directory()
    #expect(deleted.entries.map(\.isDeleted) == [true])
    let results = try await writer.perform(.note("b"), in: group, over: writing)
    #expect(results.first?.errorCode == .zoneNotFound)
    guard case .directory(let whole) = try await reading.ask(.zones) else {
      throw RecordsError(.serverResponseLost, "There is no directory.")
    }
    #expect(whole.from == .zero)
    #expect(whole.to == deleted.to)
    #expect(whole.entries.contains { $0.zone.name == group.name && !$0.isDeleted } == false)
  }
}

extension [ZonePosition] {
  /// The position before all changes of the standard zone.
  static let fromNothing = [ZonePosition(zone: .standard, token: nil)]
}

/// Expects that segments follow each other without a gap and that their tags rise.
func expectWhole(_ segments: [ZoneChanges], from: Revision, to: Revision) throws {
  var cursor = from
  var lastTag = from
  for segment in segments {
    try #require(segment.from == cursor)
    for change in segment.changes {
      try #require(change.tag > lastTag && change.tag <= segment.to)
      lastTag = change.tag
    }
    cursor = segment.to
  }
  #expect(cursor == to)
}

extension WireClient {
  /// Returns the account with a name.
  func welcome(account: String, _ broker: RunningBroker) async throws -> AccountID {
    try await WireClient(broker).welcome(WireDevice(account: account).hello()).account
  }

  /// Expects that no changes arrive before the answer to a ping, and that none have arrived before.
  func expectQuiet() async throws {
    let end = try await send(.ping)
    while let frame = try await next(), frame.replyTo != end {
      if case .changes = frame.message { throw Unexpected(frame.message) }
    }
  }
}
