// The part of an SQL database that stores use, so that the same SQL runs on SQLite and on PostgreSQL. The SQL is
// what both understand; `docs/decisions/0046-one-sql-for-two-databases.md` lists the few rules.

import Records

/// A connection to a database, inside a transaction. It is used by one thread at a time.
package protocol SQLConnection {
  /// Returns the statement for `sql`, compiled at most once. It must not be run again while its rows are read.
  ///
  /// Parameters are `?` in order, or `?1`, `?2` and so on.
  func statement(_ sql: String) throws -> any SQLStatement

  /// Whether the database is another process, so that each answer is a wait. What is needed can then be read ahead.
  var isRemote: Bool { get }

  /// Runs a query with each of several arguments, and waits for the database only once. Returns the rows of each.
  func rowsOfEach(_ sql: String, _ arguments: [SQLArguments]) throws -> [[SQLRow]]

  /// Returns an unused key for a row of `table`. Keys rise and are never given out again, unless the transaction
  /// that used one is rolled back.
  func nextKey(of table: String) throws -> Int64

  /// Runs `body`, and interrupts its statements once `isOver` returns `true`.
  /// - Throws: `failure` if a statement was interrupted; else what `body` throws.
  func interrupted<Result>(
    when isOver: @escaping () -> Bool, as failure: any Error, _ body: () throws -> Result
  ) throws -> Result
}

extension SQLConnection {
  /// Returns the first row of a query, decoded; `nil` if there is none.
  package func first<Value>(
    _ sql: String, _ arguments: SQLArguments = [], decode: (SQLRow) throws -> Value
  ) throws -> Value? {
    let statement = try self.statement(sql)
    arguments.bind(to: statement)
    defer { statement.reset() }
    return try statement.step() ? try decode(SQLRow(of: statement)) : nil
  }

  /// Returns the first column of the first row of a query; `nil` if there is no row.
  package func value<Value: SQLReadable>(
    _ sql: String, _ arguments: SQLArguments = []
  ) throws -> Value? {
    try first(sql, arguments) { $0[0] }
  }

  /// Returns all rows of a query.
  package func rows(_ sql: String, _ arguments: SQLArguments = []) throws -> [SQLRow] {
    let statement = try self.statement(sql)
    arguments.bind(to: statement)
    defer { statement.reset() }
    var rows: [SQLRow] = []
    while try statement.step() { rows.append(SQLRow(of: statement)) }
    return rows
  }

  /// Returns the first column of all rows of a query.
  package func column<Value: SQLReadable>(
    _ sql: String, _ arguments: SQLArguments = []
  ) throws -> [Value] {
    try rows(sql, arguments).map { $0[0] }
  }

  /// Runs a statement that returns no rows.
  package func run(_ sql: String, _ arguments: SQLArguments = []) throws {
    let statement = try self.statement(sql)
    arguments.bind(to: statement)
    try statement.execute()
  }

  /// Runs an INSERT of one row. Returns the key that the database gave it, the column `key`.
  package func insert(_ sql: String, _ arguments: SQLArguments) throws -> Int64 {
    guard let key: Int64 = try value("\(sql) RETURNING key", arguments) else {
      throw StoreError(.unexpected, "An inserted row has no key.")
    }
    return key
  }

  /// Runs a statement that returns no rows. Returns the number of rows that it inserted, updated or deleted.
  package func countChanges(_ sql: String, _ arguments: SQLArguments = []) throws -> Int {
    let statement = try self.statement(sql)
    arguments.bind(to: statement)
    return try statement.executeCountingChanges()
  }
}
