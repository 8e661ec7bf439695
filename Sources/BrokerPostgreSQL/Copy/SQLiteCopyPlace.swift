// A store of a copy in a state directory. An unfinished copy is a file of another name; publishing and sealing are renames
// of files.

import AssetFiles
import BrokerStore
import GRDB
import Records
import SQLConnections
import SQLiteFile

/// The place of a store in a state directory: a database file and, next to it, the directory of asset files.
final class SQLiteCopyPlace: CopyPlace {
  private let directory: String
  private let filesPath: String
  private let path: String
  private let copyPath: String
  private let sealedPath: String

  /// - Parameter directory: The path of the state directory.
  init(directory: String) {
    self.directory = directory
    filesPath = "\(directory)/assets"
    path = "\(directory)/broker.sqlite"
    copyPath = "\(path).copy"
    sealedPath = SealedStore.path(of: path)
  }

  var name: String { "“\(path)”" }
  var sealedName: String { "“\(sealedPath)”" }
  var copyName: String { "“\(copyPath)”" }

  func hasStore() throws -> Bool {
    if SQLiteFile.hasContent(path) { return true }
    guard !SQLiteFile.hasLog(path) else {
      throw StoreError(
        .foreign, "\(path)-wal or \(path)-journal belongs to a database that is gone; move it away."
      )
    }
    return false
  }

  func hasSealedStore() -> Bool { SQLiteFile.hasContent(sealedPath) }

  func openStore() throws -> any CopyDatabase {
    SQLiteCopyDatabase(try BrokerSchema.file.open(path: path, readers: 1))
  }

  func openSealedStore() throws -> any CopyDatabase {
    SQLiteCopyDatabase(try BrokerSchema.file.open(path: sealedPath, readers: 1))
  }

  func storeFiles() throws -> any CompleteFiles {
    try AssetFiles(directory: filesPath, reserveBytes: 0)
  }

  // MARK: The copy

  func openCopy() throws -> (any CopyDatabase)? {
    guard SQLiteFile.hasContent(copyPath) else { return nil }
    let pool = try BrokerSchema.file.open(path: copyPath, readers: 1)
    let copy = SQLiteCopyDatabase(pool)
    guard try CopyOrigin.read(from: copy) != nil else {
      try copy.close()
      throw StoreError(
        .foreign, "\(copyPath) was not written by “contacts-broker copy”; move it away.")
    }
    try pool.write(Self.dropTriggers)
    return copy
  }

  /// NB: the file gets its name only when it has the digest of its source. So it is never mistaken for another file.
  func beginCopy(of digest: String) throws -> any CopyDatabase {
    let empty = try BrokerSchema.file.openInMemory(like: BrokerSchema.empty.get())
    try empty.write { database in
      try Self.dropTriggers(database)
      let db = SQLiteFileConnection(database)
      for table in try CopiedTable.all.get() {
        try db.run("DELETE FROM \(CopiedTable.quoted(table.name))")
      }
      try CopyOrigin.create(digest, in: db)
    }
    try SQLiteFile.copy(empty, to: copyPath)
    return SQLiteCopyDatabase(try BrokerSchema.file.open(path: copyPath, readers: 1))
  }

  /// The files of the store: a broker deletes those that no record refers to when it starts.
  func copyFiles() throws -> any CompleteFiles { try storeFiles() }

  func confirmFiles() throws {
    for index in UInt8.min...UInt8.max {
      let name = "\(filesPath)/\(index < 16 ? "0" : "")\(String(index, radix: 16))"
      if SQLiteFile.exists(name) { try SQLiteFile.synchronize(name) }
    }
    try SQLiteFile.synchronize(filesPath)
    try confirmName()
  }

  func discardCopy() throws {
    guard let copy = try openCopy() else { return }
    try copy.close()
    try SQLiteFile.remove(copyPath)
  }

  func publish(_ copy: any CopyDatabase) throws {
    let triggers = try BrokerSchema.empty.get().read {
      try String.fetchAll($0, sql: "SELECT sql FROM sqlite_master WHERE type = 'trigger'")
    }
    try copy.write { db in
      for trigger in triggers { try db.run(trigger) }
    }
    try copy.close()
    try SQLiteFile.rename(copyPath, to: path)
  }

  func confirmName() throws { try SQLiteFile.synchronize(directory) }

  private static func dropTriggers(_ database: Database) throws {
    let names = try String.fetchAll(
      database, sql: "SELECT name FROM sqlite_master WHERE type = 'trigger'")
    for name in names { try database.execute(sql: "DROP TRIGGER \(CopiedTable.quoted(name))") }
  }

  func seal() throws {
    try SQLiteFile.rename(path, to: sealedPath)
  }
}
