// The broker's store on PostgreSQL. One connection writes, in turns with other brokers on the database; a few connections
// read, each transaction at a snapshot. The tables and their rules are those of every SQL store.

import BrokerCore
import BrokerStore
import PostgreSQLConnections
import Records
import SQLConnections
import Synchronization

/// The broker's store in a PostgreSQL database.
package final class PostgreSQLRecordStore: SQLRecordStore {
  package let context: StoreContext
  /// Says when other brokers have committed.
  private let signals: PostgreSQLWakeups
  private let writer: PostgreSQLWriter
  private let readers: PostgreSQLReaders
  private let foreign = ForeignChanges()
  private let usesServerClock: Bool
  /// Held during a transaction: the first one, when a broker starts, may come from another thread than the others.
  private let transacting = Mutex(())

  /// Connects to the database at `address`, and creates or migrates its tables.
  /// - Parameters:
  ///   - address: A connection string of libpq, such as `postgresql://broker@/contacts?host=/run/postgresql`.
  ///   - removedDevices: The file of removed devices.
  ///   - publicRights: The permissions of public records.
  ///   - cascades: How many records a cascade deletes in one transaction.
  ///   - usesServerClock: Whether transactions happen at the time of the server, because brokers on other machines have
  ///     clocks of their own.
  ///   - limits: How long it waits.
  ///   - report: Receives each damaged record state once, on the thread that read it.
  ///   - end: Ends the process with the sentence of an error, because what it has in memory may differ from the
  ///     database: the outcome of a commit could not be found out, or the database has another history.
  /// - Throws: `StoreError`: `unreachable` if no server answers; `inUse` if a program needs the database for itself;
  ///   else if the database is of another program or version, or refuses this user.
  package init(
    address: String, removedDevices: RemovedDevices? = nil,
    publicRights: PublicRights = PublicRights(), cascades: CascadeBounds = CascadeBounds(),
    usesServerClock: Bool = false, limits: PostgreSQLLimits = PostgreSQLLimits(),
    report: @escaping @Sendable (DamagedState) -> Void = { _ in },
    end: @escaping @Sendable (StoreError) -> Never = { preconditionFailure($0.message) }
  ) throws(StoreError) {
    context = StoreContext(
      publicRights: publicRights, cascades: cascades, removedDevices: removedDevices,
      leases: PostgreSQLJobLeases(), report: report)
    self.usesServerClock = usesServerClock
    let doubt = CommitDoubt()
    readers = PostgreSQLReaders(address: address, limits: limits, doubt: doubt)
    signals = PostgreSQLWakeups(address: address, limits: limits)
    do {
      writer = try PostgreSQLWriter(address: address, limits: limits, doubt: doubt, end: end)
      try context.applyListedRemovals(to: self)
    } catch {
      throw StoreError(ofPostgreSQL: error)
    }
  }

  // MARK: Writing

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
      let (result, notice, hasWritten) = try writer.transact { beginning in
        signals.know(through: beginning.last)
        let notice = try learn(beginning.foreign, from: beginning.db)
        if beginning.isFirst { context.memory.forgetConnection() }
        try context.memory.prepare(in: beginning.db)
        let result = try context.perform(
          on: beginning.db, at: usesServerClock ? beginning.time : nil, body)
        let done = (result, notice, beginning.db.hasWritten)
        return (done, context.memory.logEntry)
      }
      context.memory.transactionCommitted()
      foreign.add(notice)
      signals.know(through: writer.lastKnown)
      if hasWritten { signals.wakeOthers(to: writer.lastKnown) }
      return result
    } catch {
      signals.know(through: writer.lastKnown)
      context.memory.transactionRolledBack()
      throw error
    }
  }

  /// The server writes its log into the tables itself.
  package var needsCheckpoint: Bool { false }

  package func checkpoint() {}
  package func emptyLog() {}

  // MARK: Other brokers

  package var wakeups: (any CommitWakeups)? { signals }

  package func takeForeignCommits() -> CommitNotice? { foreign.take() }

  package func watch(_ zones: [StoreKey: Bool]) { foreign.watch(zones) }

  package func follow() throws {
    try transacting.withLock { _ in
      try translatingErrors {
        var notice: CommitNotice?
        try writer.follow { db, entries in notice = try learn(entries, from: db) }
        signals.know(through: writer.lastKnown)
        foreign.add(notice)
      }
    }
  }

  /// Forgets what entries made invalid, and returns what they tell connections. If the transaction fails, the next one
  /// learns the same.
  private func learn(
    _ entries: [CommitLogEntry], from db: PostgreSQLConnection
  ) throws -> CommitNotice? {
    for entry in entries { context.memory.forget(after: entry) }
    try context.noteRemovedDevices(Set(entries.flatMap(\.removedDevices)))
    let records = RecordTable(db: db, origins: origins, damages: damages)
    return try foreign.notice(of: entries, records)
  }

  // MARK: Reading

  package func reading<Result>(_ body: (any SQLConnection) throws -> Result) throws -> Result {
    try translatingErrors { try readers.read(body) }
  }

  private func translatingErrors<Result>(_ body: () throws -> Result) throws -> Result {
    try context.translatingErrors(body) { StoreError(ofPostgreSQL: $0) }
  }
}
