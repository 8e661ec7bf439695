// P2: from a save on one device's socket to the change on another's, the disk in between; alone, while
// a thousand others follow the same zone, and with one among them that has stopped reading. What a
// stuck one does to the others is small beside what a machine does from one second to the next, so
// stretches with and without it take turns in one run, each after the same burst of records.

import Foundation
import Measuring
import Records

/// Times saves one after another.
struct SaveLatency {
  private let setting: BenchSetting

  init(_ setting: BenchSetting) {
    self.setting = setting
  }

  /// Measures all three.
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
      // The first of two, then the second: neither is always the later.
      for isStuck in turn.isMultiple(of: 2) ? [false, true] : [true, false] {
        let stuck = isStuck ? try BenchDevice(setting, name: "stuck", follows: true) : nil
        try pair.burst(records: Self.burst)
        // What a burst leaves behind, the disk's work and the other readers', is not measured.
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
    // What turns without it differ among each other is what a difference has to be seen beside.
    let halves = [0, 1].map { half in
      stride(from: half, to: Self.turns, by: 2).flatMap { without[$0] }
    }
    for (half, seconds) in zip(["even", "odd"], halves) {
      Measurement.reportPercentiles("\(name)_\(half)_turns", seconds: seconds, in: .microseconds)
    }
  }

  private static let turns = 10
  private static let rounds = 250
  /// So many records that the socket of one who does not read takes no more.
  private static let burst = 12_000
}

/// A device that writes and one that follows.
private struct Pair {
  private let writer: BenchDevice
  private let reader: BenchDevice
  private let content: EncodedRecord

  init(_ setting: BenchSetting) throws {
    writer = try BenchDevice(setting, name: "writer")
    reader = try BenchDevice(setting, name: "reader", follows: true)
    content = try fields(bytes: 128)
  }

  /// Saves one record after the other; the seconds until the other device had each.
  func seconds(rounds: Int) throws -> [Double] {
    // Whoever only reads must say now and then that it is there.
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

  /// Saves many records and waits until the other device has been told of them.
  func burst(records: Int) throws {
    for _ in 0..<records / 400 {
      try writer.save(records: 400, fields: content)
      _ = try writer.outcome()
      try reader.pass(over: 400)
    }
  }
}
