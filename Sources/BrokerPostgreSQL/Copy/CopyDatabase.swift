import BrokerStore
import SQLConnections

/// An open database of a copy: the source, or the copy that is not finished.
protocol CopyDatabase: AnyObject {
  /// Runs `body` on a snapshot, and changes nothing.
  func read<Result>(_ body: (any SQLConnection) throws -> Result) throws -> Result

  /// Runs `body` in a transaction, which is durable after the return.
  func write<Result>(_ body: (any SQLConnection) throws -> Result) throws -> Result

  /// Returns how many rows after `key` to read at once. The rows are in memory together.
  func rowLimit(
    of table: CopiedTable, after key: [SQLValue]?, _ bounds: CopyBounds, in db: any SQLConnection
  ) throws -> Int

  /// Returns the last key that the database has given out for `table`, also if that row is gone; 0 if there is none.
  func lastGivenKey(of table: CopiedTable, in db: any SQLConnection) throws -> Int64

  /// Makes the database give out no key up to `last`.
  func reserveKeys(of table: CopiedTable, through last: Int64, in db: any SQLConnection) throws

  /// Whether a text may contain the character NUL.
  var storesNUL: Bool { get }

  /// The names of the tables with records, and of `CopyOrigin`.
  func tables(in db: any SQLConnection) throws -> Set<String>

  /// Closes the database, which is then complete on disk.
  func close() throws
}

extension CopyDatabase {
  /// Returns the rows after `key`, in key order, as many as the bounds permit; at least one, if there is one.
  func rows(
    of table: CopiedTable, after key: [SQLValue]?, _ bounds: CopyBounds
  ) throws -> [[SQLValue]] {
    try read { db in
      let limit = try rowLimit(of: table, after: key, bounds, in: db)
      let statement = try db.statement(
        table.selection(CopiedTable.list(table.columns), isContinued: key != nil))
      var rows: [[SQLValue]] = []
      var byteCount = 0
      try statement.forEach(SQLArguments((key ?? []) + [.integer(Int64(limit))])) { row in
        let values = SQLRow(of: row).values
        rows.append(values)
        byteCount += values.reduce(0) { $0 + $1.byteCount }
        return byteCount < bounds.bytes
      }
      return rows
    }
  }

  /// Returns the digest of all rows of a table.
  func digest(of table: CopiedTable, _ bounds: CopyBounds) throws -> RowDigest {
    var digest = RowDigest()
    var key: [SQLValue]?
    while true {
      let rows = try rows(of: table, after: key, bounds)
      for row in rows { digest.add(row) }
      guard let last = rows.last else { return digest }
      key = table.key(of: last)
    }
  }

  /// Returns the key of the last row of a table; `nil` if it has none.
  func lastKey(of table: CopiedTable) throws -> [SQLValue]? {
    try read { try $0.first(table.lastKeySelection) { $0.values } }
  }
}

extension SQLValue {
  fileprivate var byteCount: Int {
    switch self {
    case .null, .integer: 8
    case .text(let text): text.utf8.count
    case .bytes(let bytes): bytes.count
    }
  }
}
