// P3: durable saves a second – one client that waits for each outcome, fifty such clients, and one
// client whose requests hold 400 records.

import Glibc

/// Counts saves for some seconds.
struct SaveRate {
  private let setting: BenchSetting
  private let seconds = 3.0

  init(_ setting: BenchSetting) {
    self.setting = setting
  }

  /// Measures all three.
  func measure() throws {
    try measure("broker_saves_1", clients: 1, records: 1, underWay: 1)
    try measure("broker_saves_50", clients: 50, records: 1, underWay: 1)
    try measure("broker_saves_400", clients: 1, records: 400, underWay: 4)
  }

  private func measure(
    _ name: String, clients: Int, records: Int, underWay: Int
  ) throws {
    let broker = try setting.startBroker()
    defer { broker.stop() }
    let devices = try (0..<clients).map { try BenchDevice(setting, name: "client \($0)") }
    let fields = try fields(bytes: 300)
    var polled = devices.map { pollfd(fd: $0.socket.descriptor, events: Int16(POLLIN), revents: 0) }
    for device in devices {
      for _ in 0..<underWay { try device.save(records: records, fields: fields) }
    }
    let start = monotonicSeconds()
    var count = 0
    while monotonicSeconds() < start + seconds {
      guard poll(&polled, nfds_t(polled.count), 10_000) > 0 else {
        throw BenchFailure("The broker gives no outcomes.")
      }
      for index in polled.indices where polled[index].revents != 0 {
        let outcomes = try devices[index].outcomesAtHand()
        count += outcomes
        for _ in 0..<outcomes { try devices[index].save(records: records, fields: fields) }
      }
    }
    report("\(name)_per_s", Double(count * records) / (monotonicSeconds() - start))
  }
}
