// A store of a copy in a PostgreSQL database. An unfinished copy is a schema of another name; publishing and sealing are
// renames of schemas, each in one transaction.

import AssetFiles
import BrokerStore
import Glibc
import PostgreSQLConnections
import Records
import SQLConnections

/// The place of a store in a PostgreSQL database. No broker can use the database as long as this object exists.
final class PostgreSQLCopyPlace: CopyPlace {
  private static let copySchema = "\(PostgreSQLSchema.name)_copy"

  /// How long a server may take to notice that a broker, or a killed copy, has ended.
  private static let takeoverLimit = Duration.seconds(2)

  let name: String
  private let address: String
  /// The connection that has the broker's lock. Schemas are renamed on it, so that this fails once the lock is lost.
  private let control: PostgreSQLConnection

  /// Connects to the database.
  /// - Throws: `inUse` if a broker is connected to it; `unreachable`.
  init(address: String) throws {
    self.address = address
    name = "the database “\(StoreAddress.withoutPassword(address))”"
    control = try PostgreSQLConnection(address)
    let deadline = ContinuousClock.now + Self.takeoverLimit
    while try !lock() {
      guard .now < deadline else {
        throw StoreError(.inUse, "A broker is connected to the database; stop all brokers first.")
      }
      usleep(50_000)
    }
  }

  /// - Returns: Whether this object has the broker's lock.
  private func lock() throws -> Bool {
    try control.value("SELECT pg_try_advisory_lock(?)", [PostgreSQLSchema.LockNumber.broker])
      ?? false
  }

  deinit {
    // The server may notice the end of a connection only after this program has ended.
    _ =
      try? control.value("SELECT pg_advisory_unlock(?)", [PostgreSQLSchema.LockNumber.broker])
      as Bool?
  }

  var sealedName: String { "the schema “\(SealedStore.schema)” of \(name)" }
  var copyName: String { "the schema “\(Self.copySchema)” of \(name)" }

  func hasStore() throws -> Bool {
    try PostgreSQLSchema.version(of: PostgreSQLSchema.name, control) > 0
  }

  func hasSealedStore() throws -> Bool { try SealedStore.exists(control) }

  func openStore() throws -> any CopyDatabase { try open(PostgreSQLSchema.name) }

  func openSealedStore() throws -> any CopyDatabase { try open(SealedStore.schema) }

  private func open(_ schema: String) throws -> PostgreSQLCopyDatabase {
    let connection = try PostgreSQLConnection(address)
    try PostgreSQLSchema.prepare(connection, schema)
    return PostgreSQLCopyDatabase(connection, schema: schema)
  }

  func storeFiles() -> any CompleteFiles { PostgreSQLAssets(address: address) }

  // MARK: The copy

  func openCopy() throws -> (any CopyDatabase)? {
    guard try PostgreSQLSchema.version(of: Self.copySchema, control) > 0 else { return nil }
    let copy = try open(Self.copySchema)
    guard try CopyOrigin.read(from: copy) != nil else {
      guard try !copy.hasAccounts() else {
        throw StoreError(
          .foreign, "\(copyName) was not written by “contacts-broker copy”; rename it.")
      }
      // Its creation was interrupted.
      try dropCopy()
      return nil
    }
    try copy.write { try Self.setTriggers("DISABLE", in: $0) }
    return copy
  }

  func beginCopy(of digest: String) throws -> any CopyDatabase {
    let copy = try open(Self.copySchema)
    try copy.write { db in
      try Self.setTriggers("DISABLE", in: db)
      for table in try CopiedTable.all.get() {
        try db.run("DELETE FROM \(CopiedTable.quoted(table.name))")
      }
      try CopyOrigin.create(digest, in: db)
    }
    return copy
  }

  func copyFiles() -> any CompleteFiles {
    PostgreSQLAssets(address: address, schema: Self.copySchema)
  }

  /// The transactions that write files are confirmed.
  func confirmFiles() {}

  /// The transaction that removes the origin is confirmed, and those before it with it.
  func confirmName() {}

  func discardCopy() throws {
    if try openCopy() != nil { try dropCopy() }
  }

  private func dropCopy() throws {
    try control.run("DROP SCHEMA IF EXISTS \(Self.copySchema) CASCADE")
  }

  func publish(_ copy: any CopyDatabase) throws {
    try copy.write { try Self.setTriggers("ENABLE", in: $0) }
    try rename([
      // A store without records.
      "DROP SCHEMA IF EXISTS \(PostgreSQLSchema.name) CASCADE",
      "ALTER SCHEMA \(Self.copySchema) RENAME TO \(PostgreSQLSchema.name)",
    ])
  }

  /// NB: the owner of a table may disable its triggers; `session_replication_role` would need a superuser.
  private static func setTriggers(_ action: String, in db: any SQLConnection) throws {
    for table in try CopiedTable.all.get() {
      try db.run("ALTER TABLE \(CopiedTable.quoted(table.name)) \(action) TRIGGER USER")
    }
  }

  func seal() throws {
    try rename(["ALTER SCHEMA \(PostgreSQLSchema.name) RENAME TO \(SealedStore.schema)"])
  }

  private func rename(_ statements: [String]) throws {
    control.begin(isReadOnly: false)
    do {
      for statement in statements { try control.run(statement) }
      try control.commit()
    } catch {
      control.rollback()
      throw error
    }
  }
}
