import BrokerStore
import GRDB
import SQLConnections
import SQLiteFile

/// An SQLite database of a copy.
final class SQLiteCopyDatabase: CopyDatabase {
  private let pool: DatabasePool

  init(_ pool: DatabasePool) {
    self.pool = pool
  }

  func read<Result>(_ body: (any SQLConnection) throws -> Result) throws -> Result {
    try pool.read { try body(SQLiteFileConnection($0)) }
  }

  func write<Result>(_ body: (any SQLConnection) throws -> Result) throws -> Result {
    try pool.write { try body(SQLiteFileConnection($0)) }
  }

  /// Copies the write-ahead log into the file, which is then complete without it, and closes the file.
  func close() throws {
    try pool.writeWithoutTransaction { try $0.execute(sql: "PRAGMA wal_checkpoint(TRUNCATE)") }
    try pool.close()
  }

  func tables(in db: any SQLConnection) throws -> Set<String> {
    Set(try CopiedTable.names(inSQLite: db))
  }

  /// SQLite returns one row at a time, so that the reader can stop in time.
  func rowLimit(
    of table: CopiedTable, after key: [SQLValue]?, _ bounds: CopyBounds, in db: any SQLConnection
  ) -> Int {
    bounds.rows
  }

  func lastGivenKey(of table: CopiedTable, in db: any SQLConnection) throws -> Int64 {
    let counted: Int64? = try db.value(
      "SELECT seq FROM sqlite_sequence WHERE name = ?", [table.name])
    let last: Int64? = try db.value(table.lastKeySelection)
    return max(counted ?? 0, last ?? 0)
  }

  /// Only tables with AUTOINCREMENT have a counter. In the others, SQLite gives out the key after the last row's.
  func reserveKeys(of table: CopiedTable, through last: Int64, in db: any SQLConnection) throws {
    guard try CopiedTable.countedInSQLite.get().contains(table.name) else { return }
    try db.run("DELETE FROM sqlite_sequence WHERE name = ?", [table.name])
    try db.run("INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)", [table.name, last])
  }

  var storesNUL: Bool { true }
}

extension CopiedTable {
  /// The tables in which SQLite counts the keys, so that it never gives out one again.
  fileprivate static let countedInSQLite = Result {
    try BrokerSchema.empty.get().read { db in
      Set(
        try String.fetchAll(
          db,
          sql: "SELECT name FROM sqlite_master WHERE type = 'table' AND sql LIKE '%AUTOINCREMENT%'")
      )
    }
  }
}
