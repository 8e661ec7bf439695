// A server of its own with a proxy before it, on which stores are tried while faults happen.

import BrokerStore
import Dispatch
import PostgreSQLConnections
import Processes
import Records
import SQLConnections
import Synchronization

/// A PostgreSQL server whose connections can be cut and which can fail.
final class FaultWorld: Sendable {
  let server: PostgreSQLServer
  let proxy: CuttingProxy
  private let databaseCount = Mutex(0)

  init(settings: [String] = []) throws {
    server = try PostgreSQLServer(settings: settings)
    proxy = try CuttingProxy(to: server)
  }

  /// Limits with which a test does not wait for long.
  static var limits: PostgreSQLLimits {
    var limits = PostgreSQLLimits()
    limits.pauseAfterFailure = .zero
    limits.attemptInterval = .milliseconds(5)
    return limits
  }

  /// Makes an empty database. Returns its name.
  func makeDatabase() throws -> String {
    let name = databaseCount.withLock {
      $0 += 1
      return "fault\($0)"
    }
    try observer().run("CREATE DATABASE \(name)")
    return name
  }

  /// Opens a store on a database, through the proxy.
  func open(
    _ database: String, limits: PostgreSQLLimits = FaultWorld.limits,
    end: @escaping @Sendable (StoreError) -> Never = { preconditionFailure($0.message) }
  ) throws -> PostgreSQLRecordStore {
    try PostgreSQLRecordStore(address: proxy.address(of: database), limits: limits, end: end)
  }

  /// Connects to the server itself. Its commits wait for no standby.
  func observer(of database: String = "postgres") throws -> PostgreSQLConnection {
    let observer = try PostgreSQLConnection(server.address(of: database))
    try observer.run("SET synchronous_commit = 'local'")
    return observer
  }

  /// Sets a setting of the whole server; `nil` for its default.
  func set(_ setting: String, to value: String?, _ observer: PostgreSQLConnection) throws {
    try observer.run(
      value.map { "ALTER SYSTEM SET \(setting) = '\($0)'" } ?? "ALTER SYSTEM RESET \(setting)")
    try observer.run("SELECT pg_reload_conf()")
  }

  /// Ends the connections of a store to a database. Returns when they are gone.
  func endConnections(to database: String) throws {
    let observer = try observer()
    repeat {
      try observer.run(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = ?", [database])
    } while try observer.value(
      "SELECT count(*) > 0 FROM pg_stat_activity WHERE datname = ?", [database]) == true
  }
}

/// Something that happens beside a test's thread.
final class Occurrence: Sendable {
  private let isBegun = Mutex(false)
  private let end = DispatchSemaphore(value: 0)

  /// Begins `body`.
  func begin(_ body: @escaping @Sendable () async throws -> Void) {
    isBegun.withLock { $0 = true }
    Task {
      do { try await body() } catch { preconditionFailure("The fault failed: \(error)") }
      end.signal()
    }
  }

  /// Waits for its end, if it has begun. Returns whether it had.
  func wait() -> Bool {
    guard isBegun.withLock({ $0 }) else { return false }
    end.wait()
    end.signal()
    return true
  }
}
