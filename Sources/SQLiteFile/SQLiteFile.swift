// Opens this project's SQLite files, and refuses the files of other programs without changing them.
//
// Invariants: the only connection that writes is also the only one that checkpoints, because SQLite before
// 3.51.3 can damage a log that two connections checkpoint. It synchronizes every commit to disk, so a
// confirmed change survives a power cut.

import GRDB
import Records

/// A kind of database file: its application id and its migrations.
package struct SQLiteFile {
  /// The number in the file's header that identifies the application.
  private let applicationID: Int32
  private let migrator: DatabaseMigrator
  private let cacheKibibytes: Int
  private let checksReferences: Bool

  /// Creates the description of a kind of file.
  /// - Parameters:
  ///   - applicationID: The number in the file's header.
  ///   - migrator: The migrations that create and change the tables.
  ///   - cacheKibibytes: The size of a connection's page cache.
  ///   - checksReferences: Whether SQLite enforces foreign keys.
  package init(
    applicationID: Int32, migrator: DatabaseMigrator, cacheKibibytes: Int,
    checksReferences: Bool = true
  ) {
    self.applicationID = applicationID
    self.migrator = migrator
    self.cacheKibibytes = cacheKibibytes
    self.checksReferences = checksReferences
  }

  /// Opens or creates the file at `path` and migrates it to the current version.
  ///
  /// Before a migration, the file is copied next to the original, named after the last migration it had. With
  /// the copy the operator can return to an older version of the program.
  /// - Parameters:
  ///   - path: The path of the file.
  ///   - readers: The maximum number of concurrent readers. They can run at the same time as the writer.
  ///   - log: The object that checkpoints the log between commits; `nil` to checkpoint in commits.
  /// - Throws: `foreign`, `otherVersion`, `unreadable`, `damaged` or `full`. The file is unchanged then.
  package func open(
    path: String, readers: Int, log: WriteAheadLog? = nil
  ) throws(StoreError) -> DatabasePool {
    do {
      try rollBackJournal(path: path)
      try validateOwner(path: path)
      try copyBeforeMigration(path: path)
      var configuration = configuration
      if let log {
        // The database retains this closure, and with it the log.
        configuration.prepareDatabase {
          if !$0.configuration.readonly { log.observeCommits(of: $0) }
        }
      }
      configuration.maximumReaderCount = readers
      let pool = try DatabasePool(path: path, configuration: configuration)
      try prepare(pool)
      return pool
    } catch {
      throw StoreError(error, path: path)
    }
  }

  /// Opens the file at `path` read-only; another program may write to it at the same time.
  /// - Throws: `unreadable` if there is no such file; `foreign`, `otherVersion` or `damaged`.
  package func openForReading(path: String) throws(StoreError) -> DatabaseQueue {
    do {
      guard try FileProbe.sizeBytes(of: path) > 0 else {
        throw StoreError(.unreadable, "There is no database at \(path).")
      }
      try validateOwner(path: path)
      return try DatabaseQueue(path: path, configuration: Self.reading)
    } catch {
      throw StoreError(error, path: path)
    }
  }

  /// Copies a snapshot of a database to the file at `path`. The copy gets its name only when it is complete
  /// and on disk.
  /// - Throws: `full`, `disk` or `unreadable`; an existing file at `path` is unchanged then.
  package static func copy(_ source: any DatabaseReader, to path: String) throws(StoreError) {
    let partial = "\(path).new"
    do {
      try FileProbe.remove(partial)
      let copy = try DatabaseQueue(path: partial)
      try source.backup(to: copy)
      try copy.close()
      try FileProbe.publish(partial, as: path)
    } catch {
      try? FileProbe.remove(partial)
      throw StoreError(error, path: path)
    }
  }

  /// Rolls back an unfinished first start or migration after a crash. Such a file has a rollback journal,
  /// and SQLite refuses read-only connections until a writing connection has rolled it back.
  private func rollBackJournal(path: String) throws {
    guard try FileProbe.sizeBytes(of: "\(path)-journal") > 0 else { return }
    let queue = try DatabaseQueue(path: path, configuration: Self.recovering)
    _ = try queue.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM sqlite_master") }
    try queue.close()
  }

  private static var recovering: Configuration {
    var configuration = Configuration()
    configuration.busyMode = busyTimeout
    return configuration
  }

  private func copyBeforeMigration(path: String) throws {
    guard try FileProbe.sizeBytes(of: path) > 0 else { return }
    let source = try DatabaseQueue(path: path, configuration: Self.reading)
    defer { try? source.close() }
    let (last, isCurrent) = try source.read { db in
      (try migrator.appliedMigrations(db).last, try migrator.hasCompletedMigrations(db))
    }
    guard let last, !isCurrent else { return }
    try Self.copy(source, to: "\(path).\(last.replacing(" ", with: "-"))")
  }

  /// Deletes the copies that `open` made before migrations of the file at `path`. They may contain data that
  /// was erased from the file since.
  /// - Throws: `disk` or `unreadable`.
  package static func removeCopies(of path: String) throws(StoreError) {
    do {
      for copy in try FileProbe.numbered(path) { try FileProbe.remove(copy) }
    } catch {
      throw StoreError(error, path: path)
    }
  }

  private static var reading: Configuration {
    var configuration = Configuration()
    configuration.readonly = true
    configuration.busyMode = busyTimeout
    return configuration
  }

  /// Creates a database of this kind in memory.
  package func openInMemory() throws(StoreError) -> DatabaseQueue {
    do {
      let queue = try DatabaseQueue(configuration: configuration)
      try prepare(queue)
      return queue
    } catch {
      throw StoreError(error, path: "in memory")
    }
  }

  /// Creates a database of this kind in memory by copying the pages of `template`. For many databases this
  /// is faster, because creating the tables takes most of the time.
  package func openInMemory(like template: any DatabaseReader) throws(StoreError) -> DatabaseQueue {
    do {
      let queue = try DatabaseQueue(configuration: configuration)
      try template.backup(to: queue)
      return queue
    } catch {
      throw StoreError(error, path: "in memory")
    }
  }

  private var configuration: Configuration {
    var configuration = Configuration()
    configuration.busyMode = Self.busyTimeout
    configuration.foreignKeysEnabled = checksReferences
    configuration.prepareDatabase { [cacheKibibytes] db in
      try db.execute(sql: "PRAGMA cache_size = -\(cacheKibibytes)")
      let pages = db.configuration.readonly ? 0 : WriteAheadLog.pagesMaximum
      try db.execute(sql: "PRAGMA wal_autocheckpoint = \(pages)")
      try db.execute(sql: "PRAGMA journal_size_limit = \(WriteAheadLog.bytesKept)")
    }
    return configuration
  }

  /// The time to wait, in seconds, while another program such as a backup has locked the file.
  private static let busyTimeout = Database.BusyMode.timeout(5)

  /// Checks before the first write that the file belongs to this application and has no tables of another version of the
  /// program. An empty file is accepted.
  private func validateOwner(path: String) throws {
    guard try FileProbe.sizeBytes(of: path) > 0 else { return }
    let queue = try DatabaseQueue(path: path, configuration: Self.reading)
    defer { try? queue.close() }
    try queue.read { db in
      let owner = try Int32.fetchOne(db, sql: "PRAGMA application_id") ?? 0
      let tables = try Int.fetchOne(db, sql: "SELECT count(*) FROM sqlite_master") ?? 0
      guard owner == applicationID || (owner == 0 && tables == 0) else {
        throw StoreError(
          .foreign, "\(path) is the database of another program; choose another file.")
      }
      guard try !migrator.hasBeenSuperseded(db) else {
        throw StoreError(
          .otherVersion,
          "\(path) was written by another version of this program; use that version, or export with it and "
            + "import with this one.")
      }
    }
  }

  private func prepare(_ writer: some DatabaseWriter) throws {
    try writer.writeWithoutTransaction { db in
      // NB: a pool sets NORMAL when it enables the write-ahead log, after `prepareDatabase`.
      try db.execute(sql: "PRAGMA synchronous = FULL")
      try db.execute(sql: "PRAGMA application_id = \(applicationID)")
    }
    try migrator.migrate(writer)
  }
}
