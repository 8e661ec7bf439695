// A statement for the innermost loops of a writer. It uses SQLite's C interface on GRDB's connection.
// Through GRDB, creating a row for each look-up and an array for each write took two thirds of the time of
// a save. It is used only where that was measured (docs/benchmarks.md, P3).

import GRDB
import GRDBSQLite

/// A compiled statement, for use on one connection only.
package final class HotStatement {
  private let statement: Statement
  private let handle: OpaquePointer

  /// Compiles `sql` on the writing connection.
  package init(_ sql: String, in db: Database) throws {
    statement = try db.makeStatement(sql: sql)
    handle = statement.sqliteStatement
  }

  /// Takes the statement for `sql` from the connection's cache of compiled statements. Release it before
  /// the connection is closed, and do not run the same SQL in another way until then.
  package init(borrowing sql: String, from db: Database) throws {
    statement = try db.cachedStatement(sql: sql)
    handle = statement.sqliteStatement
  }

  /// Binds the parameters with `bind`, runs the statement, and returns what `read` returns for the first
  /// row; `nil` if there is no row. The row is valid only during `read`.
  package func first<Value>(
    bind: (HotStatement) -> Void, read: (HotStatement) throws -> Value
  ) throws -> Value? {
    bind(self)
    defer { reset() }
    return try step() ? try read(self) : nil
  }

  /// Runs the statement and calls `body` for each row until it returns `false`.
  package func forEach(
    _ arguments: StatementArguments, _ body: (HotStatement) throws -> Bool
  ) throws {
    statement.setUncheckedArguments(arguments)
    defer { reset() }
    while try step() {
      guard try body(self) else { return }
    }
  }

  /// Ends the reading of rows.
  package func reset() {
    sqlite3_reset(handle)
  }

  /// Advances to the next row; returns `false` after the last one.
  package func step() throws -> Bool {
    switch sqlite3_step(handle) {
    case SQLITE_ROW: return true
    case SQLITE_DONE: return false
    case let code:
      throw DatabaseError(
        resultCode: ResultCode(rawValue: code),
        message: String(cString: sqlite3_errmsg(sqlite3_db_handle(handle))))
    }
  }

  /// Runs a statement that returns no rows.
  package func run(bind: (HotStatement) -> Void) throws {
    _ = try first(bind: bind) { _ in }
  }

  /// The number of rows that the last statement of the connection inserted, updated or deleted.
  package var changeCount: Int { Int(sqlite3_changes(sqlite3_db_handle(handle))) }

  // MARK: Parameters, counted from 1

  /// Binds an integer to the parameter at `index`.
  package func bind(_ index: Int32, _ value: Int64) {
    sqlite3_bind_int64(handle, index, value)
  }

  /// Binds a copy of `text`.
  package func bind(_ index: Int32, _ text: String) {
    var text = text
    text.withUTF8 { bytes in
      bytes.withMemoryRebound(to: CChar.self) {
        _ = sqlite3_bind_text(handle, index, $0.baseAddress, Int32($0.count), Self.copied)
      }
    }
  }

  /// Binds a copy of `bytes`.
  package func bind(_ index: Int32, _ bytes: [UInt8]) {
    bytes.withUnsafeBytes { buffer in
      guard let start = buffer.baseAddress, !buffer.isEmpty else {
        sqlite3_bind_zeroblob(handle, index, 0)
        return
      }
      sqlite3_bind_blob(handle, index, start, Int32(buffer.count), Self.copied)
    }
  }

  /// Binds an integer; `nil` is NULL.
  package func bind(_ index: Int32, optional value: Int64?) {
    if let value { bind(index, value) } else { bindNull(index) }
  }

  /// Binds a copy of `text`; `nil` is NULL.
  package func bind(_ index: Int32, optional text: String?) {
    if let text { bind(index, text) } else { bindNull(index) }
  }

  /// Binds a copy of `bytes`; `nil` is NULL.
  package func bind(_ index: Int32, optional bytes: [UInt8]?) {
    if let bytes { bind(index, bytes) } else { bindNull(index) }
  }

  /// Binds NULL.
  package func bindNull(_ index: Int32) {
    sqlite3_bind_null(handle, index)
  }

  // SQLITE_TRANSIENT, which makes SQLite copy the value: a destructor of −1.
  private static let copied = unsafeBitCast(-1, to: sqlite3_destructor_type.self)

  // MARK: Columns of the current row, counted from 0

  package var columnCount: Int32 { sqlite3_column_count(handle) }

  /// SQLite's code for the type of the column's value.
  func type(of column: Int32) -> Int32 { sqlite3_column_type(handle, column) }

  /// Whether the column is NULL.
  package func isNull(_ column: Int32) -> Bool { type(of: column) == SQLITE_NULL }

  /// The column as an integer.
  package func number(_ column: Int32) -> Int64 {
    sqlite3_column_int64(handle, column)
  }

  /// The column as text; empty for NULL.
  package func text(_ column: Int32) -> String {
    guard let start = sqlite3_column_text(handle, column) else { return "" }
    let count = Int(sqlite3_column_bytes(handle, column))
    return String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
  }

  /// The column as bytes; empty for NULL.
  package func bytes(_ column: Int32) -> [UInt8] {
    guard let start = sqlite3_column_blob(handle, column) else { return [] }
    return [UInt8](
      UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(handle, column))))
  }
}
