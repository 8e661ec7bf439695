import PostgreSQLConnections
import Processes
import Records
import SQLConnections
import Testing

/// Commits that wait for a synchronous standby that does not exist.
@Suite("S3 unknown commits of PostgreSQL", hasServer)
struct CommitUnknownTests {
  @Test(arguments: [("pg_cancel_backend", false), ("pg_terminate_backend", true)])
  func `a cancelled wait for the standby leaves the commit unknown`(
    _ function: String, endsConnection: Bool
  ) async throws {
    let server = try PostgreSQLServer(
      settings: ["synchronous_standby_names = 'missing'", "synchronous_commit = local"])
    let address = try server.makeDatabase()
    let observer = try PostgreSQLConnection(address)
    // The settings of connections are stricter than the server's, and the table should not wait.
    #expect(try observer.value("SHOW synchronous_commit") == "on")
    try observer.run("SET synchronous_commit = 'local'")
    try observer.makeTable()
    async let outcome: CommitUnknown? = onThread {
      let connection = try PostgreSQLConnection(address)
      connection.begin(isReadOnly: false)
      try connection.run("INSERT INTO entry (number) VALUES (1)")
      do {
        try connection.commit()
        return nil
      } catch let error as CommitUnknown {
        return error
      }
    }
    let process: Int = try await Patience.wait(for: "the commit to wait for its standby") {
      try observer.value("SELECT pid FROM pg_stat_activity WHERE wait_event = 'SyncRep'")
    }
    try observer.run("SELECT \(function)(?::int4)", [process])
    let unknown = try #require(try await outcome)
    #expect(unknown.reason.isConnectionLost == endsConnection)
    // A server that ends may not get its warning out.
    #expect(endsConnection || unknown.description.contains("synchronous replication"))
    // It was committed after all, on this server alone.
    #expect(try observer.value("SELECT count(*) FROM entry") == 1)
  }
}
