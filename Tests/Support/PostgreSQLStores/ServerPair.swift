// A primary server and its synchronous standby, which takes over when a test wants it. The standby gets its changes
// through a proxy, so that a test can keep it behind.

import PostgreSQLConnections
import Processes
import SQLConnections
import Synchronization

/// Two PostgreSQL servers, one of which accepts writes and waits for the other to have them.
package final class ServerPair: Sendable {
  private static let settings = [
    "fsync = off", "full_page_writes = off", "max_connections = 200", "wal_keep_size = 512MB",
    "wal_retrieve_retry_interval = 100ms", "autovacuum_naptime = 5s",
  ]

  /// Both servers. Their order never changes.
  package let servers: [PostgreSQLServer]
  /// The ways on which each server sends its changes.
  private let replication: [CuttingProxy]
  private let primaryIndex = Mutex(0)

  /// Starts both servers.
  package init() async throws {
    let first = try PostgreSQLServer(settings: Self.settings)
    let way = try CuttingProxy(to: first)
    let second = try PostgreSQLServer(
      standbyOf: first, through: way, settings: Self.settings)
    servers = [first, second]
    replication = [way, try CuttingProxy(to: second)]
    for server in servers { try server.set("synchronous_standby_names", to: "*") }
    try await waitForStandby()
  }

  private var primaryNumber: Int { primaryIndex.withLock { $0 } }

  /// The server that accepts writes.
  package var primary: PostgreSQLServer { servers[primaryNumber] }

  /// The server that has what the primary confirmed.
  package var standby: PostgreSQLServer { servers[1 - primaryNumber] }

  /// Keeps the standby from getting changes, so that commits wait, until it is called with `false`.
  package func blockReplication(_ isBlocked: Bool) {
    replication[primaryNumber].block(isBlocked)
  }

  /// Waits until the standby confirms commits.
  package func waitForStandby() async throws {
    try await Patience.wait(until: "the standby to confirm commits") {
      try primary.observer().value(
        "SELECT count(*) > 0 FROM pg_stat_replication WHERE sync_state = 'sync'") == true
    }
  }

  /// Kills the primary and makes the standby the primary. The killed server never serves again what it had.
  package func promote() async throws {
    let former = primaryNumber
    try await primary.kill()
    try standby.promote()
    primaryIndex.withLock { $0 = 1 - former }
    replication[former].block(false)
  }

  /// Makes the killed former primary the standby.
  package func rejoin() throws {
    try standby.follow(primary, through: replication[primaryNumber])
  }
}
