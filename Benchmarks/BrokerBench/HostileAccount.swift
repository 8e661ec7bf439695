// An account that repeats the most expensive operations, always on new connections: texts that take long to
// fold, predicates that take long to evaluate, slow queries, unread answers, incomplete hellos, a thousand
// connections, small changes of large records, and sign-ins with the names of other accounts. It ignores
// every refusal and connects again.

import Foundation
import Measuring
import Records
import RecordsWire
import Synchronization

/// A hostile account and its attacks.
final class HostileAccount: Sendable {
  /// The kinds of attack.
  enum Attack: String, CaseIterable, Sendable {
    case folding, subscriptions, queries, unread, crowd, unfinished, connections, rewriting, names
  }

  private static let account = "mallory"
  /// The uid of the process, if root started it.
  private static let uid: uid_t = 4711
  private static let marks = "a" + String(repeating: "\u{0301}\u{0327}", count: 32_000)
  private static let wildcards = (0..<20).map { "note LIKE '*a*b*c*\($0)*'" }
    .joined(separator: " OR ")

  private static let large = RecordName(stored: "large")
  private static let largeIDs = Array(repeating: RecordID(zone: .standard, name: large), count: 3)

  private let setting: BenchSetting
  private let counts = Mutex<[Attack: Int]>([:])

  /// Creates the account. If root runs the process, it becomes another user, because the broker queues
  /// hellos by user.
  init(_ setting: BenchSetting) throws {
    self.setting = setting
    guard geteuid() != 0 || setuid(Self.uid) == 0 else {
      throw BenchFailure("The attacking process cannot become user \(Self.uid).")
    }
  }

  /// Runs all attacks at the same time, each on its own thread. Prints for each the number of connections
  /// and requests that the broker accepted.
  func run(_ attacks: [Attack], seconds: Double) {
    let deadline = Measurement.monotonicSeconds() + seconds
    for attack in attacks {
      Thread.detachNewThread { self.run(attack, until: deadline) }
    }
    usleep(UInt32(seconds * 1e6))
    for attack in attacks {
      let count = counts.withLock { $0[attack, default: 0] }
      Measurement.report("hostile_\(attack.rawValue)_count", Double(count))
    }
  }

  /// Repeats one attack until `deadline`, in seconds of the monotonic clock.
  private func run(_ attack: Attack, until deadline: Double) {
    while Measurement.monotonicSeconds() < deadline {
      do {
        try once(attack, until: deadline)
      } catch {
        // After a refusal or a closed connection it tries again almost at once.
        usleep(2000)
      }
    }
  }

  private func once(_ attack: Attack, until deadline: Double) throws {
    switch attack {
    case .folding: try fold()
    case .subscriptions: try subscribe(until: deadline)
    case .queries: try query()
    case .unread: try leaveUnread()
    case .crowd: try leaveUnreadByMany()
    case .unfinished: try leaveUnfinished()
    case .connections: try fillConnections()
    case .rewriting: try rewrite(until: deadline)
    case .names: try takeNames()
    }
  }

  // MARK: Attacks

  private func fold() throws {
    let device = try newDevice(.folding)
    var fields = Fields()
    fields["note"] = .string(Self.marks)
    fields["list"] = .list((0..<6).map { _ in .string(Self.marks) })
    for number in 0..<20 {
      let form = subscription(
        "fold\(number)", "note ==[cd] 'y\(number)' OR ANY list >[cd] 'z\(number)'")
      try device.send(.saveSubscription(form))
    }
    try device.save(records: 1, fields: EncodedRecord(fields))
    _ = try device.outcome()
    try device.send(.query(form("ANY list CONTAINS[cd] 'q'")))
    try answer(device)
  }

  private func subscribe(until deadline: Double) throws {
    let device = try newDevice(.subscriptions)
    for number in 0..<1000 {
      try device.send(.saveSubscription(subscription("s\(number)", Self.wildcards)))
    }
    while Measurement.monotonicSeconds() < deadline {
      try device.save(records: 400, fields: try fields(bytes: 4096))
      _ = try device.outcome()
      count(.subscriptions)
    }
  }

