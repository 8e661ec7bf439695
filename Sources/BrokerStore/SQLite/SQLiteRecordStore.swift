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
  package let context: StoreContext
  private let database: any DatabaseWriter
  private let log: WriteAheadLog

  /// Opens or creates the database at `path`, and removes the devices that the file `removed-devices` next to it
  /// lists.
  /// - Parameters:
  ///   - publicRights: The permissions of public records.
  ///   - cascades: How many records a cascade deletes in one transaction.
  ///   - report: Receives each damaged record state once, on the thread that read it.
  /// - Throws: `StoreError`, if the file is of another application or version, is damaged, cannot be opened,
  ///   or was copied to another store and sealed.
  package convenience init(
    path: String, publicRights: PublicRights = PublicRights(),
    cascades: CascadeBounds = CascadeBounds(),
    report: @escaping @Sendable (DamagedState) -> Void = { _ in }
  ) throws(StoreError) {
    try SealedStore.check(path)
    let log = WriteAheadLog()
    let context = StoreContext(
      publicRights: publicRights, cascades: cascades,
      removedDevices: RemovedDevices(besideDatabase: path), report: report)
    try self.init(
      try BrokerSchema.file.open(path: path, readers: 4, log: log), log, path: path, context)
    do {
      try context.applyListedRemovals(to: self)
    } catch {
      throw StoreError(error, path: path)
    }
  }

  /// Creates a store in memory, for simulations.
  package convenience init(
    publicRights: PublicRights = PublicRights(), cascades: CascadeBounds = CascadeBounds()
  ) throws(StoreError) {
    let context = StoreContext(
      publicRights: publicRights, cascades: cascades, removedDevices: nil, report: { _ in })
    try self.init(
      try BrokerSchema.file.openInMemory(like: BrokerSchema.empty.get()), WriteAheadLog(),
      path: "in memory", context)
  }

  private init(
    _ database: any DatabaseWriter, _ log: WriteAheadLog, path: String, _ context: StoreContext
  ) throws(StoreError) {
    self.database = database
    self.log = log
    self.context = context
    do {
      try database.write { try context.memory.load(in: SQLiteFileConnection($0)) }
    } catch {
      throw StoreError(error, path: path)
    }
  }

  deinit {
    // SQLite does not close a database that has compiled statements.
    context.memory.releaseStatements()
  }

  package func transact<Result>(
    _ body: (any StoreTransaction) throws -> Result
  ) throws -> Result {
    try translatingErrors {
      try database.writeWithoutTransaction { database in
        let db = SQLiteFileConnection(database)
        try context.memory.prepare(in: db)
        do {
          var result: Result?
          try database.inTransaction(.immediate) {
            result = try context.perform(on: db, body)
            return .commit
          }
          guard let result else { preconditionFailure("A transaction ended without its result.") }
          context.memory.transactionCommitted()
          return result
        } catch {
          context.memory.transactionRolledBack()
          throw error
        }
      }
    }
  }

  package var needsCheckpoint: Bool { log.isFull }

  package func checkpoint() {
    database.writeWithoutTransaction { log.copy(in: $0) }
  }

  package func emptyLog() {
    // The store may live until the program exits, which closes no connection. What a full disk keeps in the log is
    // read from there at the next start.
    database.writeWithoutTransaction { _ = try? $0.checkpoint(.truncate) }
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
    try context.translatingErrors(body) { StoreError($0, path: "of the broker") }
  }
}
