/// The columns of a row, counted from 0. NULL and values of other types are read as `SQLValue` describes.
package protocol SQLColumns {
  /// Whether the column is NULL.
  func isNull(_ column: Int32) -> Bool
  /// The column as an integer.
  func number(_ column: Int32) -> Int64
  /// The column as text.
  func text(_ column: Int32) -> String
  /// The column as bytes.
  func bytes(_ column: Int32) -> [UInt8]
}

/// A compiled statement of one connection. Parameters are counted from 1, columns from 0, as in SQLite. Its columns are
/// those of the current row.
package protocol SQLStatement: AnyObject, SQLColumns {
  // MARK: Parameters

  func bind(_ index: Int32, _ value: Int64)
  func bind(_ index: Int32, _ text: String)
  func bind(_ index: Int32, _ bytes: [UInt8])
  func bindNull(_ index: Int32)

  // MARK: Running

  /// Runs a statement that returns no rows. A database on another machine may run it later, but before anything
  /// that is asked for afterwards; an error is then thrown there, or by the commit.
  func execute() throws

  /// Runs a statement that returns no rows. Returns the number of rows that it inserted, updated or deleted.
  func executeCountingChanges() throws -> Int

  /// Runs the statement, or advances to its next row. Returns `false` after the last row.
  func step() throws -> Bool

  /// Makes the next `step` fetch few rows at a time. For queries of which most rows may not be needed; `reset` makes
  /// it fetch all again.
  func fetchInSteps()

  /// Ends the reading of rows. The parameters remain.
  func reset()

  // MARK: Columns of the current row

  /// The column's value. A number or a text that is asked for as another type is converted as SQLite does it, so that
  /// a damaged row can be read.
  func value(_ column: Int32) -> SQLValue

  /// The number of columns.
  var columnCount: Int32 { get }
}

extension SQLStatement {
  /// Binds the parameters with `bind`, runs the statement, and returns what `read` returns for the first row; `nil`
  /// if there is no row. The row is valid only during `read`.
  package func first<Value>(
    bind: (any SQLStatement) -> Void, read: (any SQLStatement) throws -> Value
  ) throws -> Value? {
    bind(self)
    defer { reset() }
    return try step() ? try read(self) : nil
  }

  /// Runs the statement and calls `body` for each row until it returns `false`.
  package func forEach(
    _ arguments: SQLArguments, _ body: (any SQLStatement) throws -> Bool
  ) throws {
    arguments.bind(to: self)
    defer { reset() }
    while try step() {
      guard try body(self) else { return }
    }
  }

  /// As `forEach`, for queries of which most rows may not be needed.
  package func scan(
    _ arguments: SQLArguments, _ body: (any SQLStatement) throws -> Bool
  ) throws {
    fetchInSteps()
    try forEach(arguments, body)
  }

  /// Binds the parameters with `bind` and runs a statement that returns no rows.
  package func run(bind: (any SQLStatement) -> Void) throws {
    bind(self)
    try execute()
  }
}
