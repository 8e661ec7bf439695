// The database file of a device. `SQLiteFile` opens it and rejects unsuitable files, as for all files of the project.
// Later errors of the disk are reported as `StoreError`.

import GRDB
import Records
import SQLiteFile

/// A device's SQLite database, on disk or in memory.
package struct DeviceDatabase: Sendable {
  /// The connections to the database, for the replica and for tests that look into its tables.
  package let writer: any DatabaseWriter
  private let path: String
  /// Whether reads use the writing connection.
  private var readsWithWriter = false

  /// The application id in the file: “CTdv”.
  private static let applicationID: Int32 = 0x4354_6476
  /// The number of concurrent readers: lists, searches and the synchronization.
  private static let readers = 4

  private static func file(_ schema: [SchemaMigration]) -> SQLiteFile {
    // NB: a search in a large database reads pages throughout a table of 15 MiB. The cache is not filled before the
    // first search.
    SQLiteFile(
      applicationID: applicationID, migrator: Schema.migrator(schema), cacheKibibytes: 16_000)
  }

  /// Opens the database at `path`, or creates it. The caller ensures that no other process uses it.
  /// - Parameter schema: the tables of the application's projections.
  /// - Throws: `StoreError`, with a code for what the user can do.
  package init(path: String, schema: [SchemaMigration]) throws(StoreError) {
    self.init(
      writer: try Self.file(schema).open(path: path, readers: Self.readers), path: path)
    try overwriteWhatGoes()
  }

  /// Makes SQLite overwrite deleted content, whatever its build options are.
  private func overwriteWhatGoes() throws(StoreError) {
    do {
      try writer.writeWithoutTransaction { try $0.execute(sql: "PRAGMA secure_delete = ON") }
    } catch {
      throw StoreError(error, path: path)
    }
  }

  /// Rewrites all pages, without remains of deleted content.
  func rewrite() throws {
    do {
      try writer.writeWithoutTransaction { try $0.execute(sql: "VACUUM") }
    } catch {
      throw StoreError(error, path: path)
    }
  }

  /// Copies the log into the file and empties it.
  /// - Returns: whether it is empty. A reader may have prevented it.
  func emptyLog() throws -> Bool {
    do {
      try writer.writeWithoutTransaction { db in
        // The caller tries again if a reader is active, instead of blocking here.
        try db.execute(sql: "PRAGMA busy_timeout = 50")
        defer { try? db.execute(sql: "PRAGMA busy_timeout = 5000") }
        _ = try db.checkpoint(.truncate)
      }
      return true
    } catch let error as DatabaseError where error.resultCode == .SQLITE_BUSY {
      return false
    } catch {
      throw StoreError(error, path: path)
    }
  }

  /// Removes the copies that migrations left next to the file.
  func removeFormerCopies() throws {
    guard writer is DatabasePool else { return }
    try SQLiteFile.removeCopies(of: path)
  }

  private init(writer: any DatabaseWriter, path: String) {
    self.writer = writer
    self.path = path
  }

  /// Creates a database in memory, for simulations and tests. It exists as long as this value.
  package static func inMemory(
    schema: [SchemaMigration]
  ) throws(StoreError) -> DeviceDatabase {
    DeviceDatabase(writer: try file(schema).openInMemory(), path: "in memory")
  }

  /// Copies an empty database in memory, which is faster than creating one.
  package func copied() throws(StoreError) -> DeviceDatabase {
    DeviceDatabase(
      writer: try Self.file([]).openInMemory(like: writer), path: "in memory")
  }

  /// Runs one write transaction.
  func write<Result>(_ body: (Database) throws -> Result) throws -> Result {
    try translatingErrors { try writer.write(body) }
  }

  /// Runs one read transaction, concurrently with writes.
  func read<Result>(_ body: (Database) throws -> Result) throws -> Result {
    try translatingErrors {
      readsWithWriter ? try writer.writeWithoutTransaction(body) : try writer.reading(body)
    }
  }

  /// The same database, read with the writing connection. Its cached pages stay valid when it writes; another connection
  /// reads them from the disk's cache again after each commit. Nothing may write during such a read.
  var readWithWriter: DeviceDatabase {
    var database = self
    database.readsWithWriter = true
    return database
  }

  /// Copies the log into the database file and closes it. Data is safe without this call.
  package func close() throws(StoreError) {
    do {
      try writer.close()
    } catch {
      throw StoreError(error, path: path)
    }
  }

  private func translatingErrors<Result>(_ body: () throws -> Result) throws -> Result {
    do {
      return try body()
    } catch let error as DatabaseError {
      throw StoreError(error, path: path)
    }
  }
}
