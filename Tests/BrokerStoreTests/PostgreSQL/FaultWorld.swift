// A server of its own with a proxy before it, on which stores are tried while faults happen.

import BrokerPostgreSQL
import BrokerStore
import Dispatch
import PostgreSQLConnections
import PostgreSQLStores
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
    try server.observer().run("CREATE DATABASE \(name)")
    return name
  }

  /// Opens a store on a database, through the proxy.
  func open(
    _ database: String, limits: PostgreSQLLimits = FaultWorld.limits,
    end: @escaping @Sendable (StoreError) -> Never = { preconditionFailure($0.message) }
  ) throws -> PostgreSQLRecordStore {
    try PostgreSQLRecordStore(address: proxy.address(of: database), limits: limits, end: end)
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
