import BrokerStore
import PostgreSQLConnections
import Records
import SQLConnections

/// A schema of a PostgreSQL database, for a copy.
final class PostgreSQLCopyDatabase: CopyDatabase {
  /// The tables that belong to a database and not to its records: its version, the order of its commits, who does which
  /// job, and the asset files, which `CopiedFiles` copies.
  static let tablesOfServer: Set = [
    "asset_chunk", "asset_file", "asset_pin", "commit_log", "commit_mark", "job_lease",
    "schema_version",
  ]

  private let connection: PostgreSQLConnection
  private let schema: String

  /// - Parameter connection: A connection whose search path is the schema.
  init(_ connection: PostgreSQLConnection, schema: String) {
    self.connection = connection
    self.schema = schema
  }

  func read<Result>(_ body: (any SQLConnection) throws -> Result) throws -> Result {
    try transact(isReadOnly: true, body)
  }

  func write<Result>(_ body: (any SQLConnection) throws -> Result) throws -> Result {
    try transact(isReadOnly: false, body)
  }

  private func transact<Result>(
    isReadOnly: Bool, _ body: (any SQLConnection) throws -> Result
  ) throws -> Result {
    connection.begin(isReadOnly: isReadOnly)
    do {
      let result = try body(connection)
      try connection.commit()
      return result
    } catch {
      connection.rollback()
      throw error
    }
  }

  /// Nothing to do: the connection is closed when it is released.
  func close() {}

  func tables(in db: any SQLConnection) throws -> Set<String> {
    let names: [String] = try db.column(
      "SELECT relname FROM pg_class WHERE relnamespace = to_regnamespace(?) AND relkind IN ('r', 'p')",
      [schema])
    return Set(names).subtracting(Self.tablesOfServer)
  }

  /// The server sends all rows of a query at once, so their sizes are asked for first.
  func rowLimit(
    of table: CopiedTable, after key: [SQLValue]?, _ bounds: CopyBounds, in db: any SQLConnection
  ) throws -> Int {
    guard !table.longColumns.isEmpty else { return bounds.rows }
    let keys = CopiedTable.list(table.key)
    let size = table.longColumns.map { "coalesce(octet_length(\(CopiedTable.quoted($0))), 0)" }
      .joined(separator: " + ")
    let page = table.selection("\(keys), \(size) AS size", isContinued: key != nil)
    let count: Int? = try db.value(
      """
      SELECT count(*) FROM (
        SELECT sum(size) OVER (ORDER BY \(keys) ROWS UNBOUNDED PRECEDING) AS total FROM (\(page)) AS page
      ) AS sums WHERE total <= ?
      """,
      SQLArguments((key ?? []) + [.integer(Int64(bounds.rows)), .integer(Int64(bounds.bytes))]))
    return max(1, count ?? 1)
  }

  func lastGivenKey(of table: CopiedTable, in db: any SQLConnection) throws -> Int64 {
    let counted: Int64? = try db.value(
      """
      SELECT last_value FROM pg_sequences
      WHERE schemaname || '.' || sequencename = pg_get_serial_sequence(?, 'key')
      """, [table.name])
    let last: Int64? = try db.value(table.lastKeySelection)
    return max(counted ?? 0, last ?? 0)
  }

  func reserveKeys(of table: CopiedTable, through last: Int64, in db: any SQLConnection) throws {
    let _: Int64? = try db.value(
      "SELECT setval(pg_get_serial_sequence(?, 'key'), ?)", [table.name, last])
  }

  var storesNUL: Bool { false }
}
