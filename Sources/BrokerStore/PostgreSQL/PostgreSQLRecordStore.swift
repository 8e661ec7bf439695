// The broker's store on PostgreSQL. One connection writes, and only one broker is connected to a database; a few
// connections read, each transaction at a snapshot. The tables and their rules are those of every SQL store.

import BrokerCore
import PostgreSQLConnections
import Records
import SQLConnections
import Synchronization

/// The broker's store in a PostgreSQL database.
package final class PostgreSQLRecordStore: SQLRecordStore {
  package let context: StoreContext
  private let writer: PostgreSQLWriter
  private let readers: PostgreSQLReaders
  /// Held during a transaction: the first one, when a broker starts, may come from another thread than the others.
  private let transacting = Mutex(())

  /// Connects to the database at `address`, and creates or migrates its tables.
  /// - Parameters:
  ///   - address: A connection string of libpq, such as `postgresql://broker@/contacts?host=/run/postgresql`.
  ///   - removedDevices: The file of removed devices.
  ///   - publicRights: The permissions of public records.
  ///   - cascades: How many records a cascade deletes in one transaction.
  ///   - limits: How long it waits.
  ///   - report: Receives each damaged record state once, on the thread that read it.
  ///   - end: Ends the process with the sentence of an error, because what it has in memory may differ from the
  ///     database: the outcome of a commit could not be found out, or another broker has written.
  /// - Throws: `StoreError`: `unreachable` if no server answers; `inUse` if another broker is connected to the
  ///   database; else if the database is of another program or a newer version, or refuses this user.
  package init(
    address: String, removedDevices: RemovedDevices? = nil,
    publicRights: PublicRights = PublicRights(), cascades: CascadeBounds = CascadeBounds(),
    limits: PostgreSQLLimits = PostgreSQLLimits(),
    report: @escaping @Sendable (DamagedState) -> Void = { _ in },
    end: @escaping @Sendable (StoreError) -> Never = { preconditionFailure($0.message) }
  ) throws(StoreError) {
    context = StoreContext(
      publicRights: publicRights, cascades: cascades, removedDevices: removedDevices,
      report: report)
    let doubt = CommitDoubt()
    readers = PostgreSQLReaders(address: address, limits: limits, doubt: doubt)
    do {
      writer = try PostgreSQLWriter(address: address, limits: limits, doubt: doubt, end: end)
      try context.applyListedRemovals(to: self)
    } catch {
      throw StoreError(ofPostgreSQL: error)
    }
  }

  package func transact<Result>(
    _ body: (any StoreTransaction) throws -> Result
  ) throws -> Result {
    var result: Result?
    try transacting.withLock { _ in
      result = try translatingErrors { try transactAlone(body) }
    }
    guard let result else { preconditionFailure("A transaction ended without its result.") }
    return result
  }

  private func transactAlone<Result>(
    _ body: (any StoreTransaction) throws -> Result
  ) throws -> Result {
    do {
      let result = try writer.transact { db, isFirst in
        if isFirst { context.memory.forgetConnection() }
        try context.memory.prepare(in: db)
        return try context.perform(on: db, body)
      }
      context.memory.transactionCommitted()
      return result
    } catch {
      context.memory.transactionRolledBack()
      throw error
    }
  }

  /// The server writes its log into the tables itself.
  package var needsCheckpoint: Bool { false }

  package func checkpoint() {}

  package func reading<Result>(_ body: (any SQLConnection) throws -> Result) throws -> Result {
    try translatingErrors { try readers.read(body) }
  }

  private func translatingErrors<Result>(_ body: () throws -> Result) throws -> Result {
    try context.translatingErrors(body) { StoreError(ofPostgreSQL: $0) }
  }
}
