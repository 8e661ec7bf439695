import Foundation
import Processes
import Records
import RecordsWire
import Testing

private let killCount = ProcessInfo.processInfo.environment["KILLS"].flatMap { Int($0) } ?? 10
/// How long so many may take.
private let minutes = 5 + killCount / 6

@Suite("B6, I1, I2 kill -9 of the broker", .timeLimit(.minutes(minutes)))
struct CrashTests {
  /// How often the broker is killed; more by `KILLS`.
  static let kills = killCount

  @Test func `what was acknowledged is there, what was not takes effect once`() async throws {
    let broker = try await RunningBroker()
    var device = WireDevice()
    var ledger: [String: Revision] = [:]
    var unacknowledged: [ModifyRequest] = []
    var written = 0
    for _ in 0..<Self.kills {
      let client = try await device.connect(broker)
      // What has no outcome is sent again first, unchanged and in order.
      var waiting: [UInt64: ModifyRequest] = [:]
      for request in unacknowledged { waiting[try await client.send(.modify(request))] = request }
      let room = Int.random(in: 0...40)
      for _ in 0..<(60 - waiting.count) {
        written += 1
        let request = device.request([.note("n\(written)", text: "text \(written)")])
        waiting[try await client.send(.modify(request))] = request
      }
      try await collect(from: client, &waiting, &ledger, device: &device, leaving: room)
      try await broker.kill()
      try await collect(from: client, &waiting, &ledger, device: &device, leaving: 0)
      unacknowledged = waiting.values.sorted { $0.number < $1.number }
      try await broker.restart()
    }
    try await expect(ledger, unacknowledged, of: &device, in: broker)
  }

  /// Notes outcomes in the ledger until no more than `leaving` requests wait, or the broker is gone.
  private func collect(
    from client: WireClient, _ waiting: inout [UInt64: ModifyRequest],
    _ ledger: inout [String: Revision], device: inout WireDevice, leaving: Int
  ) async throws {
    while waiting.count > leaving, let frame = try await client.next() {
      guard let request = waiting.removeValue(forKey: frame.replyTo) else { continue }
      guard case .outcome(let outcome) = frame.message,
        case .saved(let tag)? = outcome.groups.first?.first,
        case .save(let save)? = request.groups.first?.operations.first
      else { throw Unexpected(frame.message) }
      #expect(outcome.number == request.number)
      ledger[save.name.text] = tag
      device.acknowledged = request.number
    }
  }

  private func expect(
    _ ledger: [String: Revision], _ unacknowledged: [ModifyRequest], of device: inout WireDevice,
    in broker: RunningBroker
  ) async throws {
    var ledger = ledger
    let client = try await device.connect(broker)
    for request in unacknowledged {
      let outcome = try await client.outcome(of: request)
      guard case .saved(let tag)? = outcome.groups.first?.first,
        case .save(let save)? = request.groups.first?.operations.first
      else { throw Unexpected(.outcome(outcome)) }
      ledger[save.name.text] = tag
    }
    var reader = WireDevice()
    let reading = try await reader.connect(broker, zones: .fromNothing)
    let (pages, head) = try await reading.changesUntilLevel()
    try expectWhole(pages, from: .zero, to: head)
    let found = Dictionary(
      uniqueKeysWithValues: pages.flatMap(\.changes).map { ($0.name.text, $0.tag) })
    #expect(found == ledger)
    // Each write took one revision, once: none was lost, none was done twice.
    #expect(head.value == device.lastNumber.value)
    #expect(Set(found.values).count == found.count)
  }

  @Test func `what subscriptions told arrives, in order, and is applied once`() async throws {
    let broker = try await RunningBroker()
    var writer = WireDevice()
    var reader = WireDevice()
    var ledger = ToldLedger()
    var written: [String] = []
    let subscribing = try await reader.connect(broker)
    try await subscribing.subscribe(.notes())
    for round in 0..<Self.kills {
      let writing = try await writer.connect(broker)
      let reading = try await reader.connect(broker)
      try await reading.send(.followNotifications(ledger.position))
      var expected: [UInt64] = []
      for index in 0..<40 {
        written.append("n\(round)-\(index)")
        expected.append(
          try await writing.send(.modify(writer.request([.note(written.last ?? "")]))))
      }
      // The reader takes in and acknowledges some; the broker dies somewhere in between. Far behind it
      // must not fall, or what waits for it is folded.
      let isFarBehind = written.count - ledger.told.count > 400
      let wanted = isFarBehind ? written.count : ledger.told.count + Int.random(in: 0...45)
      while ledger.told.count < wanted {
        guard ledger.told.count < written.count else { break }
        ledger.take(try await reading.notifications())
        if Bool.random() { try await reading.send(.acknowledgeNotifications(ledger.position)) }
      }
      if Bool.random() {
        _ = try await writing.answer(to: expected[Int.random(in: 0..<40)])
      }
      try await broker.kill()
      // What came before it died counts as received.
      while let frame = try await reading.next() {
        if case .notifications(let page) = frame.message { ledger.take(page) }
      }
      try await broker.restart()
      let again = try await writer.connect(broker)
      for number in 0..<40 {
        let request = ModifyRequest(
          number: writer.lastNumber + Int64(number - 39), acknowledged: .zero,
          groups: [
            OperationGroup(zone: .standard, operations: [.note("n\(round)-\(number)")])
          ])
        _ = try await again.outcome(of: request)
      }
      try await again.send(.acknowledge(writer.lastNumber))
    }
    let reading = try await reader.connect(broker)
    try await reading.follow(into: &ledger) { $1.isLevel }
    #expect(ledger.names == written)
    #expect(ledger.collapsed.isEmpty)
  }

  @Test func `the file a killed broker left is no obstacle, and the token goes on`() async throws {
    let broker = try await RunningBroker()
    var device = WireDevice()
    var client = try await device.connect(broker, zones: .fromNothing)
    let (_, start) = try await client.changesUntilLevel()
    try await device.perform(.note("a"), over: client)
    let seen = try await client.changes()
    let token = ChangeToken(incarnation: seen.incarnation, revision: seen.to, scanStart: start)
    try await broker.kill()
    #expect(FileManager.default.fileExists(atPath: broker.socketPath))
    try await broker.restart()
    client = try await device.connect(
      broker, zones: [ZonePosition(zone: .standard, token: token)])
    try await device.perform(.note("b"), over: client)
    let next = try await client.changes()
    #expect(next.incarnation == seen.incarnation)
    #expect(next.changes.map(\.name.text) == ["b"])
  }
}
