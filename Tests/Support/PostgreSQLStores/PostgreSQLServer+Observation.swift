// What a test sees and does on a server while brokers use it.

import PostgreSQLConnections
import Processes
import SQLConnections

extension PostgreSQLServer {
  /// Connects to the server itself. The connection's commits wait for no standby.
  package func observer(of database: String = "postgres") throws -> PostgreSQLConnection {
    let observer = try PostgreSQLConnection(address(of: database))
    try observer.run("SET synchronous_commit = 'local'")
    return observer
  }

  /// Sets a setting of the whole server; `nil` for its default.
  package func set(_ setting: String, to value: String?) throws {
    let observer = try observer()
    try observer.run(
      value.map { "ALTER SYSTEM SET \(setting) = '\($0)'" } ?? "ALTER SYSTEM RESET \(setting)")
    try observer.run("SELECT pg_reload_conf()")
  }

  /// Ends the connections to a database. Returns when they are gone.
  package func endConnections(to database: String) throws {
    let observer = try observer()
    repeat {
      try observer.run(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = ?", [database])
    } while try observer.value(
      "SELECT count(*) > 0 FROM pg_stat_activity WHERE datname = ?", [database]) == true
  }

  /// Cancels a number of waits for a standby, or ends their connections. Returns when that is done or `isOver` is set.
  package func endStandbyWaits(
    _ count: Int, endsConnections: Bool, until isOver: () -> Bool
  ) throws {
    let observer = try observer()
    let function = endsConnections ? "pg_terminate_backend" : "pg_cancel_backend"
    var left = count
    while left > 0, !isOver() {
      let process: Int? = try observer.value(
        "SELECT pid FROM pg_stat_activity WHERE wait_event = 'SyncRep'")
      guard let process else { continue }
      try observer.run("SELECT \(function)(?::integer)", [process])
      left -= 1
    }
  }
}
