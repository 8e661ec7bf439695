// I11, I18: the effect of an account that attacks the broker on another account. Measured are the other
// account's saves, the delay of a change and of a notification on its second device, its fetches, queries
// and hellos, its failed requests, and the broker's memory and commits.

import Foundation
import Measuring
import Records
import RecordsWire

/// Measures one account while a hostile account attacks the broker.
struct HostileNeighbor {
  private static let pauseMicroseconds: UInt32 = 40_000

  private let setting: BenchSetting
  private var times: [String: [Double]] = [:]
  private var failureCount = 0

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
      log: setting.folder + "/hostile.log", usesPipes: true)
    defer { hostile.kill() }
    try run(neighbor, prefix: "attacked", seconds: seconds)
    report("attacked")
    // The number of attacks of each kind. A broker that accepts no attack would prove nothing.
    for _ in attacks { FileHandle.standardOutput.write(Data("\(try hostile.line())\n".utf8)) }
    Measurement.report("hostile_refusals", Double(failureCount))
    Measurement.report("hostile_broker_peak_mib", broker.peakKibibytes() / 1024)
    Measurement.report("hostile_longest_slow_commit_ms", try longestSlowCommit())
  }

  /// Lets another user connect: the hostile process runs as one, as under systemd.
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
          times[step.rawValue, default: []].append(try neighbor.perform(step))
        } catch {
          failureCount += 1
          FileHandle.standardError.write(Data("\(prefix) \(step): \(error)\n".utf8))
          guard failureCount < 100 else { throw error }
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

  /// Returns the longest commit that the broker's log reports as slow, in milliseconds; 0 without one.
  private func longestSlowCommit() throws -> Double {
    let log = try String(contentsOfFile: setting.folder + "/broker.log", encoding: .utf8)
    let times = log.split(separator: "\n").filter { $0.contains("slow commit") }.compactMap {
      line in
      line.split(separator: "milliseconds=").last.flatMap { Double($0.prefix(while: \.isNumber)) }
    }
    return times.max() ?? 0
  }
}

/// An account with two devices: one writes, the other follows.
private final class Neighbor {
  /// The measured steps, in order.
  enum Step: String, CaseIterable {
    case save, change, notification, fetch, query, greeting
  }

  private let setting: BenchSetting
  private let writer: BenchDevice
  private let reader: BenchDevice
  private var position = NotificationNumber.none
  /// The tag of the last save, when it was answered, and when its change and its notification were received.
  private var saved = Revision.zero
  private var replied = 0.0
  private var arrivals: [Step: Double] = [:]

  init(_ setting: BenchSetting) throws {
    self.setting = setting
    writer = try BenchDevice(setting, name: "writer", account: "alice")
    reader = try BenchDevice(setting, name: "reader", account: "alice", follows: true)
    let form = SubscriptionForm(
      id: SubscriptionID(stored: "all"),
      kind: .query(
        type: RecordType(stored: "Contact"), predicate: PredicateText("TRUEPREDICATE"), zone: nil))
    try writer.send(.saveSubscription(form))
    try wait(writer) { if case .subscriptionSaved = $0 { true } else { false } }
    try reader.send(.followNotifications(position))
    try reader.send(.checkpoint)
    try wait(reader) { if case .checkpoint = $0 { true } else { false } }
  }

  /// Performs a step, waits for its result, and returns the seconds that it took. A change and a notification, which
  /// arrive in any order, count from the reply to the save.
  func perform(_ step: Step) throws -> Double {
    let start = Measurement.monotonicSeconds()
    switch step {
    case .save:
      arrivals = [:]
      try writer.save(records: 1, fields: try fields(bytes: 800))
      saved = try writer.outcome()
      replied = Measurement.monotonicSeconds()
    case .change, .notification:
      while true {
        if let arrival = arrivals[step] { return arrival - replied }
        try receive()
      }
    case .fetch:
      try writer.send(.fetch([RecordID(zone: .standard, name: RecordName(stored: "none"))]))
      try wait(writer) { if case .fetched = $0 { true } else { false } }
    case .query:
      let form = QueryForm(
        zone: .standard, type: RecordType(stored: "Contact"),
        predicate: PredicateText("note == 'x'"), sort: [], desiredKeys: nil, limit: 10)
      try writer.send(.query(form))
      try wait(writer) { if case .found = $0 { true } else { false } }
    case .greeting: _ = try BenchDevice(setting, name: "visitor", account: "alice")
    }
    return Measurement.monotonicSeconds() - start
  }

  private func receive() throws {
    switch try reader.next() {
    case .changes(let page):
      if page.to >= saved { arrivals[.change] = Measurement.monotonicSeconds() }
    case .notifications(let page):
      // A page may be of an earlier save: the first page is empty, and each later one then comes a step late.
      if page.notifications.contains(where: { $0.tag >= saved }) {
        arrivals[.notification] = Measurement.monotonicSeconds()
      }
      guard page.collapsed.isEmpty else {
        throw BenchFailure("The broker collapsed notifications.")
      }
      position = page.notifications.last?.number ?? position
      try reader.send(.acknowledgeNotifications(position))
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
