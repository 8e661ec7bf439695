import Foundation
import Processes
import Records
import RecordsWire
import Testing

private let killCount = ProcessInfo.processInfo.environment["KILLS"].flatMap { Int($0) } ?? 10
/// The time limit, which grows with the number of kills.
private let minutes = 5 + killCount / 6

@Suite("B6, I1, I2 kill -9 of the broker", .timeLimit(.minutes(minutes)))
struct CrashTests {
  /// The number of kills; `KILLS` sets another.
  static let kills = killCount

  @Test func `acknowledged writes survive, and unacknowledged ones take effect once`() async throws
  {
    let broker = try await RunningBroker()
    var device = WireDevice()
    var ledger: [String: Revision] = [:]
    var unacknowledged: [ModifyRequest] = []
    var written = 0
    for _ in 0..<Self.kills {
      let client = try await device.connect(broker)
      // Requests without an outcome are sent again first, unchanged and in order.
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

  /// Records outcomes in the ledger until at most `leaving` requests wait, or the connection is lost.
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
    // Each write has exactly one revision: none was lost or applied twice.
    #expect(head.value == device.lastNumber.value)
    #expect(Set(found.values).count == found.count)
  }

  @Test func `notifications arrive in order and are applied once`() async throws {
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
      // The reader receives and acknowledges some notifications; the broker is killed in between. The
      // reader must not fall far behind, or its notifications are collapsed.
      let isFarBehind = written.count - ledger.received.count > 400
      let wanted = isFarBehind ? written.count : ledger.received.count + Int.random(in: 0...45)
      while ledger.received.count < wanted {
        guard ledger.received.count < written.count else { break }
        ledger.take(try await reading.notifications())
        if Bool.random() { try await reading.send(.acknowledgeNotifications(ledger.position)) }
      }
      if Bool.random() {
        _ = try await writing.answer(to: expected[Int.random(in: 0..<40)])
      }
      try await broker.kill()
      // Notifications that arrived before the kill count as received.
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

  @Test func `the socket file of a killed broker is replaced, and the token stays valid`()
    async throws
  {
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
