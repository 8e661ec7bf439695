// A statement of a writer's innermost loop, stepped through SQLite's own interface on GRDB's
// connection. Building a row for each look-up and an array for each write took two thirds of a
// save; this takes neither. Used only where that was measured (docs/benchmarks.md, P3).

import GRDB
import GRDBSQLite

/// A compiled statement that its owner uses on one connection only.
package final class HotStatement {
  private let statement: Statement
  private let handle: OpaquePointer

  /// Compiles `sql` on the writing connection.
  package init(_ sql: String, in db: Database) throws {
    statement = try db.makeStatement(sql: sql)
    handle = statement.sqliteStatement
  }

  /// Borrows the statement of `sql` from those that the connection keeps compiled. Let go
  /// of it before the connection is to be closed, and do not run the same text in another way
  /// meanwhile.
  package init(borrowing sql: String, from db: Database) throws {
    statement = try db.cachedStatement(sql: sql)
    handle = statement.sqliteStatement
  }

  /// Runs the statement, which `bind` gives its parameters, and hands its first row, if it has
  /// one, to `read`. The row is gone afterwards.
  package func first<Value>(
    bind: (HotStatement) -> Void, read: (HotStatement) throws -> Value
  ) throws -> Value? {
    bind(self)
    defer { sqlite3_reset(handle) }
    return try step() ? try read(self) : nil
  }

  /// Runs the statement and hands each row to `body`, until that returns `false`.
  package func forEach(
    _ arguments: StatementArguments, _ body: (HotStatement) throws -> Bool
  ) throws {
    statement.setUncheckedArguments(arguments)
    defer { sqlite3_reset(handle) }
    while try step() {
      guard try body(self) else { return }
    }
  }

  /// Goes to the next row; `false` behind the last.
  private func step() throws -> Bool {
    switch sqlite3_step(handle) {
    case SQLITE_ROW: return true
    case SQLITE_DONE: return false
    case let code:
      throw DatabaseError(
        resultCode: ResultCode(rawValue: code),
        message: String(cString: sqlite3_errmsg(sqlite3_db_handle(handle))))
    }
  }

  /// Runs the statement for what it does.
  package func run(bind: (HotStatement) -> Void) throws {
    _ = try first(bind: bind) { _ in }
  }

  // MARK: Parameters, counted from 1

  /// Binds a number.
  package func bind(_ index: Int32, _ value: Int64) {
    sqlite3_bind_int64(handle, index, value)
  }

  /// Binds text, which is copied.
  package func bind(_ index: Int32, _ text: String) {
    var text = text
    text.withUTF8 { bytes in
      bytes.withMemoryRebound(to: CChar.self) {
        _ = sqlite3_bind_text(handle, index, $0.baseAddress, Int32($0.count), Self.copied)
      }
    }
  }

  /// Binds bytes, which are copied.
  package func bind(_ index: Int32, _ bytes: [UInt8]) {
    bytes.withUnsafeBytes { buffer in
      guard let start = buffer.baseAddress, !buffer.isEmpty else {
        sqlite3_bind_zeroblob(handle, index, 0)
        return
      }
      sqlite3_bind_blob(handle, index, start, Int32(buffer.count), Self.copied)
    }
  }

  /// Binds nothing.
  package func bindNull(_ index: Int32) {
    sqlite3_bind_null(handle, index)
  }

  // SQLite's word for “make a copy now”: a destructor of −1.
  private static let copied = unsafeBitCast(-1, to: sqlite3_destructor_type.self)

  // MARK: Columns of the present row, counted from 0

  /// Whether there is nothing.
  package func isNull(_ column: Int32) -> Bool {
    sqlite3_column_type(handle, column) == SQLITE_NULL
  }

  /// A number.
  package func number(_ column: Int32) -> Int64 {
    sqlite3_column_int64(handle, column)
  }

  /// Text.
  package func text(_ column: Int32) -> String {
    guard let start = sqlite3_column_text(handle, column) else { return "" }
    let count = Int(sqlite3_column_bytes(handle, column))
    return String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
  }

  /// Bytes.
  package func bytes(_ column: Int32) -> [UInt8] {
    guard let start = sqlite3_column_blob(handle, column) else { return [] }
    return [UInt8](
      UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(handle, column))))
  }
}
