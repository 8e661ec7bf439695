// A connection to a PostgreSQL database, for the SQL that also runs on SQLite.

import CPostgreSQL
import Records
import SQLConnections

/// A connection to a PostgreSQL database, used by one thread at a time.
///
/// Statements without results are only queued. They run, in order, before the next statement whose result is read, or
/// before the commit, which throw their errors. After an error nothing runs until `rollback`.
package final class PostgreSQLConnection: SQLConnection {
  /// The number of prepared statements after which all are forgotten, because each one occupies the server's memory.
  private static let formsMaximum = 2000

  let pipeline: Pipeline
  /// The transaction, if one has begun.
  var transaction: Transaction?
  /// The number of the current or the next transaction.
  var transactionNumber = 0
  private var statements: [String: PostgreSQLStatement] = [:]
  private var nameCount = 0
  private var formsOnServer = 0

  /// Connects to the database at `address`, a URI or another connection string of libpq.
  /// - Throws: `StoreError`: `unreachable` if it may succeed later; else `unreadable`.
  package init(_ address: String, settings: ConnectionSettings = ConnectionSettings())
    throws(StoreError)
  {
    do {
      let notices = ServerNotices()
      pipeline = try Pipeline(
        owning: try Handshake.connect(to: address, settings, notices: notices), notices: notices,
        answerLimit: settings.answerLimit)
      try Self.configure(pipeline, settings)
    } catch {
      throw StoreError(ofPostgreSQL: error)
    }
  }

  private static func configure(_ pipeline: Pipeline, _ settings: ConnectionSettings) throws {
    try pipeline.send("SET client_min_messages = 'warning'")
    try pipeline.send("SET standard_conforming_strings = 'on'")
    if let limit = settings.statementLimit {
      try pipeline.send("SET statement_timeout = \(limit.milliseconds)")
    }
    // A commit that was confirmed must survive a power cut of the server, and of its synchronous standby if it has one.
    try pipeline.send(
      """
      SELECT set_config('synchronous_commit', 'on', false)
      WHERE current_setting('synchronous_commit') IN ('off', 'local', 'remote_write')
      """)
    _ = try pipeline.finish()
  }

  /// Whether the connection is gone for good. Its transaction is then over, and another connection is needed.
  package var isBroken: Bool { pipeline.isBroken }

  /// The process id of the server's end of this connection.
  package var serverProcess: Int32 { pipeline.serverProcess }

  /// Waits for notifications of other connections, on channels that this one listens to. Returns early if the file
  /// `descriptor` can be read.
  /// - Returns: Their texts.
  package func waitForNotifications(
    within limit: Duration, or descriptor: Int32
  ) throws -> [String] {
    try pipeline.notifications(within: limit, or: descriptor)
      .filter { $0.process != serverProcess }.map(\.text)
  }

  // MARK: Statements

  package func statement(_ sql: String) throws -> any SQLStatement { postgreSQLStatement(sql) }

  private func postgreSQLStatement(_ sql: String) -> PostgreSQLStatement {
    if let statement = statements[sql] { return statement }
    let statement = PostgreSQLStatement(sql, of: self)
    statements[sql] = statement
    return statement
  }

  package var isRemote: Bool { true }

  package func rowsOfEach(_ sql: String, _ arguments: [SQLArguments]) throws -> [[SQLRow]] {
    try postgreSQLStatement(sql).rowsOfEach(arguments)
  }

  package func nextKey(of table: String) throws -> Int64 {
    let sql = "SELECT nextval(pg_get_serial_sequence(?, 'key'))"
    let key: Int64?? = try first(sql, [table]) { $0[0] }
    guard case let key?? = key else {
      throw StoreError(.unexpected, "The table \(table) has no sequence of keys.")
    }
    return key
  }

  package func interrupted<Result>(
    when isOver: @escaping () -> Bool, as failure: any Error, _ body: () throws -> Result
  ) throws -> Result {
    let interruption = Interruption(isOver)
    let outer = pipeline.interruption
    pipeline.interruption = interruption
    defer { pipeline.interruption = outer }
    do {
      return try body()
    } catch let error as PostgreSQLError
      where error.isCancellation && interruption.isCancelled
    {
      throw failure
    }
  }

  /// - Throws: The error of a cancelled statement if the statements should end.
  func checkInterruption() throws {
    guard let interruption = pipeline.interruption, interruption.isDue else { return }
    interruption.isCancelled = true
    throw PostgreSQLError(state: "57014", "The statement was interrupted between two rows.")
  }

  // MARK: Running

  /// Returns a form of a statement, which gets an unused name.
  func makeForm(_ sql: String, types: [UInt32], cursor: String? = nil) -> PreparedForm {
    nameCount += 1
    formsOnServer += 1
    return PreparedForm(name: "s\(nameCount)", sql: sql, types: types, cursor: cursor)
  }

  /// Returns an unused name for a cursor.
  func makeCursorName() -> String {
    nameCount += 1
    return "c\(nameCount)"
  }

  /// Queues a statement; outside of a transaction, runs it.
  func queue(_ form: PreparedForm, _ parameters: StatementParameters) throws {
    guard transaction != nil else {
      _ = try result(of: form, parameters)
      return
    }
    try beginIfNeeded()
    try pipeline.send(form, parameters)
  }

  /// Runs what is queued and a statement. Returns its result.
  func result(of form: PreparedForm, _ parameters: StatementParameters) throws -> ServerResult {
    try running {
      try pipeline.send(form, parameters)
      return try pipeline.finish()
    }
  }

  /// Runs what is queued and a statement without parameters.
  func result(of sql: String) throws -> ServerResult {
    try running {
      try pipeline.send(sql)
      return try pipeline.finish()
    }
  }

  /// Runs what is queued, and a statement with each of several parameters. Returns the results.
  func results(of form: PreparedForm, _ parameters: [StatementParameters]) throws -> [ServerResult]
  {
    try running {
      for each in parameters { try pipeline.send(form, each, isQuestion: true) }
      return try pipeline.finishAnswering()
    }
  }

  private func running<Answer>(_ body: () throws -> Answer) throws -> Answer {
    try beginIfNeeded()
    // Outside of a transaction, an error ends with its statement.
    defer { if transaction == nil { pipeline.forgetFailure() } }
    let result = try body()
    transaction?.hasAnswered = true
    return result
  }

  /// Bounds the memory of prepared statements. Called where no statement's rows are read.
  func forgetStatementsIfMany() throws {
    guard formsOnServer > Self.formsMaximum else { return }
    try pipeline.forgetStatements()
    statements.removeAll()
    formsOnServer = 0
  }
}
