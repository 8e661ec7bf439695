// The writing connection to a PostgreSQL database. It is opened again after it was lost. If it was lost while the server
// committed, the next connection finds out whether the transaction is committed, before anything else happens: its
// results are then those of a committed transaction, or it is run again like one that failed.

import Glibc
import PostgreSQLConnections
import Records
import SQLConnections

/// The connection on which one broker writes.
///
/// NB: `@unchecked`, because it is used only on the storage thread, which the compiler cannot see.
final class PostgreSQLWriter: @unchecked Sendable {
  /// The marks that the table of marks may have: that of the last transaction that the server confirmed, and that of
  /// one with an unknown outcome.
  private struct Marks {
    /// `nil` before the first connection.
    var confirmed: Int64?
    var unknown: Int64?

    /// Whether a broker that knows these marks can continue after the transaction with this one.
    func allow(_ mark: Int64) -> Bool {
      confirmed == nil || mark == confirmed || mark == unknown
    }
  }

  private let address: String
  private let limits: PostgreSQLLimits
  private let doubt: CommitDoubt
  private let end: @Sendable (StoreError) -> Never
  private let recentFailure: RecentFailure
  /// The name of this broker's writing connections in the server's views.
  private let name = "contacts-broker " + String(UInt32.random(in: 0 ... .max), radix: 16)
  private var connection: PostgreSQLConnection?
  private var marks = Marks()
  /// Whether no transaction has run on the present connection.
  private var isFresh = true

  /// Connects to the database and creates or migrates its tables.
  /// - Parameters:
  ///   - doubt: Told while the outcome of a commit is unknown.
  ///   - end: Ends the process, if what it has in memory may differ from the database.
  /// - Throws: `StoreError`; `inUse` if another broker is connected to the database.
  init(
    address: String, limits: PostgreSQLLimits, doubt: CommitDoubt,
    end: @escaping @Sendable (StoreError) -> Never
  ) throws {
    self.address = address
    self.limits = limits
    self.doubt = doubt
    self.end = end
    recentFailure = RecentFailure(pause: limits.pauseAfterFailure)
    _ = try open()
  }

  /// Runs `body` in a transaction. After a return, its changes survive a power cut of the server, and of its
  /// synchronous standby.
  /// - Parameter body: Gets the connection, and whether its transaction is the first on it.
  func transact<Result>(
    _ body: (_ db: PostgreSQLConnection, _ isFirst: Bool) throws -> Result
  ) throws -> Result {
    let connection = try self.connection ?? reopen()
    connection.begin(isReadOnly: false)
    do {
      let result = try body(connection, isFresh)
      isFresh = false
      try commit(connection)
      return result
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

  // MARK: Commits

  private func commit(_ connection: PostgreSQLConnection) throws {
    guard connection.hasWritten else {
      do {
        try connection.commit()
      } catch is CommitUnknown {
        // Nothing depends on the outcome.
        drop(connection)
      }
      return
    }
    let mark = try PostgreSQLCommitMarks(connection: connection).writeNew()
    do {
      try connection.commit()
      marks.confirmed = mark
    } catch let unknown as CommitUnknown {
      marks.unknown = mark
      drop(connection)
      doubt.whileOpen { settle(unknown) }
      guard marks.confirmed == mark else { throw unknown.reason }
    }
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

  /// Makes sure that all that this connection can see is durable, and that nobody else has written meanwhile.
  private func confirm(_ connection: PostgreSQLConnection) throws {
    let mark = try PostgreSQLCommitMarks(connection: connection).confirmLast()
    guard marks.allow(mark) else {
      end(
        StoreError(
          .unreachable,
          """
          The database was changed while the broker was not connected to it, by another broker or by a restore, \
          so the broker stops. It continues with the new state when it starts again.
          """))
    }
    marks = Marks(confirmed: mark)
  }

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
    try claim(opened)
    try PostgreSQLSchema.prepare(opened)
    try confirm(opened)
    recentFailure.forget()
    connection = opened
    isFresh = true
    return opened
  }

  /// Makes this the only broker that is connected to the database. The lock ends with the connection.
  private func claim(_ connection: PostgreSQLConnection) throws {
    try connection.run("SELECT set_config('application_name', ?, false)", [name])
    let start = ContinuousClock.now
    while true {
      let isOwn: Bool? = try connection.value(
        "SELECT pg_try_advisory_lock(?)", [PostgreSQLSchema.LockNumber.broker])
      if isOwn == true { return }
      let limit = try endFormer(connection) > 0 ? limits.takeover : limits.otherBroker
      guard .now < start + limit else {
        throw StoreError(.inUse, "Another broker is connected to the database.")
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
