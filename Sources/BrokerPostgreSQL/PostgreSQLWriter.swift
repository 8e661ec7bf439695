// The writing connection to a PostgreSQL database. It is opened again after it was lost. If it was lost while the server
// committed, the next connection finds out whether the transaction is committed, before anything else happens: its
// results are then those of a committed transaction, or it is run again like one that failed.
//
// Brokers take turns (PostgreSQLCommitLog): a transaction begins with what others have committed since the last one.

import BrokerStore
import Glibc
import PostgreSQLConnections
import Records
import SQLConnections

/// The connection on which a broker writes.
///
/// NB: `@unchecked`, because it is used only on the storage thread, which the compiler cannot see.
final class PostgreSQLWriter: @unchecked Sendable {
  /// A transaction whose turn has come.
  struct Beginning {
    let db: PostgreSQLConnection
    /// Whether it is the first transaction on its connection.
    let isFirst: Bool
    /// The server's time.
    let time: Timestamp
    /// What other brokers have committed since this broker's last transaction, in order.
    let foreign: [CommitLogEntry]
    /// The number of the last commit before it.
    let last: Int64
  }

  private let address: String
  private let limits: PostgreSQLLimits
  private let doubt: CommitDoubt
  private let isAlone: Bool
  private let end: @Sendable (StoreError) -> Never
  private let recentFailure: RecentFailure
  /// The name of this broker's writing connections in the server's views.
  private let name = "contacts-broker " + String(UInt32.random(in: 0 ... .max), radix: 16)
  private var connection: PostgreSQLConnection?
  /// What this broker knows of the order of commits.
  private var known = Known()
  /// Whether no transaction has run on the present connection.
  private var isFresh = true

  private struct Known {
    /// The last commit of which this broker knows everything; `nil` before the first connection.
    var last: CommitPosition?
    /// The position of this broker's transaction with an unknown outcome.
    var unknown: CommitPosition?
    /// The highest timeline of the servers that it was connected to. A standby that takes over begins a new one.
    var timeline = 0
  }

  /// Connects to the database and creates or migrates its tables.
  /// - Parameters:
  ///   - doubt: Told which commits are durable.
  ///   - isAlone: Whether no broker may be connected, now or later.
  ///   - end: Ends the process, if what it has in memory may differ from the database.
  /// - Throws: `StoreError`; `inUse` if another program needs the database for itself.
  init(
    address: String, limits: PostgreSQLLimits, doubt: CommitDoubt, isAlone: Bool = false,
    end: @escaping @Sendable (StoreError) -> Never
  ) throws {
    self.address = address
    self.limits = limits
    self.doubt = doubt
    self.isAlone = isAlone
    self.end = end
    recentFailure = RecentFailure(pause: limits.pauseAfterFailure)
    _ = try open()
  }

  /// The number of the last commit of which this broker knows everything.
  var lastKnown: Int64 { known.last?.number ?? 0 }

  // MARK: Transactions

  /// Runs `body` in a transaction. After a return, its changes survive a power cut of the server, and of its
  /// synchronous standby, and so does all that it has seen.
  /// - Parameter body: Returns a result, and what other brokers must know of the changes.
  func transact<Result>(
    _ body: (Beginning) throws -> (Result, CommitLogEntry)
  ) throws -> Result {
    try onConnection { connection in
      connection.begin(isReadOnly: false)
      let log = PostgreSQLCommitLog(connection: connection)
      let turn = try log.takeTurn()
      let foreign = try read(through: turn, log)
      let (result, entry) = try body(
        Beginning(
          db: connection, isFirst: isFresh, time: turn.time, foreign: foreign,
          last: turn.last.number))
      isFresh = false
      if connection.hasWritten {
        try commit(entry.bytes, after: turn.last, log)
      } else {
        try endReading(turn, log)
      }
      return result
    }
  }

  /// Calls `body` with what other brokers have committed since the last transaction, in one snapshot. Others may write
  /// meanwhile.
  func follow(_ body: (_ db: PostgreSQLConnection, _ foreign: [CommitLogEntry]) throws -> Void)
    throws
  {
    try onConnection { connection in
      connection.begin(isReadOnly: true)
      let log = PostgreSQLCommitLog(connection: connection)
      let turn = try log.last()
      try body(connection, try read(through: turn, log))
      try endReading(turn, log)
    }
  }

