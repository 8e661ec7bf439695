// What an account notices of another that attacks their broker: how long its saves, the way of a change
// and of a notification to its other device, its reads, queries and greetings take, and whether
// anything of it is refused; and what the broker needs meanwhile.

import Foundation
import Measuring
import Records
import RecordsWire

/// Times one account beside a hostile one.
struct HostileNeighbor {
  private static let pauseMicroseconds: UInt32 = 40_000

  private let setting: BenchSetting
  private var times: [String: [Double]] = [:]
  private var refusalCount = 0

  init(_ setting: BenchSetting) {
    self.setting = setting
  }

  /// Measures an account alone, and then for `seconds` while another process attacks the broker.
  mutating func measure(seconds: Double, by attacks: [HostileAccount.Attack]) throws {
    let broker = try setting.startBroker()
    defer { broker.stop() }
    try openToOtherUsers()
    let neighbor = try Neighbor(setting)
    try run(neighbor, prefix: "alone", seconds: min(10, seconds / 2))
    report("alone")
    times = [:]
    let hostile = try Program(
      ProcessInfo.processInfo.arguments[0],
      ["hostile-account", "\(seconds)"] + attacks.map(\.rawValue),
      log: setting.folder + "/hostile.log", talks: true)
    defer { hostile.kill() }
    try run(neighbor, prefix: "attacked", seconds: seconds)
    report("attacked")
    // How often it attacked in each way: a broker that takes nothing from it proves nothing.
    for _ in attacks { FileHandle.standardOutput.write(Data("\(try hostile.line())\n".utf8)) }
    Measurement.report("hostile_refusals", Double(refusalCount))
    Measurement.report("hostile_broker_peak_mib", broker.peakKibibytes() / 1024)
    Measurement.report("hostile_longest_slow_commit_ms", try longestSlowCommit())
  }

  /// The hostile account is another user's, as it would be under systemd.
  private func openToOtherUsers() throws {
    for (path, mode) in [(setting.folder, 0o755), (setting.brokerSocket, 0o666)] {
      try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
    }
  }

  private mutating func run(_ neighbor: Neighbor, prefix: String, seconds: Double) throws {
    let deadline = Measurement.monotonicSeconds() + seconds
    while Measurement.monotonicSeconds() < deadline {
      for step in Neighbor.Step.allCases {
        do {
          let start = Measurement.monotonicSeconds()
          try neighbor.perform(step)
          times[step.rawValue, default: []].append(Measurement.monotonicSeconds() - start)
        } catch {
          refusalCount += 1
          FileHandle.standardError.write(Data("\(prefix) \(step): \(error)\n".utf8))
          guard refusalCount < 100 else { throw error }
        }
      }
      usleep(Self.pauseMicroseconds)
    }
  }

  private func report(_ prefix: String) {
    for step in Neighbor.Step.allCases {
      Measurement.reportPercentiles(
        "hostile_\(prefix)_\(step.rawValue)", seconds: times[step.rawValue] ?? [],
        in: .milliseconds)
    }
  }

  /// The longest commit that the broker's journal names as slow; 0 where it names none.
  private func longestSlowCommit() throws -> Double {
    let log = try String(contentsOfFile: setting.folder + "/broker.log", encoding: .utf8)
    let times = log.split(separator: "\n").filter { $0.contains("slow commit") }.compactMap {
      line in
      line.split(separator: "milliseconds=").last.flatMap { Double($0.prefix(while: \.isNumber)) }
    }
    return times.max() ?? 0
  }
}

/// An account with two devices, of which one writes and the other follows.
private final class Neighbor {
  /// What it does in turn.
  enum Step: String, CaseIterable {
    case save, change, notification, fetch, query, greeting
  }

  private let setting: BenchSetting
  private let writer: BenchDevice
  private let reader: BenchDevice
  private var position = NotificationNumber.none
  private var hasChange = false
  private var hasNotification = false

  init(_ setting: BenchSetting) throws {
    self.setting = setting
    writer = try BenchDevice(setting, name: "writer", account: "alice")
    reader = try BenchDevice(setting, name: "reader", account: "alice", follows: true)
    let form = SubscriptionForm(
      id: SubscriptionID(stored: "all"),
      kind: .query(
        type: RecordType(stored: "Contact"), predicate: PredicateText("TRUEPREDICATE"), zone: nil))
    try writer.say(.saveSubscription(form))
    try wait(writer) { if case .subscriptionSaved = $0 { true } else { false } }
    try reader.say(.followNotifications(position))
    try reader.say(.checkpoint)
    try wait(reader) { if case .checkpoint = $0 { true } else { false } }
  }

  /// Does the step and waits for what comes of it.
  func perform(_ step: Step) throws {
    switch step {
    case .save:
      (hasChange, hasNotification) = (false, false)
      try writer.save(records: 1, fields: try fields(bytes: 800))
      _ = try writer.outcome()
    case .change: while !hasChange { try hear() }
    case .notification: while !hasNotification { try hear() }
    case .fetch:
      try writer.say(.fetch([RecordID(zone: .standard, name: RecordName(stored: "none"))]))
      try wait(writer) { if case .fetched = $0 { true } else { false } }
    case .query:
      let form = QueryForm(
        zone: .standard, type: RecordType(stored: "Contact"),
        predicate: PredicateText("note == 'x'"), sort: [], desiredKeys: nil, limit: 10)
      try writer.say(.query(form))
      try wait(writer) { if case .found = $0 { true } else { false } }
    case .greeting: _ = try BenchDevice(setting, name: "visitor", account: "alice")
    }
  }

  private func hear() throws {
    switch try reader.next() {
    case .changes: hasChange = true
    case .notifications(let page):
      hasNotification = true
      position = page.notifications.last?.number ?? page.collapsed.last?.last ?? position
      try reader.say(.acknowledgeNotifications(position))
    case .error(let error), .goodbye(let error): throw BenchFailure(error.message)
    default: break
    }
  }

  private func wait(_ device: BenchDevice, for isAnswer: (BrokerMessage) -> Bool) throws {
    while true {
      let message = try device.next()
      if isAnswer(message) { return }
      if case .error(let error) = message { throw BenchFailure(error.message) }
      if case .goodbye(let error) = message { throw BenchFailure(error.message) }
    }
  }
}