  private func query() throws {
    let device = try newDevice(.queries)
    for _ in 0..<4 { try device.send(.query(form(Self.wildcards))) }
    // Half of the time it does not wait for the answers.
    if Bool.random() { try answer(device) }
  }

  private func leaveUnread() throws {
    let device = try newDevice(.unread)
    try save(Self.large, .allKeys, try fields(bytes: 1 << 20 - 4096), device)
    for _ in 0..<300 { try device.send(.fetch(Self.largeIDs)) }
    usleep(500_000)
  }

  private func leaveUnreadByMany() throws {
    var devices: [BenchDevice] = []
    defer { devices.removeAll() }
    for number in 0..<200 {
      let device = try newDevice(.crowd)
      if number == 0 { try save(Self.large, .allKeys, try fields(bytes: 1 << 20 - 4096), device) }
      for _ in 0..<3 { try device.send(.fetch(Self.largeIDs)) }
      devices.append(device)
    }
    usleep(2_000_000)
  }

  private func leaveUnfinished() throws {
    let head: [UInt8] = [0, 0x3F, 0xFF, 0xFF]
    var sockets: [StreamSocket] = []
    for _ in 0..<50 {
      let socket = try StreamSocket(path: setting.brokerSocket, bufferBytes: 4096)
      sockets.append(socket)
      count(.unfinished)
      try? socket.write(head + [UInt8](repeating: 1, count: 100_000))
    }
    usleep(200_000)
  }

  private func fillConnections() throws {
    var devices: [BenchDevice] = []
    defer { devices.removeAll() }
    while devices.count < 1000 { devices.append(try newDevice(.connections)) }
    usleep(100_000)
  }

  private func rewrite(until deadline: Double) throws {
    let device = try newDevice(.rewriting)
    let names = (0..<40).map { RecordName(stored: "rewritten \($0)") }
    for name in names { try save(name, .allKeys, try fields(bytes: 1 << 20 - 4096), device) }
    while Measurement.monotonicSeconds() < deadline {
      let changed = EncodedRecord(["n": .int64(Int64.random(in: 0 ... .max))])
      let operations = names.shuffled().prefix([7, 40].randomElement() ?? 7).map { name in
        Records.Operation.save(
          Records.Operation.Save(
            name: name, type: RecordType(stored: "Contact"), policy: .changedKeys, tag: nil,
            fields: changed))
      }
      try device.modify(Array(operations), in: .standard)
      _ = try device.outcome()
      count(.rewriting)
    }
  }

  private func takeNames() throws {
    for number in 0..<100 {
      let name = "user-\(10_000 + number)"
      _ = try? BenchDevice(setting, name: Attack.names.rawValue, account: name)
      count(.names)
    }
    usleep(20_000)
  }

  // MARK: Parts

  private func newDevice(_ attack: Attack) throws -> BenchDevice {
    let device = try BenchDevice(setting, name: attack.rawValue, account: Self.account)
    count(attack)
    return device
  }

  private func count(_ attack: Attack) {
    counts.withLock { $0[attack, default: 0] += 1 }
  }

  private func save(
    _ name: RecordName, _ policy: SavePolicy, _ fields: EncodedRecord, _ device: BenchDevice
  ) throws {
    let save = Records.Operation.Save(
      name: name, type: RecordType(stored: "Contact"), policy: policy, tag: nil, fields: fields)
    try device.modify([.save(save)], in: .standard)
    _ = try device.outcome()
  }

  private func subscription(_ id: String, _ predicate: String) -> SubscriptionForm {
    SubscriptionForm(
      id: SubscriptionID(stored: id),
      kind: .query(
        type: RecordType(stored: "Contact"), predicate: PredicateText(predicate), zone: nil))
  }

  private func form(_ predicate: String) -> QueryForm {
    QueryForm(
      zone: .standard, type: RecordType(stored: "Contact"), predicate: PredicateText(predicate),
      sort: [], desiredKeys: nil, limit: 0)
  }

  private func answer(_ device: BenchDevice) throws {
    while true {
      switch try device.next() {
      case .found, .error: return
      case .goodbye(let error): throw BenchFailure(error.message)
      default: continue
      }
    }
  }
}
