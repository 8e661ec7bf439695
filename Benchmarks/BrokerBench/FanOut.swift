// P1: changes delivered a second to all subscribers of a zone. Each change is on disk before it is sent.
// The writer keeps several requests in flight, so that the disk never waits for it.

import Foundation
import Measuring
import Records

/// Counts deliveries to many devices.
struct FanOut {
  private let setting: BenchSetting
  private static let recordsPerRequest = 100
  private static let requestsInFlight = 8

  init(_ setting: BenchSetting) {
    self.setting = setting
  }

  /// Measures with 100 and with 1,000 devices.
  func measure() throws {
    try measure(devices: 100, requests: 1500)
    try measure(devices: 1000, requests: 600)
  }

  private func measure(devices: Int, requests: Int) throws {
    let broker = try setting.startBroker()
    defer { broker.stop() }
    let writer = try BenchDevice(setting, name: "writer")
    let readers = try FeedReaders(setting, count: devices)
    defer { readers.stop() }
    let rates = try Self.rates(of: writer, to: readers, requests: requests)
    Measurement.report("broker_fanout_\(devices)_per_s", rates.changes * Double(devices))
    Measurement.report("broker_fanout_\(devices)_saves_per_s", rates.saves)
  }

  /// Saves records, and returns how many a second were saved, and how many a second reached all readers.
  static func rates(
    of writer: BenchDevice, to readers: FeedReaders, requests: Int
  ) throws -> (saves: Double, changes: Double) {
    let fields = try fields(bytes: 128)
    let changes = requests * recordsPerRequest
    try readers.follow(to: Int64(changes))
    let start = Measurement.monotonicSeconds()
    for request in 0..<requests {
      if request >= requestsInFlight { _ = try writer.outcome() }
      try writer.save(records: recordsPerRequest, fields: fields)
    }
    for _ in 0..<requestsInFlight { _ = try writer.outcome() }
    let written = Measurement.monotonicSeconds()
    let elapsed = try readers.doneAt() - start
    return (Double(changes) / (written - start), Double(changes) / elapsed)
  }
}
