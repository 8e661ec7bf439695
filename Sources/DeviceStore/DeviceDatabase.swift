// The file a device keeps. Opening it either gives a database of ours in a schema we know, or one
// sentence on why not; nothing is changed in a file that is not ours. Every transaction is on the
// disk when it returns (synchronous = FULL): a person who was told “saved” can pull the plug.

import GRDB
import Records

/// A device's SQLite database, on disk or in memory.
package struct DeviceDatabase: Sendable {
  let writer: any DatabaseWriter

  /// What marks a file as ours: “CTdv”.
  static let applicationID: Int32 = 0x4354_6476

  /// Opens the database at `path`, making it if there is none. The caller has seen to it that no
  /// other process works on it.
  /// - Throws: `StoreError`, told apart by what a person can do.
  package init(path: String) throws(StoreError) {
    writer = try storing {
      try Self.inspect(path)
      var configuration = Self.configuration
      configuration.maximumReaderCount = 4
      let pool = try DatabasePool(path: path, configuration: configuration)
      // NB: the pool sets NORMAL when it switches to WAL, after the connection was prepared.
      try pool.writeWithoutTransaction { try $0.execute(sql: "PRAGMA synchronous = FULL") }
      try Schema.migrator.migrate(pool)
      return pool
    }
  }

  private init(writer: any DatabaseWriter) {
    self.writer = writer
  }

  /// A new database in memory, for simulations and tests; it lives as long as this value.
  package static func inMemory() throws(StoreError) -> DeviceDatabase {
    try storing {
      let queue = try DatabaseQueue(configuration: configuration)
      try Schema.migrator.migrate(queue)
      return DeviceDatabase(writer: queue)
    }
  }

  /// Runs one write transaction.
  func write<Result>(_ body: (Database) throws -> Result) throws -> Result {
    do {
      return try writer.write(body)
    } catch let error as DatabaseError {
      throw StoreError(error)
    }
  }

  /// Runs one read transaction, beside any write.
  func read<Result>(_ body: (Database) throws -> Result) throws -> Result {
    do {
      return try writer.read(body)
    } catch let error as DatabaseError {
      throw StoreError(error)
    }
  }

  /// Copies the log into the database file and closes it. Not needed for anything to be safe.
  package func close() throws(StoreError) {
    try storing { try writer.close() }
  }

  private static var configuration: Configuration {
    var configuration = Configuration()
    configuration.busyMode = .timeout(5)
    configuration.prepareDatabase { db in
      try db.execute(sql: "PRAGMA cache_size = -4000")
      // Only the writer checkpoints; a reader that did would make somebody's list wait for it.
      if db.configuration.readonly { try db.execute(sql: "PRAGMA wal_autocheckpoint = 0") }
    }
    return configuration
  }

  /// Looks at an existing file without changing it.
  private static func inspect(_ path: String) throws {
    guard try FileProbe.sizeBytes(of: path) > 0 else { return }
    var configuration = Configuration()
    configuration.readonly = true
    configuration.busyMode = .timeout(5)
    let queue = try DatabaseQueue(path: path, configuration: configuration)
    defer { try? queue.close() }
    try queue.read { db in
      let mark = try Int32.fetchOne(db, sql: "PRAGMA application_id") ?? 0
      let tables = try Int.fetchOne(db, sql: "SELECT count(*) FROM sqlite_master") ?? 0
      if mark == 0 && tables == 0 { return }
      guard mark == applicationID else {
        throw StoreError(
          .foreignDatabase, "\(path) is a database of another program; choose another file.")
      }
      guard try !Schema.migrator.hasBeenSuperseded(db) else {
        throw StoreError(
          .newerSchema, "\(path) was written by a newer version of this program; update it.")
      }
    }
  }
}
