// The broker's store on SQLite. One connection writes; a few read concurrently, each at a snapshot of the
// database. The store caches the ids of devices and accounts, because every record refers to two devices
// by row.

import BrokerCore
import GRDB
import Records
import SQLConnections
import SQLiteFile

/// The broker's store in an SQLite database.
package final class SQLiteRecordStore: SQLRecordStore {
  private let database: any DatabaseWriter
  package let origins = OriginCache()
  package let damages: DamageList
  package let publicRights: PublicRights
  private let leases = LeaseTable()
  private let memory: WriterMemory
  private let log: WriteAheadLog
  private let removedDevices: RemovedDevices?
  let listedRemovals = ListedRemovals()

  /// Opens or creates the database at `path`, and removes the devices that the file `removed-devices` next to it
  /// lists.
  /// - Parameters:
  ///   - publicRights: The permissions of public records.
  ///   - cascades: How many records a cascade deletes in one transaction.
  ///   - report: Receives each damaged record state once, on the thread that read it.
  /// - Throws: `StoreError`, if the file is of another application or a newer version, is damaged, or
  ///   cannot be opened.
  package convenience init(
    path: String, publicRights: PublicRights = PublicRights(),
    cascades: CascadeBounds = CascadeBounds(),
    report: @escaping @Sendable (DamagedState) -> Void = { _ in }
  ) throws(StoreError) {
    let log = WriteAheadLog()
    try self.init(
      try BrokerSchema.file.open(path: path, readers: 4, log: log), log, path: path, publicRights,
      cascades, removedDevices: RemovedDevices(besideDatabase: path), report: report)
    try removeListedDevices(path: path)
  }

  /// Creates a store in memory, for simulations.
  package convenience init(
    publicRights: PublicRights = PublicRights(), cascades: CascadeBounds = CascadeBounds()
  ) throws(StoreError) {
    try self.init(
      try BrokerSchema.file.openInMemory(like: BrokerSchema.empty.get()), WriteAheadLog(),
      path: "in memory", publicRights, cascades, report: { _ in })
  }

  private init(
    _ database: any DatabaseWriter, _ log: WriteAheadLog, path: String,
    _ publicRights: PublicRights, _ cascades: CascadeBounds, removedDevices: RemovedDevices? = nil,
    report: @escaping @Sendable (DamagedState) -> Void
  ) throws(StoreError) {
    self.removedDevices = removedDevices
    self.database = database
    self.log = log
    self.publicRights = publicRights
    memory = WriterMemory(cascades: cascades)
    damages = DamageList(report: report)
    do {
      try database.write { try memory.load(in: SQLiteFileConnection($0)) }
    } catch {
      throw StoreError(error, path: path)
    }
  }

  deinit {
    // SQLite does not close a database that has compiled statements.
    memory.releaseStatements()
  }

  package func transact<Result>(
    _ body: (any StoreTransaction) throws -> Result
  ) throws -> Result {
    try translatingErrors {
      try database.writeWithoutTransaction { database in
        let db = SQLiteFileConnection(database)
        try memory.prepare(in: db)
        do {
          var result: Result?
          try database.inTransaction(.immediate) {
            result = try body(
              SQLTransaction(
                db: db, origins: origins, memory: memory, damages: damages,
                publicRights: publicRights, leases: leases,
                listedRemovals: listedRemovals))
            try memory.finish(in: db)
            let removed = memory.transaction.removedDevices
            if !removed.isEmpty { try removedDevices?.append(removed) }
            return .commit
          }
          guard let result else { preconditionFailure("A transaction ended without its result.") }
          memory.transactionCommitted()
          return result
        } catch {
          memory.transactionRolledBack(in: db)
          throw error
        }
      }
    }
  }

  package var needsCheckpoint: Bool { log.isFull }

  package func checkpoint() {
    database.writeWithoutTransaction { log.copy(in: $0) }
  }

  /// Reads a pragma of the writing connection, for tests and self-checks.
  package func pragma(_ name: String) throws -> String? {
    try database.writeWithoutTransaction { db in
      try String.fetchOne(db.cachedStatement(sql: "PRAGMA \(name)"))
    }
  }

  package func reading<Result>(_ body: (any SQLConnection) throws -> Result) throws -> Result {
    try translatingErrors { try database.reading { try body(SQLiteFileConnection($0)) } }
  }

  private func translatingErrors<Result>(_ body: () throws -> Result) throws -> Result {
    do {
      return try body()
    } catch let error as RecordsError {
      throw error
    } catch is HiddenRecords.LookupLimitExceeded {
      throw RecordsError(
        .zoneBusy, "Records that refer to a deleted record are still being deleted.",
        hint: "Try again in a moment.", retryAfterSeconds: 1)
    } catch {
      throw StoreError(error, path: "of the broker")
    }
  }
}
