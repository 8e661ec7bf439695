// P6, P9, P10: the cost of connections. Measured are the broker's memory with 10,000 idle devices, the time
// until 5,000 devices have reconnected after the broker was killed, and the time to reconnect for a device
// that missed no change, in a large zone and in a small one.

import Foundation
import Measuring
import Records

/// Measures idle and reconnecting devices.
struct Connections {
  private static let devicesPerAccount = 10
  private let setting: BenchSetting

  init(_ setting: BenchSetting) {
    self.setting = setting
  }

  /// Measures all three.
  func measure() throws {
    try Self.allowDescriptors()
    try measureIdle(devices: 10_000)
    try measureReconnection(devices: 5000)
    for records in [10, 100_000] { try measureNothingChanged(records: records) }
  }

  private func measureIdle(devices: Int) throws {
    let broker = try setting.startBroker()
    defer { broker.stop() }
    let empty = broker.residentKibibytes()
    var known = Self.knownDevices(devices)
    let connected = try connect(&known)
    sleep(2)
    let full = broker.residentKibibytes()
    Measurement.report("broker_empty_kib", empty)
    Measurement.report("broker_with_10000_kib", full)
    Measurement.report("broker_connection_bytes", (full - empty) * 1024 / Double(devices))
    withExtendedLifetime(connected) {}
  }

  private func measureReconnection(devices: Int) throws {
    let broker = try setting.startBroker()
    var known = Self.knownDevices(devices)
    for account in 0..<devices / Self.devicesPerAccount {
      let writer = try BenchDevice(setting, name: "writer", account: "person \(account)")
      try writer.save(records: 50, fields: try fields(bytes: 128))
      _ = try writer.outcome()
    }
    _ = try connect(&known)
    broker.kill()
    let again = try setting.restartBroker()
    defer { again.stop() }
    let start = Measurement.monotonicSeconds()
    let devices = try known.map { try BenchDevice(setting, $0) }
    var records = 0
    for index in known.indices { records += try devices[index].catchUp(&known[index]) }
    Measurement.report("broker_5000_return_s", Measurement.monotonicSeconds() - start)
    guard records == 0 else { throw BenchFailure("\(records) records were read again.") }
  }

  private func measureNothingChanged(records: Int) throws {
    let broker = try setting.startBroker()
    defer { broker.stop() }
    let writer = try BenchDevice(setting, name: "writer")
    let content = try fields(bytes: 300)
    for _ in 0..<max(1, records / 400) {
      try writer.save(records: min(records, 400), fields: content)
      _ = try writer.outcome()
    }
    var known = KnownDevice(name: "phone", account: "bench")
    _ = try BenchDevice(setting, known).catchUp(&known)
    var seconds: [Double] = []
    for _ in 0..<300 {
      let start = Measurement.monotonicSeconds()
      let read = try BenchDevice(setting, known).catchUp(&known)
      seconds.append(Measurement.monotonicSeconds() - start)
      guard read == 0 else { throw BenchFailure("\(read) records were read again.") }
    }
    Measurement.reportPercentiles(
      "broker_nothing_changed_among_\(records)", seconds: seconds, in: .microseconds)
  }

  private static func knownDevices(_ devices: Int) -> [KnownDevice] {
    (0..<devices).map {
      KnownDevice(name: "device \($0)", account: "person \($0 / devicesPerAccount)")
    }
  }

  /// Connects all devices and lets them catch up, one after the other.
  private func connect(_ known: inout [KnownDevice]) throws -> [BenchDevice] {
    try known.indices.map { index in
      let device = try BenchDevice(setting, known[index])
      _ = try device.catchUp(&known[index])
      return device
    }
  }

  /// Raises this process's limit of open files.
  static func allowDescriptors() throws {
    var limit = rlimit()
    getrlimit(__rlimit_resource_t(UInt32(RLIMIT_NOFILE.rawValue)), &limit)
    limit.rlim_cur = limit.rlim_max
    setrlimit(__rlimit_resource_t(UInt32(RLIMIT_NOFILE.rawValue)), &limit)
    guard limit.rlim_cur >= 12_000 else {
      throw BenchFailure("The limit of open files is \(limit.rlim_cur); 12,000 are needed.")
    }
  }
}
