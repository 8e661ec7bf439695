import SQLConnections

/// The table `copied_from` of a copy: the digest of the store from which it is made. A copy that has all records keeps
/// the table until its source is sealed, so that a command that was interrupted in between can be repeated.
enum CopyOrigin {
  static let table = "copied_from"

  /// Creates the table, inside the transaction that begins a copy.
  static func create(_ digest: String, in db: any SQLConnection) throws {
    try db.run("CREATE TABLE \(table) (digest text NOT NULL)")
    try db.run("INSERT INTO \(table) VALUES (?)", [digest])
  }

  /// Returns the digest of the source; `nil` if the store is no copy.
  static func read(from database: any CopyDatabase) throws -> String? {
    try database.read { db in
      guard try database.tables(in: db).contains(table) else { return nil }
      return try db.value("SELECT digest FROM \(table)")
    }
  }

  /// Deletes the table if it exists.
  static func remove(from database: any CopyDatabase) throws {
    try database.write { try $0.run("DROP TABLE IF EXISTS \(table)") }
  }

  /// Returns the digest of a store, by which a later run of the command recognizes it. A store that a broker has used
  /// in between has another one.
  static func digest(of database: any CopyDatabase, _ bounds: CopyBounds) throws -> String {
    var digest = RowDigest()
    for table in try CopiedTable.all.get() where CopiedTable.tracesOfUse.contains(table.name) {
      digest.add([.bytes(try database.digest(of: table, bounds).bytes)])
    }
    return digest.bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }
}
