// P2: the time from a save on one device's socket to the change on another's, including the disk. It is
// measured with two devices, among a thousand subscribers of the same zone, and with a stuck subscriber
// that has stopped reading. The effect of a stuck subscriber is smaller than the noise of the machine.
// Turns with and without it therefore alternate in one run, each after the same burst of records.

import Foundation
import Measuring
import Records

/// Measures the latency of single saves.
struct SaveLatency {
  private let setting: BenchSetting

  init(_ setting: BenchSetting) {
    self.setting = setting
  }

  /// Measures all three situations.
  func measure() throws {
    try measureAlone()
    try measureAmongMany()
  }

  private func measureAlone() throws {
    let broker = try setting.startBroker()
    defer { broker.stop() }
    let pair = try Pair(setting)
    _ = try pair.seconds(rounds: 100)
    Measurement.reportPercentiles(
      "save_to_change", seconds: try pair.seconds(rounds: 1500), in: .microseconds)
  }

  private func measureAmongMany() throws {
    let broker = try setting.startBroker()
    defer { broker.stop() }
    let readers = try FeedReaders(setting, count: 1000)
    defer { readers.stop() }
    try readers.follow(to: Int64.max)
    let pair = try Pair(setting)
    _ = try pair.seconds(rounds: 100)
    var without: [[Double]] = []
    var with: [[Double]] = []
    for turn in 0..<Self.turns {
      // The order alternates, so that neither situation is always measured second.
      for isStuck in turn.isMultiple(of: 2) ? [false, true] : [true, false] {
        let stuck = isStuck ? try BenchDevice(setting, name: "stuck", follows: true) : nil
        try pair.burst(records: Self.burst)
        // Not measured: the disk and the other readers are still busy with the burst.
        _ = try pair.seconds(rounds: 50)
        let seconds = try pair.seconds(rounds: Self.rounds)
        if isStuck { with.append(seconds) } else { without.append(seconds) }
        withExtendedLifetime(stuck) {}
      }
    }
    let name = "save_to_change_among_1000"
    Measurement.reportPercentiles(name, seconds: without.flatMap(\.self), in: .microseconds)
    Measurement.reportPercentiles(
      name + "_and_a_stuck_one", seconds: with.flatMap(\.self), in: .microseconds)
    // The difference between even and odd turns without it shows the noise of the measurement.
    let halves = [0, 1].map { half in
      stride(from: half, to: Self.turns, by: 2).flatMap { without[$0] }
    }
    for (half, seconds) in zip(["even", "odd"], halves) {
      Measurement.reportPercentiles("\(name)_\(half)_turns", seconds: seconds, in: .microseconds)
    }
  }

  private static let turns = 10
  private static let rounds = 250
  /// Enough records to fill the socket buffer of a device that does not read.
  private static let burst = 12_000
}

/// A device that writes and a device that follows.
struct Pair {
  private let writer: BenchDevice
  private let reader: BenchDevice
  private let content: EncodedRecord

  /// Connects two new devices, the follower to another broker if one is given.
  init(_ setting: BenchSetting, readingFrom other: BenchSetting? = nil) throws {
    writer = try BenchDevice(setting, name: "writer")
    reader = try BenchDevice(other ?? setting, name: "reader", follows: true)
    content = try fields(bytes: 128)
  }

  /// Connects two registered devices.
  init(_ setting: BenchSetting, writer: inout KnownDevice, reader: inout KnownDevice) throws {
    self.writer = try BenchDevice(setting, writer)
    _ = try self.writer.catchUp(&writer)
    self.reader = try BenchDevice(setting, reader)
    _ = try self.reader.catchUp(&reader)
    content = try fields(bytes: 128)
  }

  /// Saves one record after the other and returns the seconds until the other device received each.
  func seconds(rounds: Int) throws -> [Double] {
    try reader.ping()
    return try (0..<rounds).map { _ in
      let start = Measurement.monotonicSeconds()
      try writer.save(records: 1, fields: content)
      _ = try reader.changes()
      let seconds = Measurement.monotonicSeconds() - start
      _ = try writer.outcome()
      return seconds
    }
  }

  /// Saves many records and waits until the other device has received them.
  func burst(records: Int) throws {
    try reader.ping()
    for _ in 0..<records / 400 {
      try writer.save(records: 400, fields: content)
      _ = try writer.outcome()
      try reader.skipChanges(400)
    }
  }
}
