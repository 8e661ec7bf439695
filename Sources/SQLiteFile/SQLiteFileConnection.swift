import GRDB
import GRDBSQLite
import SQLConnections

/// A connection to an SQLite database, for SQL that also runs elsewhere.
package struct SQLiteFileConnection: SQLConnection {
  private let database: Database

  package init(_ database: Database) {
    self.database = database
  }

  package func statement(_ sql: String) throws -> any SQLStatement {
    try HotStatement(borrowing: sql, from: database)
  }

  package var isRemote: Bool { false }

  package func rowsOfEach(_ sql: String, _ arguments: [SQLArguments]) throws -> [[SQLRow]] {
    try arguments.map { try rows(sql, $0) }
  }

  /// The key after the last one of `table`, which must have been created with AUTOINCREMENT.
  package func nextKey(of table: String) throws -> Int64 {
    let last: Int64? = try value("SELECT seq FROM sqlite_sequence WHERE name = ?", [table])
    return (last ?? 0) + 1
  }

  package func interrupted<Result>(
    when isOver: @escaping () -> Bool, as failure: any Error, _ body: () throws -> Result
  ) throws -> Result {
    try database.interrupted(when: isOver, as: failure, body)
  }
}

extension HotStatement: SQLStatement {
  package func execute() throws {
    defer { reset() }
    while try step() {}
  }

  package func executeCountingChanges() throws -> Int {
    try execute()
    return changeCount
  }

  /// Nothing to do: SQLite computes each row when it is asked for it.
  package func fetchInSteps() {}

  package func value(_ column: Int32) -> SQLValue {
    switch type(of: column) {
    case SQLITE_NULL: .null
    case SQLITE_INTEGER, SQLITE_FLOAT: .integer(number(column))
    case SQLITE_TEXT: .text(text(column))
    default: .bytes(bytes(column))
    }
  }
}
