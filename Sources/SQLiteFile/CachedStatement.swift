// The two things the hot loops do with SQL, on statements that are compiled once.

import GRDB

extension Database {
  /// The first row of a query, decoded; `nil` if there is none. The statement is kept.
  package func first<Value>(
    _ sql: String, _ arguments: StatementArguments, decode: (Row) throws -> Value
  ) throws -> Value? {
    let statement = try cachedStatement(sql: sql)
    statement.setUncheckedArguments(arguments)
    let rows = try Row.fetchCursor(statement)
    // NB: a cursor's row is a view of the statement, which is reset when the cursor goes; without
    // this the optimiser may let it go before the row is read, and every column is NULL.
    return try withExtendedLifetime(rows) { try rows.next().map(decode) }
  }

  /// Runs a statement that returns nothing. The statement is kept.
  package func run(
    _ sql: String, _ arguments: StatementArguments = StatementArguments()
  ) throws {
    let statement = try cachedStatement(sql: sql)
    statement.setUncheckedArguments(arguments)
    try statement.execute()
  }
}
