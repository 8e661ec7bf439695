import GRDB

extension Database {
  /// Returns the first row of a query, decoded; `nil` if there is none. The compiled statement is cached.
  package func first<Value>(
    _ sql: String, _ arguments: StatementArguments, decode: (Row) throws -> Value
  ) throws -> Value? {
    let statement = try cachedStatement(sql: sql)
    statement.setUncheckedArguments(arguments)
    let rows = try Row.fetchCursor(statement)
    // NB: a cursor's row is a view of the statement, which is reset when the cursor is released. Without
    // this the optimizer may release it before the row is read, and then every column is NULL.
    return try withExtendedLifetime(rows) { try rows.next().map(decode) }
  }

  /// Runs a statement that returns no rows. The compiled statement is cached.
  package func run(
    _ sql: String, _ arguments: StatementArguments = StatementArguments()
  ) throws {
    let statement = try cachedStatement(sql: sql)
    statement.setUncheckedArguments(arguments)
    try statement.execute()
  }
}