  private func onConnection<Result>(_ body: (PostgreSQLConnection) throws -> Result) throws
    -> Result
  {
    let connection = try self.connection ?? reopen()
    do {
      return try body(connection)
    } catch {
      connection.rollback()
      drop(connection, because: error)
      throw error
    }
  }

  /// Closes a connection that cannot be used any more. By now `self.connection` may be a later one.
  private func drop(_ former: PostgreSQLConnection, because error: (any Error)? = nil) {
    guard former === connection, former.isBroken || (error?.needsNewConnection ?? false) else {
      return
    }
    connection = nil
  }

  // MARK: Other brokers' commits

  /// Reads what was committed after the last known commit. Ends the process if that is not of the same history.
  private func read(
    through turn: PostgreSQLCommitLog.Turn, _ log: PostgreSQLCommitLog
  ) throws -> [CommitLogEntry] {
    guard turn.oldestVersion <= PostgreSQLSchema.version else { end(PostgreSQLSchema.otherVersion) }
    doubt.readsNeedConfirmation = turn.hasStandby
    var entries: [CommitLogEntry] = []
    var reached = known.last ?? turn.last
    guard turn.last.number - reached.number <= limits.unreadCommitsMaximum else {
      end(Self.changed)
    }
    while reached.number < turn.last.number {
      let rows = try log.rows(after: reached)
      guard !rows.isEmpty else { end(Self.changed) }
      for row in rows {
        guard row.position.number == reached.number + 1, row.previousMark == reached.mark else {
          end(Self.changed)
        }
        reached = row.position
        entries.append(CommitLogEntry(bytes: row.notice))
      }
    }
    guard reached == turn.last else { end(Self.changed) }
    return entries
  }

  // MARK: Commits

  private func commit(
    _ notice: [UInt8], after last: CommitPosition, _ log: PostgreSQLCommitLog
  ) throws {
    let position = last.next()
    try log.append(position, after: last, notice: notice)
    do {
      try log.connection.commit()
      confirmed(position)
    } catch let unknown as CommitUnknown {
      known.unknown = position
      drop(log.connection)
      doubt.whileOpen { settle(unknown) }
      guard known.last == position else { throw unknown.reason }
    }
  }

  /// Ends a transaction that has written nothing. What it has seen may not be durable yet on the standby.
  private func endReading(_ turn: PostgreSQLCommitLog.Turn, _ log: PostgreSQLCommitLog) throws {
    do {
      try log.connection.commit()
    } catch is CommitUnknown {
      // Nothing depends on the outcome.
      return drop(log.connection)
    }
    if turn.hasStandby, !doubt.isDurable(turn.last.number) {
      do {
        try log.confirmSeen()
      } catch let unknown as CommitUnknown {
        drop(log.connection)
        throw unknown.reason
      }
    }
    confirmed(turn.last)
  }

  private func confirmed(_ position: CommitPosition) {
    known.last = position
    known.unknown = nil
    doubt.confirmed(through: position.number)
  }

  /// Waits for a server that confirms the last committed transaction. Ends the process if none does for a long time.
  private func settle(_ unknown: CommitUnknown) {
    let deadline = ContinuousClock.now + limits.outcome
    var reason = "\(unknown.reason)"
    while .now < deadline {
      do {
        if let connection { try confirm(connection) } else { _ = try open() }
        return
      } catch {
        reason = "\(StoreError(ofPostgreSQL: error))"
        if let connection { drop(connection, because: error) }
        sleep()
      }
    }
    end(
      StoreError(
        .unreachable,
        """
        No server has told for \(limits.outcome) whether the last transaction was committed, so the broker \
        stops. It finds out when it starts again. The last failure: \(reason)
        """))
  }

