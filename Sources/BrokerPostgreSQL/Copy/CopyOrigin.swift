import BrokerStore
import SQLConnections

/// The table `copied_from` of a copy: the digest of the store from which it is made, and whether it is complete. A copy
/// keeps the table until it is published, so that a command that was interrupted can be repeated.
struct CopyOrigin {
  static let table = "copied_from"

  /// The digest of the source.
  let digest: String
  /// Whether the copy has all records and files of the source, and is verified.
  let isComplete: Bool

  /// Creates the table, inside the transaction that begins a copy.
  static func create(_ digest: String, in db: any SQLConnection) throws {
    try db.run("CREATE TABLE \(table) (digest text NOT NULL, is_complete bigint NOT NULL)")
    try db.run("INSERT INTO \(table) VALUES (?, 0)", [digest])
  }

  /// Returns the origin; `nil` if the store is no copy.
  static func read(from database: any CopyDatabase) throws -> CopyOrigin? {
    try database.read { db in
      guard try database.tables(in: db).contains(table) else { return nil }
      return try db.first("SELECT digest, is_complete FROM \(table)") { row in
        CopyOrigin(digest: row[0], isComplete: row[1])
      }
    }
  }

  /// Marks a copy as complete or not.
  static func setComplete(_ isComplete: Bool, in database: any CopyDatabase) throws {
    try database.write { try $0.run("UPDATE \(table) SET is_complete = ?", [isComplete]) }
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
