import BrokerCore
import BrokerStore
import PostgreSQLConnections
import Records
import SQLConnections

/// A broker's PostgreSQL database as an operator handles it. Backups and repairs of the database are the server's own.
package struct PostgreSQLArchive: RecordArchive {
  private let address: String

  /// Creates an archive for the database at `address`. It connects at each call.
  package init(address: String) {
    self.address = address
  }

  package func snapshot<Result>(_ body: (any SQLConnection) throws -> Result) throws -> Result {
    do {
      let connection = try PostgreSQLConnection(address)
      try PostgreSQLSchema.requireVersion(connection)
      connection.begin(isReadOnly: true)
      defer { connection.rollback() }
      return try body(connection)
    } catch let error as PostgreSQLError {
      throw StoreError(error)
    }
  }

  package func byteCount(on db: any SQLConnection) throws -> Int64 {
    try db.value("SELECT pg_database_size(current_database())") ?? 0
  }

  /// Returns none: the server checks its pages as it reads them, and has `pg_amcheck`.
  package func faults(on db: any SQLConnection) throws -> [String] { [] }

  /// Starts new histories of all zones, after the database was restored to an earlier time. No broker may be connected.
  /// - Throws: `inUse` if one is.
  package func beginNewHistory(at now: Timestamp, _ kind: RestoreKind) throws(StoreError) {
    let random = RandomSource(SystemRandomNumberGenerator())
    do {
      let writer = try PostgreSQLWriter(
        address: address, limits: PostgreSQLLimits(), doubt: CommitDoubt(), isAlone: true,
        end: { preconditionFailure($0.message) })
      try writer.transact { beginning in
        try NewHistory(db: beginning.db, random: random).begin(
          at: now, kind, namesAreReliable: true, lost: [])
        return ((), .anything)
      }
    } catch {
      throw StoreError(ofPostgreSQL: error)
    }
  }
}
