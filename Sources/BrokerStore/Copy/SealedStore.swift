import PostgreSQLConnections
import Records
import SQLConnections
import SQLiteFile

/// A store that was copied to another place and may serve no longer. Its database has another name, so that it can be
/// brought back.
enum SealedStore {
  /// The name of the sealed database of the one at `path`.
  static func path(of path: String) -> String { "\(path).moved" }

  /// The name of a sealed schema.
  static let schema = "\(PostgreSQLSchema.name)_moved"

  /// - Throws: `foreign` if the store at `path` is sealed and there is no other.
  static func check(_ path: String) throws(StoreError) {
    let sealed = Self.path(of: path)
    guard !SQLiteFile.hasContent(path), SQLiteFile.hasContent(sealed) else { return }
    throw StoreError(
      .foreign,
      "The broker's records were copied to another store, and the database here was renamed to \(sealed): "
        + "let the broker use that store, or rename the file to \(path) to serve from it again.")
  }

  /// - Throws: `foreign` if the database has a sealed schema. Called if it has no other.
  static func check(_ connection: PostgreSQLConnection) throws {
    guard try exists(connection) else { return }
    throw StoreError(
      .foreign,
      "The broker's records were copied to another store, and the schema here was renamed to “\(schema)”: "
        + "let the broker use that store, or run “ALTER SCHEMA \(schema) RENAME TO \(PostgreSQLSchema.name)” "
        + "to serve from this one again.")
  }

  /// Whether the database has a sealed schema.
  static func exists(_ connection: PostgreSQLConnection) throws -> Bool {
    try connection.value("SELECT to_regnamespace(?) IS NOT NULL", [schema]) ?? false
  }
}
