// P2: from a save on one device's socket to the change on another's, the disk in between; alone, and
// while a thousand others follow the same zone.

import Foundation

/// Times saves one after another.
struct SaveLatency {
  private let setting: BenchSetting

  init(_ setting: BenchSetting) {
    self.setting = setting
  }

  /// Measures both.
  func measure() throws {
    let broker = try setting.startBroker()
    defer { broker.stop() }
    let writer = try BenchDevice(setting, name: "writer")
    let reader = try BenchDevice(setting, name: "reader", follows: true)
    try measure("save_to_change", from: writer, to: reader, rounds: 1500)
    let readers = try FeedReaders(setting, count: 1000)
    defer { readers.stop() }
    try readers.follow(to: Int64.max)
    try measure("save_to_change_among_1000", from: writer, to: reader, rounds: 500)
  }

  private func measure(
    _ name: String, from writer: BenchDevice, to reader: BenchDevice, rounds: Int
  ) throws {
    let fields = try fields(bytes: 128)
    let warmUp = 100
    var seconds: [Double] = []
    for round in -warmUp..<rounds {
      let start = monotonicSeconds()
      try writer.save(records: 1, fields: fields)
      _ = try reader.changes()
      if round >= 0 { seconds.append(monotonicSeconds() - start) }
      _ = try writer.outcome()
    }
    reportPercentiles(name, seconds: seconds)
  }
}
