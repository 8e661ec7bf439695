// S2: the time from a save on a device of one broker to the change on a device of another broker, with one database.
// Brokers notify each other of commits, and look for them once a second anyway. The caller turns notifications off by a
// database in which the brokers' user must not send any.

import Foundation
import Measuring

/// Measures the latency of single saves across two brokers. Needs a database in the environment's setting.
struct FollowerLatency {
  private let setting: BenchSetting

  init(_ setting: BenchSetting) throws {
    guard ProcessInfo.processInfo.environment["CONTACTS_BROKER_STORE"] != nil else {
      throw BenchFailure("Set CONTACTS_BROKER_STORE to the address of an empty database.")
    }
    self.setting = setting
  }

  /// Measures with both devices at one broker, and with two brokers that notify each other.
  func measureNotified() throws {
    try withBrokers {
      try report("alone", of: warm(Pair(setting.broker(0))), rounds: 500)
      let pair = try warm(Pair(setting.broker(0), readingFrom: setting.broker(1)))
      try report("notified", of: pair, rounds: 500)
      try report("notified_apart", of: pair, rounds: 500, pause: 20_000)
    }
  }

  /// Measures with two brokers that cannot notify each other.
  func measureUnnotified() throws {
    try withBrokers {
      let pair = try Pair(setting.broker(0), readingFrom: setting.broker(1))
      _ = try pair.seconds(rounds: 2)
      try report("unnotified", of: pair, rounds: 60)
    }
  }

  private func withBrokers(_ body: () throws -> Void) throws {
    let brokers = try setting.startBrokers(2)
    defer { for broker in brokers { broker.stop() } }
    try body()
  }

  private func warm(_ pair: Pair) throws -> Pair {
    _ = try pair.seconds(rounds: 100)
    return pair
  }

  /// Makes saves one after the other, with a pause in microseconds before each.
  private func report(_ name: String, of pair: Pair, rounds: Int, pause: UInt32 = 0) throws {
    let seconds = try (0..<rounds).flatMap { _ in
      usleep(pause)
      return try pair.seconds(rounds: 1)
    }
    Measurement.reportPercentiles("follower_\(name)", seconds: seconds, in: .microseconds)
  }
}