  /// Makes sure that all that this connection can see is durable, and finds out about a transaction in doubt.
  private func confirm(_ connection: PostgreSQLConnection) throws {
    let log = PostgreSQLCommitLog(connection: connection)
    let last = try log.confirmLast()
    doubt.confirmed(through: last.number)
    if let unknown = known.unknown {
      if try unknown == last || log.has(unknown) { known.last = unknown }
      known.unknown = nil
    }
    let position = known.last ?? last
    // A higher number is checked when the commits in between are read.
    guard position.number < last.number || position == last else { end(Self.changed) }
    known.last = position
  }

  private static let changed = StoreError(
    .unreachable,
    """
    The database is not in the state that this broker knows, or in one that follows it: an older state was \
    restored, or the broker was away for too long. So the broker stops. It continues with the new state when it \
    starts again.
    """)

  // MARK: Connecting

  /// Opens a connection, unless that failed a moment ago.
  private func reopen() throws(StoreError) -> PostgreSQLConnection {
    try recentFailure.attempt { () throws(StoreError) in
      do {
        return try open()
      } catch {
        let error = StoreError(ofPostgreSQL: error)
        // A request must not be refused for good because of what an administrator can correct, such as a password.
        throw error.kind.isTemporary ? error : StoreError(.unreachable, error.message)
      }
    }
  }

  private func open() throws -> PostgreSQLConnection {
    let opened = try PostgreSQLConnection(address, settings: limits.connection)
    try PostgreSQLSchema.use(on: opened)
    try checkTimeline(of: opened)
    try claim(opened)
    try PostgreSQLSchema.prepare(opened)
    try opened.run(
      "SET idle_in_transaction_session_timeout = \(limits.turnSeconds * 1000)")
    try confirm(opened)
    recentFailure.forget()
    connection = opened
    isFresh = true
    return opened
  }

  /// Refuses a former primary that was started again after a standby took over.
  private func checkTimeline(of connection: PostgreSQLConnection) throws {
    let sql = """
      SELECT CASE WHEN NOT pg_is_in_recovery() THEN pg_walfile_name(pg_current_wal_lsn()) END
      """
    let file: String?? = try connection.first(sql) { $0[0] }
    // A standby refuses to write, with a better sentence.
    guard case let file?? = file, let timeline = Int(file.prefix(8), radix: 16) else { return }
    guard timeline >= known.timeline else {
      throw StoreError(
        .unreachable, "The server is a former primary: another server has taken over from it.")
    }
    known.timeline = timeline
  }

  /// Takes part in the database with other brokers, or keeps them away. The lock ends with the connection.
  private func claim(_ connection: PostgreSQLConnection) throws {
    try connection.run("SELECT set_config('application_name', ?, false)", [name])
    let start = ContinuousClock.now
    while true {
      let isOwn: Bool? = try connection.value(
        "SELECT pg_try_advisory_lock\(isAlone ? "" : "_shared")(?)",
        [PostgreSQLSchema.LockNumber.broker])
      if isOwn == true { return }
      let limit = try endFormer(connection) > 0 ? limits.takeover : limits.otherBroker
      guard .now < start + limit else {
        throw StoreError(
          .inUse,
          isAlone
            ? "A broker is connected to the database; stop all brokers first."
            : "Another program needs the database for itself.")
      }
      sleep()
    }
  }

  /// Ends the connections that this broker has lost. The server may not know yet that they are gone. Returns their
  /// number.
  private func endFormer(_ connection: PostgreSQLConnection) throws -> Int {
    try connection.value(
      """
      SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity
      WHERE application_name = ? AND datname = current_database() AND pid <> pg_backend_pid()
      """, [name]) ?? 0
  }

  private func sleep() {
    let (seconds, attoseconds) = limits.attemptInterval.components
    var time = timespec(tv_sec: Int(seconds), tv_nsec: Int(attoseconds / 1_000_000_000))
    nanosleep(&time, nil)
  }
}

extension Error {
  /// Whether the server can serve another connection better: this one's prepared statements are unknown or do not fit
  /// the tables any more, or the server has become a read-only standby.
  var needsNewConnection: Bool {
    ["0A000", "26000", "25006"].contains((self as? PostgreSQLError)?.state)
  }
}
