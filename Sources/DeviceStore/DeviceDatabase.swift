// The file a device keeps. How it is opened, and what is refused with which sentence, is the same
// for all our files (SQLiteFile); what the disk does to it later is told as a StoreError.

import GRDB
import Records
import SQLiteFile

/// A device's SQLite database, on disk or in memory.
package struct DeviceDatabase: Sendable {
  let writer: any DatabaseWriter
  private let path: String

  /// What marks a file as ours: “CTdv”.
  private static let applicationID: Int32 = 0x4354_6476
  /// Lists, searches and the sync read beside each other.
  private static let readers = 4

  private static func file(_ schema: [SchemaMigration]) -> SQLiteFile {
    // NB: what a search in a large book looks up lies all over a table of 15 MiB; an agent that is
    // not asked fills nothing.
    SQLiteFile(
      applicationID: applicationID, migrator: Schema.migrator(schema), cacheKibibytes: 16_000)
  }

  /// Opens the database at `path`, making it if there is none. The caller has seen to it that no
  /// other process works on it.
  /// - Parameter schema: the tables of the application's projections.
  /// - Throws: `StoreError`, told apart by what a person can do.
  package init(path: String, schema: [SchemaMigration]) throws(StoreError) {
    self.init(
      writer: try Self.file(schema).open(path: path, readers: Self.readers), path: path)
    try overwriteWhatGoes()
  }

  /// Has SQLite overwrite what is deleted, also where it was not built to.
  private func overwriteWhatGoes() throws(StoreError) {
    do {
      try writer.writeWithoutTransaction { try $0.execute(sql: "PRAGMA secure_delete = ON") }
    } catch {
      throw StoreError(error, path: path)
    }
  }

  /// Writes every page again, with nothing in their unused parts.
  func rewrite() throws {
    do {
      try writer.writeWithoutTransaction { try $0.execute(sql: "VACUUM") }
    } catch {
      throw StoreError(error, path: path)
    }
  }

  /// Copies the log into the file and empties it.
  /// - Returns: whether it is empty; a reader may have stood in the way.
  func emptyLog() throws -> Bool {
    do {
      try writer.writeWithoutTransaction { db in
        // Whoever reads is waited for by trying again, not by standing still.
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

  /// Removes the copies that changes of the tables left beside the file.
  func removeFormerCopies() throws {
    guard writer is DatabasePool else { return }
    try SQLiteFile.removeCopies(of: path)
  }

  private init(writer: any DatabaseWriter, path: String) {
    self.writer = writer
    self.path = path
  }

  /// A new database in memory, for simulations and tests; it lives as long as this value.
  package static func inMemory(
    schema: [SchemaMigration]
  ) throws(StoreError) -> DeviceDatabase {
    DeviceDatabase(writer: try file(schema).openInMemory(), path: "in memory")
  }

  /// A copy in memory of an empty database in memory, which takes less time than a new one.
  package func copied() throws(StoreError) -> DeviceDatabase {
    DeviceDatabase(
      writer: try Self.file([]).openInMemory(like: writer), path: "in memory")
  }

  /// Runs one write transaction.
  func write<Result>(_ body: (Database) throws -> Result) throws -> Result {
    try translatingErrors { try writer.write(body) }
  }

  /// Runs one read transaction, beside any write.
  func read<Result>(_ body: (Database) throws -> Result) throws -> Result {
    try translatingErrors { try writer.reading(body) }
  }

  /// Copies the log into the database file and closes it. Not needed for anything to be safe.
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
