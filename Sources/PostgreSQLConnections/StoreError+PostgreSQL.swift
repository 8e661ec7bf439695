import Records

extension StoreError {
  /// Converts an error of a PostgreSQL database.
  package init(_ error: PostgreSQLError) {
    switch error.state {
    case "53100":
      self.init(.full, "The database cannot be written: the disk of its server is full.")
    case "25006":
      self.init(
        .disk,
        "The database cannot be written: its server is a read-only standby; use the primary server."
      )
    case "58030":
      self.init(.disk, "The disk of the database's server is failing: \(error).")
    case "53300":
      self.init(.unreachable, "The database's server has no connection left: \(error).")
    case "XX001", "XX002": self.init(.damaged, "The database is damaged: \(error).")
    case _ where error.isConnectionLost:
      self.init(.unreachable, "The connection to the database was lost: \(error).")
    case _ where error.isObstacle:
      self.init(.inUse, "The database could not finish a transaction: \(error).")
    default: self.init(.unexpected, "The database failed: \(error).")
    }
  }

  /// Converts an error of a PostgreSQL database, or of another part of a store.
  package init(ofPostgreSQL error: any Error) {
    switch error {
    case let error as StoreError: self = error
    case let error as PostgreSQLError: self.init(error)
    case let error as CommitUnknown: self.init(.unreachable, "\(error).")
    default: self.init(.unexpected, "The database failed: \(error).")
    }
  }
}
