// Opens an SQLite file of ours, and refuses everybody else's with a sentence and without a change.
// What must stay true: the one connection that writes is also the only one that checkpoints (SQLite
// before 3.51.3 can damage a log that two connections checkpoint), and it waits for the disk on
// every commit: who was told that something is saved can pull the plug.

import GRDB
import Records

/// Which application's file it is, and how its tables come to be.
package struct SQLiteFile {
  /// The number in the file's header that says whose it is.
  private let applicationID: Int32
  private let migrator: DatabaseMigrator
  private let cacheKibibytes: Int
  private let checksReferences: Bool

  /// Describes a kind of file. `cacheKibibytes` is what the writing connection may keep in memory;
  /// `checksReferences` has the database look, at each write, whether the rows it refers to exist.
  package init(
    applicationID: Int32, migrator: DatabaseMigrator, cacheKibibytes: Int,
    checksReferences: Bool = true
  ) {
    self.applicationID = applicationID
    self.migrator = migrator
    self.cacheKibibytes = cacheKibibytes
    self.checksReferences = checksReferences
  }

  /// Opens or creates the file at `path` and brings its tables up to date. Readers run beside the
  /// writer.
  /// Before the tables change, the file is copied beside itself, under its name and that of the
  /// last change it had: whoever must go back to an older version has what that one knew.
  /// - Parameter log: who copies the log into the file, in place of the commit that fills it.
  /// - Throws: `foreign`, `newer`, `unreadable`, `damaged` or `full`, and the file is as it was.
  package func open(
    path: String, readers: Int, log: WriteAheadLog? = nil
  ) throws(StoreError) -> DatabasePool {
    do {
      try takeBackHalfWrites(path: path)
      try refuseOthers(path: path)
      try keepCopy(path: path)
      var configuration = configuration
      if let log {
        // The database keeps this closure, and the log with it.
        configuration.prepareDatabase { if !$0.configuration.readonly { log.attend($0) } }
      }
      configuration.maximumReaderCount = readers
      let pool = try DatabasePool(path: path, configuration: configuration)
      try prepare(pool)
      return pool
    } catch {
      throw StoreError(error, path: path)
    }
  }

  /// Opens the file at `path` for reading only, beside a program that writes to it.
  /// - Throws: `unreadable` when there is none; `foreign`, `newer` or `damaged`.
  package func openForReading(path: String) throws(StoreError) -> DatabaseQueue {
    do {
      guard try FileProbe.sizeBytes(of: path) > 0 else {
        throw StoreError(.unreadable, "There is no database at \(path).")
      }
      try refuseOthers(path: path)
      return try DatabaseQueue(path: path, configuration: Self.reading)
    } catch {
      throw StoreError(error, path: path)
    }
  }

  /// Copies a database to a new file, as one moment has it. The copy has its name only when it is
  /// whole and on the disk.
  /// - Throws: `full`, `disk` or `unreadable`; what lay under the name is as it was.
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

  /// Takes back what a first start, or a change of the tables, had half written when it died. There
  /// is no log yet then but a journal, and SQLite lets nobody read, who may not write, before that
  /// is done.
  private func takeBackHalfWrites(path: String) throws {
    guard try FileProbe.sizeBytes(of: "\(path)-journal") > 0 else { return }
    let queue = try DatabaseQueue(path: path, configuration: Self.recovering)
    _ = try queue.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM sqlite_master") }
    try queue.close()
  }

  private static var recovering: Configuration {
    var configuration = Configuration()
    configuration.busyMode = patience
    return configuration
  }

  private func keepCopy(path: String) throws {
    guard try FileProbe.sizeBytes(of: path) > 0 else { return }
    let source = try DatabaseQueue(path: path, configuration: Self.reading)
    defer { try? source.close() }
    let (last, isCurrent) = try source.read { db in
      (try migrator.appliedMigrations(db).last, try migrator.hasCompletedMigrations(db))
    }
    guard let last, !isCurrent else { return }
    try Self.copy(source, to: "\(path).\(last.replacing(" ", with: "-"))")
  }

  /// Removes the copies that `open` left of the file at `path` when its tables changed: they hold
  /// what may have been erased from it since.
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
    configuration.busyMode = patience
    return configuration
  }

  /// A database of this kind that lives in memory.
  package func openInMemory() throws(StoreError) -> DatabaseQueue {
    do {
      let queue = try DatabaseQueue(configuration: configuration)
      try prepare(queue)
      return queue
    } catch {
      throw StoreError(error, path: "in memory")
    }
  }

  /// A database of this kind that lives in memory and holds what `template` holds, page by page. Where
  /// many are made, making tables was most of what that took.
  package func openInMemory(like template: DatabaseQueue) throws(StoreError) -> DatabaseQueue {
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
    configuration.busyMode = Self.patience
    configuration.foreignKeysEnabled = checksReferences
    configuration.prepareDatabase { [cacheKibibytes] db in
      try db.execute(sql: "PRAGMA cache_size = -\(cacheKibibytes)")
      let pages = db.configuration.readonly ? 0 : WriteAheadLog.pagesMaximum
      try db.execute(sql: "PRAGMA wal_autocheckpoint = \(pages)")
    }
    return configuration
  }

  /// How long somebody else, a backup or a shell, may hold the file before we give up.
  private static let patience = Database.BusyMode.timeout(5)

  /// Looks at a file before anything of ours touches it. An empty one belongs to nobody.
  private func refuseOthers(path: String) throws {
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
          .newer, "\(path) was written by a newer version of this program; update it.")
      }
    }
  }

  private func prepare(_ writer: some DatabaseWriter) throws {
    try writer.writeWithoutTransaction { db in
      // NB: a pool sets NORMAL when it turns the log on, after `prepareDatabase`.
      try db.execute(sql: "PRAGMA synchronous = FULL")
      try db.execute(sql: "PRAGMA application_id = \(applicationID)")
    }
    try migrator.migrate(writer)
  }
}
