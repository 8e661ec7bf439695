import BrokerStore
import GRDB
import SQLConnections
import SQLiteFile

/// A table of the broker, as a copy of a store reads and writes it.
struct CopiedTable: Hashable, Sendable {
  let name: String
  let columns: [String]
  /// The columns of the primary key. Their values are never NULL, and both databases sort them in the same order.
  let key: [String]
  /// The columns with texts or bytes, whose values can be long.
  let longColumns: [String]

  /// Whether the database gives out the keys: one column, “key”.
  var hasGivenKeys: Bool { key == ["key"] }

  /// The tables of the broker. They are read from an empty database of this version, so that none can be forgotten.
  static let all = Result { try BrokerSchema.empty.get().read(read) }

  /// The tables in which a change of the store leaves a trace, by a broker or by an administrator's command. They are
  /// small beside the records.
  static let tracesOfUse = [
    "account", "admission", "clock", "container", "declared_index", "device", "device_invitation",
    "notification_head", "participant", "share_link", "subscription", "zone",
  ]

  private static func read(_ database: Database) throws -> [CopiedTable] {
    let db = SQLiteFileConnection(database)
    return try names(inSQLite: db).map { name in
      let columns = try db.rows(
        "SELECT name, type, pk FROM pragma_table_info(?) ORDER BY cid", [name])
      let key = columns.filter { $0[2] > 0 }.sorted { ($0[2] as Int) < $1[2] }
      return CopiedTable(
        name: name, columns: columns.map { $0[0] }, key: key.map { $0[0] },
        longColumns: columns.filter { $0[1] != "INTEGER" }.map { $0[0] })
    }
  }

  /// Returns the names of an SQLite database's tables, without those of SQLite itself and of the migrations.
  static func names(inSQLite db: any SQLConnection) throws -> [String] {
    try db.column(
      """
      SELECT name FROM sqlite_master
      WHERE type = 'table' AND name NOT LIKE 'sqlite@_%' ESCAPE '@' AND name != 'grdb_migrations'
      ORDER BY name
      """)
  }
}

extension CopiedTable {
  /// Inserts a row with a parameter for each column.
  var insertion: String {
    let places = [String](repeating: "?", count: columns.count).joined(separator: ", ")
    return "INSERT INTO \(Self.quoted(name)) (\(Self.list(columns))) VALUES (\(places))"
  }

  /// Selects rows in key order. The parameters are the key after which they begin, if there is one, and their number.
  func selection(_ columns: String, isContinued: Bool) -> String {
    "SELECT \(columns) FROM \(Self.quoted(name)) \(isContinued ? continuation : "") "
      + "ORDER BY \(Self.list(key)) LIMIT ?"
  }

  /// Selects the key of the last row.
  var lastKeySelection: String {
    let order = key.map { "\(Self.quoted($0)) DESC" }.joined(separator: ", ")
    return "SELECT \(Self.list(key)) FROM \(Self.quoted(name)) ORDER BY \(order) LIMIT 1"
  }

  private var continuation: String {
    let places = key.map { _ in "?" }.joined(separator: ", ")
    return "WHERE (\(Self.list(key))) > (\(places))"
  }

  /// The values of the key in a row with all columns.
  func key(of row: [SQLValue]) -> [SQLValue] {
    key.compactMap { column in columns.firstIndex(of: column).map { row[$0] } }
  }

  static func list(_ columns: [String]) -> String {
    columns.map(quoted).joined(separator: ", ")
  }

  static func quoted(_ name: String) -> String { "\"\(name)\"" }
}
