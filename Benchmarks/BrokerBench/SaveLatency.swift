// P2: from a save on one device's socket to the change on another's, the disk in between; alone, and
// while a thousand others follow the same zone.

import Foundation
import Measuring
import Records

/// Times saves one after another.
struct SaveLatency {
  private let setting: BenchSetting

  init(_ setting: BenchSetting) {
    self.setting = setting
  }

  /// Measures both.
  func measure() throws {
    try measure("save_to_change", rounds: 1500)
    try measure("save_to_change_among_1000", rounds: 500, others: 1000)
    try measure("save_to_change_among_1000_and_a_stuck_one", rounds: 500, others: 1000, stuck: true)
  }

  private func measure(
    _ name: String, rounds: Int, others: Int = 0, stuck: Bool = false
  ) throws {
    let broker = try setting.startBroker()
    defer { broker.stop() }
    let readers = others > 0 ? try FeedReaders(setting, count: others) : nil
    defer { readers?.stop() }
    try readers?.follow(to: Int64.max)
    let writer = try BenchDevice(setting, name: "writer")
    let reader = try BenchDevice(setting, name: "reader", follows: true)
    let fields = try fields(bytes: 128)
    let stuckReader = stuck ? try fillSocket(writer, fields) : nil
    defer { withExtendedLifetime(stuckReader) {} }
    // Those that follow were told of the filling too.
    if stuck { try reader.pass(over: Self.filling) }
    let warmUp = 100
    var seconds: [Double] = []
    for round in -warmUp..<rounds {
      let start = Measurement.monotonicSeconds()
      try writer.save(records: 1, fields: fields)
      _ = try reader.changes()
      if round >= 0 { seconds.append(Measurement.monotonicSeconds() - start) }
      _ = try writer.outcome()
      // Whoever only reads must say now and then that it is there.
      if round % 100 == 0 { try reader.ping() }
    }
    Measurement.reportPercentiles(name, seconds: seconds, in: .microseconds)
  }

  private static let filling = 12_000

  /// A device that follows and never reads, and so many changes that its socket takes no more.
  private func fillSocket(_ writer: BenchDevice, _ fields: EncodedRecord) throws -> BenchDevice {
    let stuck = try BenchDevice(setting, name: "stuck", follows: true)
    for _ in 0..<Self.filling / 400 {
      try writer.save(records: 400, fields: fields)
      _ = try writer.outcome()
    }
    return stuck
  }
}
