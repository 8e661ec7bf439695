// A broker's database as an operator handles it: copy, check, repair, listings, and a new history after a
// restore. Copies, checks and listings only read, at one snapshot, in a separate process; the broker may
// keep running. The others change the file, which no broker may have open.

import GRDB
import Records
import SQLConnections
import SQLiteFile

/// A broker's database file.
package struct BrokerArchive: RecordArchive {
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
        let damaged = try DamagedRecords(db: SQLiteFileConnection(db)).damaged(atMost: .max)
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
    let namesAreReliable =
      (try? DamagedRecords(db: SQLiteFileConnection(db)).areNamesConfirmed()) ?? false
    // It fails if a table cannot be read or has a duplicate key; the next check reports that.
    try? db.execute(sql: "REINDEX")
    if let finding = try fault() {
      throw StoreError(.damaged, "The database \(path) is damaged: \(finding).")
    }
    return (false, namesAreReliable)
  }

  /// Starts a new history after a restore; see `NewHistory`. Must be called after `mend`, on a file that no broker has
  /// open.
  /// - Parameters:
  ///   - kind: What devices do with what happened after the backup.
  ///   - namesAreReliable: Whether the names of damaged records are reliable, as `mend` reports.
  ///   - lost: The asset files that cannot be restored.
  package func beginNewHistory(
    at now: Timestamp, _ kind: RestoreKind = .continue, namesAreReliable: Bool = true,
    lost: [AssetDigest] = [],
    using generator: some RandomNumberGenerator = SystemRandomNumberGenerator()
  ) throws(StoreError) {
    let random = RandomSource(generator)
    try writing { database in
      try database.write { db in
        try NewHistory(db: SQLiteFileConnection(db), random: random).begin(
          at: now, kind, namesAreReliable: namesAreReliable, lost: lost)
      }
    }
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

  package func snapshot<Result>(_ body: (any SQLConnection) throws -> Result) throws -> Result {
    let database = try BrokerSchema.file.openForReading(path: path)
    defer { try? database.close() }
    do {
      return try database.read { try body(SQLiteFileConnection($0)) }
    } catch let error as DatabaseError {
      throw StoreError(error, path: path)
    }
  }

  package func byteCount(on db: any SQLConnection) throws -> Int64 {
    try db.value("SELECT page_count * page_size FROM pragma_page_count, pragma_page_size") ?? 0
  }

  package func faults(on db: any SQLConnection) throws -> [String] {
    let faults: [String] = try db.column("PRAGMA integrity_check(100)")
    return faults.filter { $0 != "ok" }
  }
}
