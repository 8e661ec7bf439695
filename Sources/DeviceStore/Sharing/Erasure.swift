// Wipes off the disk what a transaction has deleted: SQLite's rows are gone at its commit, their
// bytes are not. They lie in the log until it is copied back, and in the full text's older segments
// until those are merged. Deleted cells and freed pages are overwritten at once (secure_delete), but
// a row that SQLite moved to another page while it balanced a tree leaves its bytes in the first
// page's unused part; only writing the whole file again removes those. It is noted in the transaction
// that makes it necessary, so that a crash only puts it off.

import Foundation
import GRDB
import Records
import SQLiteFile

enum Erasure {
  /// Something was deleted that must not stay in the file.
  static func need(_ transaction: DeviceTransaction) throws {
    try transaction.db.run("UPDATE identity SET to_erase = 1")
    transaction.needsErasing = true
  }

  /// Whether something has still to be wiped.
  static func isNeeded(_ db: Database) throws -> Bool {
    try db.number("SELECT to_erase FROM identity") > 0
  }

  /// Wipes it. Writes the whole database again, which takes a second or two for 100,000 records and
  /// as much room on the disk as it has.
  /// - Returns: whether it is done; a reader may have stood in the way.
  static func erase(_ database: DeviceDatabase, _ application: Application) throws -> Bool {
    guard try database.read(isNeeded) else { return true }
    try database.write { db in
      for projection in application.projections { try projection.compact(db) }
    }
    // First the log, which has most of it and is quick to empty.
    guard try database.emptyLog() else { return false }
    try database.rewrite()
    guard try database.emptyLog() else { return false }
    try database.removeFormerCopies()
    try database.write { try $0.run("UPDATE identity SET to_erase = 0") }
    return true
  }
}

extension Replica {
  /// Whether bytes of what is gone may still lie in the file: `erase` until they do not.
  package func needsErasing() throws -> Bool {
    try database.read(Erasure.isNeeded)
  }

  /// Wipes the bytes of what is gone.
  /// - Returns: whether that is done; if not, a reader stood in the way: try again.
  /// - Throws: `StoreError`; trying again goes on.
  package func erase() throws -> Bool {
    try Erasure.erase(database, application)
  }
}
