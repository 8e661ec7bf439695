// A broker's database as an operator handles it: copy, check, repair, listings, and a new history after a
// restore. Copies, checks and listings only read, at one snapshot, in a separate process; the broker may
// keep running. The others change the file, which no broker may have open.

import FoundationEssentials
import GRDB
import Records
import SQLiteFile

/// A broker's database file.
package struct BrokerArchive: Sendable {
  let path: String

  /// Creates an archive for the database at `path`. It opens the file at each call.
  package init(path: String) {
    self.path = path
  }

  /// Copies a snapshot of the database to `target`. Reads the whole file.
  /// - Throws: `StoreError`, if the database cannot be read or the copy cannot be written.
  package func copy(to target: String) throws(StoreError) {
    let database = try BrokerSchema.file.openForReading(path: path)
    defer { try? database.close() }
    try SQLiteFile.copy(database, to: target)
  }

  /// The findings of `mend`.
  package struct RepairReport: Hashable, Sendable {
    /// Whether indexes disagreed with their tables and were rebuilt.
    package var hasNewIndexes = false
    /// Whether the names of the damaged records are reliable: an index has the records under these names.
    package var namesAreReliable = true
    /// The damaged record states, a sentence each, at most 100.
    package var damaged: [String] = []
    /// The number of damaged record states.
    package var damagedCount = 0
  }

  /// Rebuilds the indexes of a copy if they disagree with their tables, which loses nothing. Also finds the
  /// damaged records, and leaves them as they are. Reads the whole file, which no broker may have open.
  /// - Throws: `damaged`, if more than indexes and records is damaged.
  package func mend() throws(StoreError) -> RepairReport {
    try writing {
      try $0.write { db in
        var report = RepairReport()
        let indexes = try rebuildIndexes(db)
        report.hasNewIndexes = !indexes.wereSound
        report.namesAreReliable = indexes.namesAreReliable
        let damaged = try DamagedRecords(database: db).damaged(atMost: .max)
        report.damagedCount = damaged.count
        report.damaged = damaged.prefix(100).map(\.sentence)
        return report
      }
    }
  }

  /// Rebuilds all indexes if an integrity check finds a fault.
  /// - Returns: Whether there was no fault, and whether the old indexes confirm the names of the damaged
  ///   records.
  /// - Throws: `damaged`, if the rebuilt indexes do not pass the check.
  func rebuildIndexes(_ db: Database) throws -> (wereSound: Bool, namesAreReliable: Bool) {
    func fault() throws -> String? {
      let finding = try String.fetchOne(db, sql: "PRAGMA integrity_check(1)")
      return finding == "ok" ? nil : finding ?? "the integrity check gave no result"
    }
    guard try fault() != nil else { return (true, true) }
    let namesAreReliable = (try? DamagedRecords(database: db).areNamesConfirmed()) ?? false
    // It fails if a table cannot be read or has a duplicate key; the next check reports that.
    try? db.execute(sql: "REINDEX")
    if let finding = try fault() {
      throw StoreError(.damaged, "The database \(path) is damaged: \(finding).")
    }
    return (false, namesAreReliable)
  }

  /// Starts a new history after a restore, because the changes after this backup are lost. Devices read all
  /// zones again and send the records that the broker no longer has. Revisions of directories rise above all
  /// that devices may know, so that no device mistakes its old directory for the present one. Damaged record
  /// states are replaced by tombstones and missing files are marked, so that devices are asked for both. Must
  /// be called after `mend`, on a file that no broker has open.
  /// - Parameters:
  ///   - namesAreReliable: Whether the names of damaged records are reliable, as `mend` reports.
  ///   - lost: The asset files that cannot be restored.
  package func beginNewHistory(
    at now: Timestamp, namesAreReliable: Bool = true, lost: [AssetDigest] = [],
    using generator: inout some RandomNumberGenerator
  ) throws(StoreError) {
    // Drawn here, because the closures below cannot capture an inout parameter.
    let increments = HistoryIncrements(using: &generator)
    try writing { database in
      try database.write { db in
        try db.execute(
          sql: """
            UPDATE zone SET former_incarnation = incarnation, kept_through = head + 1,
              incarnation = randomblob(16)
            """)
        let damagedRecords = DamagedRecords(database: db)
        let removed = try damagedRecords.remove(at: now)
        let unknown = damagedRecords.zonesWithUnknownLosses(
          in: removed, namesAreReliable: namesAreReliable)
        for zone in unknown { try damagedRecords.discardFormerHistory(of: zone) }
        try raiseNumbers(db, by: increments)
        // The backup has no files without uses; the devices that uploaded them upload them again.
        try db.execute(sql: "DELETE FROM asset WHERE unused_since IS NOT NULL")
        for digest in lost {
          _ = try LostAssetTable(db: SQLiteFileConnection(db)).mark(digest, at: now)
        }
      }
    }
  }

  private func raiseNumbers(_ db: Database, by increments: HistoryIncrements) throws {
    try db.execute(
      sql: "UPDATE directory SET revision = revision + ?", arguments: [increments.directory])
    try db.execute(
      sql: "UPDATE directory_head SET revision = revision + ?1, zones_from = revision + ?1, "
        + "subscriptions_from = revision + ?1",
      arguments: [increments.directory])
    try db.execute(
      sql: "UPDATE notification_head SET number = number + ?",
      arguments: [increments.notifications])
  }

  /// Opens the database for writing, runs `body`, and closes it.
  func writing<Result>(
    _ body: (DatabasePool) throws -> Result
  ) throws(StoreError) -> Result {
    let database = try BrokerSchema.file.open(path: path, readers: 1)
    do {
      let result = try body(database)
      try database.close()
      return result
    } catch {
      throw StoreError(error, path: path)
    }
  }

  /// Opens the database for reading and runs `body` at a snapshot.
  func reading<Result>(_ body: (Database) throws -> Result) throws(StoreError) -> Result {
    let database = try BrokerSchema.file.openForReading(path: path)
    defer { try? database.close() }
    do {
      return try database.read(body)
    } catch {
      throw StoreError(error, path: path)
    }
  }
}

/// The increments of the numbers that devices remember, at a restore. They are random, because the same
/// backup may be restored twice: with equal numbers, a device would mistake new changes for those that it
/// received after the first restore.
private struct HistoryIncrements {
  /// A multiple of 2^32, which is more than the changes to a directory between two backups.
  let directory: Int64
  /// More than the notifications that exist. The sum of a few increments stays below
  /// `BrokerLimits.notificationLead`.
  let notifications: Int64

  init(using generator: inout some RandomNumberGenerator) {
    directory = .random(in: 1...1 << 20, using: &generator) << 32
    notifications = 1 << 31 + .random(in: 0..<1 << 30, using: &generator)
  }
}
