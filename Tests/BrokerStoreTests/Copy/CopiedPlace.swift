import AssetFiles
import BrokerCore
import BrokerPostgreSQL
import BrokerStore
import Foundation
import GRDB
import PostgreSQLConnections
import PostgreSQLStores
import Records
import SQLConnections
import SQLiteFile

/// A place for a store in tests of copies, and everything in it.
struct CopiedPlace {
  let address: StoreAddress

  /// A new place without a store.
  static func make(_ kind: Kind) throws -> CopiedPlace {
    switch kind {
    case .file:
      CopiedPlace(address: .directory(String(try StoreKind.newPath().dropLast(name.count + 1))))
    case .server: CopiedPlace(address: .server(try PostgreSQLStores.makeEmpty()))
    }
  }

  /// The name of a file with a store.
  private static let name = "broker.sqlite"

  enum Kind: String, CaseIterable {
    case file
    case server

    /// The kinds of this run.
    static var available: [Kind] { StoreKind.allCases.contains(.postgreSQL) ? allCases : [.file] }
  }

  func open(
    cascades: CascadeBounds = CascadeBounds(perTransaction: 3, perStep: 2)
  ) throws -> any RecordStore {
    switch address {
    case .directory(let path):
      try SQLiteRecordStore(path: "\(path)/\(Self.name)", cascades: cascades)
    case .server(let address): try connected(address, cascades)
    }
  }

  /// The server may still be ending the connections of an earlier store.
  private func connected(
    _ address: String, _ cascades: CascadeBounds
  ) throws -> PostgreSQLRecordStore {
    let deadline = ContinuousClock.now + .seconds(10)
    while true {
      let result = Result { () throws(StoreError) in
        try PostgreSQLRecordStore(address: address, cascades: cascades)
      }
      if case .failure(let error) = result, error.kind == .inUse, .now < deadline { continue }
      return try result.get()
    }
  }

  /// Copies the store to another place, with many small transactions.
  func copy(
    to target: CopiedPlace, discards: Bool = false,
    observe: @escaping (StoreCopy.Step) throws -> Void = { _ in }
  ) throws {
    try StoreCopy(
      from: address, to: target.address, bounds: CopyBounds(rows: 3, bytes: 2000),
      observe: observe
    ).run(discards: discards)
  }

  /// Whether there is a store that a broker would open. Looks only, and creates nothing.
  func serves() throws -> Bool {
    switch address {
    case .directory(let path): SQLiteFile.hasContent("\(path)/\(Self.name)")
    case .server(let address):
      try PostgreSQLConnection(address).value(
        "SELECT to_regnamespace('contacts_broker') IS NOT NULL") == true
    }
  }

  /// Makes a store that was copied one that can be served, and copied, again.
  func reopen() throws {
    switch address {
    case .directory(let path):
      try FileManager.default.moveItem(
        atPath: "\(path)/\(Self.name).moved", toPath: "\(path)/\(Self.name)")
    case .server(let address):
      let connection = try PostgreSQLConnection(address)
      try connection.run("ALTER SCHEMA contacts_broker_moved RENAME TO contacts_broker")
    }
  }

  /// Runs `body` in a transaction on the database, past the store.
  func withDatabase<Result>(
    schema: String = "contacts_broker", suffix: String = "",
    _ body: (any SQLConnection) throws -> Result
  ) throws -> Result {
    switch address {
    case .directory(let path):
      var configuration = Configuration()
      configuration.foreignKeysEnabled = false
      let queue = try DatabaseQueue(
        path: "\(path)/\(Self.name)\(suffix)", configuration: configuration)
      defer { try? queue.close() }
      return try queue.write { try body(SQLiteFileConnection($0)) }
    case .server(let address):
      let connection = try PostgreSQLConnection(address)
      try connection.run("SET search_path = \(schema)\(suffix.replacing(".", with: "_"))")
      connection.begin(isReadOnly: false)
      let result = try body(connection)
      try connection.commit()
      return result
    }
  }

  /// The number in the first column of a query's first row; −1 if there is none.
  func number(_ sql: String) throws -> Int {
    let number: Int? = try withDatabase { db in try db.value(sql) }
    return number ?? -1
  }

  /// The tables with their columns, in alphabetical order.
  func tables() throws -> [String: [String]] {
    try withDatabase { db in
      let names: [String]
      let columns: String
      switch address {
      case .directory:
        names = try db.column("SELECT name FROM sqlite_master WHERE type = 'table'")
          .filter { !$0.hasPrefix("sqlite_") && $0 != "grdb_migrations" }
        columns = "SELECT name FROM pragma_table_info(?) ORDER BY name"
      case .server:
        names = try db.column(
          "SELECT relname FROM pg_class WHERE relnamespace = 'contacts_broker'::regnamespace AND relkind = 'r'"
        )
        columns = """
          SELECT attname FROM pg_attribute
          WHERE attrelid = ?::regclass AND attnum > 0 AND NOT attisdropped ORDER BY attname
          """
      }
      return Dictionary(
        uniqueKeysWithValues: try names.map { ($0, try db.column(columns, [$0])) })
    }
  }

  /// What a PostgreSQL database has besides: its version, the marks by which commits are found again, and the asset files.
  static let tablesOfServer: Set = [
    "schema_version", "commit_mark", "commit_log", "job_lease", "asset_chunk", "asset_file",
    "asset_pin",
  ]

  /// The asset files.
  func files() throws -> any CompleteFiles {
    switch address {
    case .directory(let path): try AssetFiles(directory: "\(path)/assets", reserveBytes: 0)
    case .server(let address): PostgreSQLAssets(address: address)
    }
  }

  /// The bytes of each asset file that a row names, as its own digest and as the digest of what is there.
  private func fileContents() throws -> [String] {
    let digests: [[UInt8]] = try withDatabase { db in
      try db.column("SELECT DISTINCT digest FROM asset ORDER BY digest")
    }
    let files = try files()
    return try digests.compactMap { AssetDigest(bytes: $0) }.map { digest in
      guard let content = try? files.open(digest, verified: nil) else { return "no \(digest)" }
      let bytes = try content.bytes(from: 0, count: content.byteCount)
      return "\(digest): \(bytes.count) bytes, \(Asset(of: Array(bytes)).id)"
    }
  }

  /// The rows of all tables and the asset files, in an order that does not depend on the database.
  func contents() throws -> [String: [String]] {
    let tables = try tables().filter { !Self.tablesOfServer.contains($0.key) }
    let files = try fileContents()
    return try withDatabase { db in
      var contents = ["asset files": files]
      for (table, columns) in tables {
        let list = columns.map { "\"\($0)\"" }.joined(separator: ", ")
        contents[table] = try db.rows("SELECT \(list) FROM \"\(table)\"").map { "\($0.values)" }
          .sorted()
      }
      return contents
    }
  }
}
