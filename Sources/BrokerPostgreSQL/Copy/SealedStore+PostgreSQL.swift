// The seal of a PostgreSQL database: its schema has another name.

import BrokerStore
import PostgreSQLConnections
import Records
import SQLConnections

extension SealedStore {
  /// The name of a sealed schema.
  static let schema = "\(PostgreSQLSchema.name)_moved"

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
