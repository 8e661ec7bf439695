// The schema of a broker's PostgreSQL database: how a connection finds its tables, and how they are created and changed.

import BrokerStore
import PostgreSQLConnections
import Records
import SQLConnections

/// The schema `contacts_broker` of a database, its version and its migrations. Other schemas of the database can be
/// used by other programs.
enum PostgreSQLSchema {
  /// The name of the schema, which has all tables of the broker.
  static let name = "contacts_broker"

  /// The migrations. A database of version n has the first n; later ones are added here and change nothing that a
  /// broker of the version before needs.
  private static let migrations = [
    PostgreSQLTables.all + PostgreSQLTriggers.all + [
      PostgreSQLCommitLog.schema, PostgreSQLAssets.schema, PostgreSQLJobLeases.schema,
    ]
  ]

  /// The version of the schema that this program writes.
  static var version: Int { migrations.count }

  /// Makes the connection find the tables, and creates or migrates them if needed.
  /// - Throws: `otherVersion`, `foreign`, or what the server reports. The database is unchanged then.
  static func prepare(_ connection: PostgreSQLConnection, _ name: String = name) throws {
    try use(name, on: connection)
    connection.begin(isReadOnly: false)
    do {
      // Two brokers that start at once migrate one after the other.
      try connection.run("SELECT pg_advisory_xact_lock(?)", [LockNumber.migration])
      let version = try version(of: name, connection)
      if version == 0, name == Self.name { try SealedStore.check(connection) }
      if version > 0 { try checkIsUsable(name, connection) }
      for (index, statements) in migrations.enumerated().dropFirst(version) {
        if index == 0 { try create(name, connection) }
        for statement in statements.flatMap(Self.statements(of:)) { try connection.run(statement) }
        try connection.run("UPDATE schema_version SET version = ?", [index + 1])
      }
      try connection.commit()
    } catch {
      connection.rollback()
      throw error
    }
  }

  /// Makes the connection find the tables of the schema.
  static func use(_ name: String = name, on connection: PostgreSQLConnection) throws {
    try connection.run("SET search_path = \(name)")
  }

  /// Makes the connection find the tables, and changes nothing.
  /// - Throws: `unreadable` if there are none; `otherVersion`, `foreign`.
  static func requireVersion(_ connection: PostgreSQLConnection) throws {
    try use(on: connection)
    let version = try version(of: name, connection)
    guard version > 0 else {
      throw StoreError(.unreadable, "The database has no tables of a broker yet.")
    }
    try checkIsUsable(name, connection)
  }

  /// - Throws: `otherVersion` if brokers of this version may not use the database.
  private static func checkIsUsable(_ name: String, _ connection: PostgreSQLConnection) throws {
    // Another version may have no such column. The row as JSON answers then too.
    let isUsable: Bool? = try connection.value(
      """
      SELECT coalesce((to_jsonb(stored) ->> 'oldest')::bigint <= ?, false)
      FROM \(name).schema_version AS stored
      """, [migrations.count])
    guard isUsable == true else { throw otherVersion }
  }

  static let otherVersion = StoreError(
    .otherVersion,
    "The database was written by another version of this program; use that version, or export with it "
      + "and import with this one.")

  /// The version of the schema; 0 if there is none.
  static func version(of name: String, _ connection: PostgreSQLConnection) throws -> Int {
    let tables: Int =
      try connection.value(
        "SELECT count(*) FROM pg_class WHERE relnamespace = to_regnamespace(?)", [name]) ?? 0
    guard tables > 0 else { return 0 }
    let isOurs: Bool? = try connection.value(
      "SELECT to_regclass('\(name).schema_version') IS NOT NULL")
    guard isOurs == true else {
      throw StoreError(
        .foreign,
        "The schema “\(name)” of the database belongs to another program; choose another database.")
    }
    return try connection.value("SELECT version FROM \(name).schema_version") ?? 0
  }

  /// Brokers of the version before can serve beside newer ones: `oldest` is the version of the oldest that still may. A
  /// migration that they cannot live with raises it.
  private static func create(_ name: String, _ connection: PostgreSQLConnection) throws {
    try connection.run("CREATE SCHEMA IF NOT EXISTS \(name)")
    try connection.run(
      "CREATE TABLE schema_version (version bigint NOT NULL, oldest bigint NOT NULL DEFAULT 1)")
    try connection.run("INSERT INTO schema_version VALUES (0)")
  }

  /// The statements of a script. Each ends with a semicolon at the end of a line; one between two “$$” belongs to a
  /// function.
  static func statements(of script: String) -> [String] {
    var statements: [String] = []
    var statement = ""
    for line in script.split(separator: "\n") {
      statement += line + "\n"
      let quoteCount = statement.split(separator: "$$", omittingEmptySubsequences: false).count - 1
      guard line.hasSuffix(";"), quoteCount.isMultiple(of: 2) else { continue }
      statements.append(statement)
      statement = ""
    }
    return statements
  }

  /// The numbers of advisory locks. They belong to one database, and to no table.
  enum LockNumber {
    /// Held by all brokers together for as long as they are connected, or by one program that needs the database for
    /// itself.
    static let broker = 0x434B_6272
    /// Held during a migration.
    static let migration = 0x434B_6273
  }
}
