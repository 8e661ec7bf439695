// S2: the time from a save on a device of one broker to the change on a device of another broker, with one database.
// Brokers notify each other of commits, and look for them once a second anyway. The notifications are turned off by
// stopping the server's process that takes them from the saving broker, which uses that connection for nothing else.

import Foundation
import Measuring

/// Measures the latency of single saves across two brokers. Needs a database in the environment's setting.
struct FollowerLatency {
  private let setting: BenchSetting
  private let address: String

  init(_ setting: BenchSetting) throws {
    guard let address = ProcessInfo.processInfo.environment["CONTACTS_BROKER_STORE"] else {
      throw BenchFailure("Set CONTACTS_BROKER_STORE to the address of an empty database.")
    }
    self.setting = setting
    self.address = address
  }

  /// Measures with and without notifications, and with both devices at one broker.
  func measure() throws {
    let brokers = try setting.startBrokers(2)
    defer { for broker in brokers { broker.stop() } }
    try report("alone", of: warm(Pair(setting.broker(0))), rounds: 500)
    let pair = try warm(Pair(setting.broker(0), readingFrom: setting.broker(1)))
    try report("notified", of: pair, rounds: 500)
    try report("notified_apart", of: pair, rounds: 500, pause: 20_000)
    let seconds = try (0..<3).flatMap { _ in try secondsWithoutNotifications(of: pair) }
    Measurement.reportPercentiles("follower_unnotified", seconds: seconds, in: .microseconds)
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

  /// Makes saves for less than the 60 s after which the saving broker gives its stopped connection up.
  private func secondsWithoutNotifications(of pair: Pair) throws -> [Double] {
    usleep(100_000)
    let process = try notifyingProcess()
    kill(process, SIGSTOP)
    defer { kill(process, SIGCONT) }
    return try pair.seconds(rounds: 40)
  }

  /// Returns the idle server process to which the broker that was started first sends its notifications.
  private func notifyingProcess() throws -> pid_t {
    let sql = """
      SELECT pid FROM pg_stat_activity WHERE datname = current_database()
      AND query IN ('LISTEN contacts_broker', 'NOTIFY contacts_broker') AND state = 'idle'
      ORDER BY backend_start LIMIT 1
      """
    let psql = try Program(
      "/usr/bin/env", ["psql", "-AtXc", sql, address], log: setting.folder + "/psql.log",
      usesPipes: true)
    defer { psql.stop() }
    guard let process = pid_t(try psql.line()) else {
      throw BenchFailure("The first broker has no connection for notifications.")
    }
    return process
  }
}
