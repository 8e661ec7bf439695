// Counts the unconfirmed deletions of one action, group by group, on top of what is stored of earlier
// actions. The content that a refusal brings back is the trash's: a mark on its rows says which of
// them were counted, so that an emptied trash, or a record that shows again, needs no second place.

import GRDB
import Records
import SQLiteFile
import SyncCore

/// The unconfirmed deletions of one action.
struct DeletionCounter {
  static let table = """
    CREATE TABLE deletion_count (
      zone INTEGER PRIMARY KEY REFERENCES zone ON DELETE CASCADE,
      baseline INTEGER NOT NULL,
      deletions INTEGER NOT NULL,
      latest INTEGER NOT NULL
    ) STRICT;

    """

  private let transaction: DeviceTransaction
  /// The counts as they were before the action, by the groups' rows.
  private var counts: [Int64: DeletionCount] = [:]
  private var deleted: [(name: RecordName, zone: Int64)] = []

  init(_ transaction: DeviceTransaction) { self.transaction = transaction }

  private var db: Database { transaction.db }

  /// Loads a group's count. Call this before the action changes what the group shows: an empty count
  /// takes its baseline from that.
  mutating func begin(_ zone: Int64) throws {
    guard counts[zone] == nil else { return }
    if let stored = try Self.load(db, zone) {
      // What is held waits for an answer, which also decides about what was sent before it.
      if try DeletionHold.isHolding(zone, db) || !stored.isExpired(at: transaction.now) {
        counts[zone] = stored
        return
      }
      try Self.reset(zone, db)
    }
    counts[zone] = DeletionCount(
      baseline: try Self.shownNames(in: zone, db).count, latest: transaction.now)
  }

  /// Notes that the action deletes a record, after `begin` for its group.
  mutating func note(_ name: RecordName, type: RecordType, in zone: Int64) {
    guard type != ConflictRecord.recordType, type != FirstRecords.markerType else { return }
    deleted.append((name, zone))
  }

  /// Whether the deletion of a whole group is held, after `begin` for it.
  /// - Parameter kept: the names of records that the action puts into another group.
  func holdsGroup(_ zone: Int64, kept: Set<RecordName>) throws -> Bool {
    let lost = try Self.shownNames(in: zone, db).subtracting(kept).count
    return DeletionGuard.holdsGroup(losing: lost, after: counts[zone]?.deletions ?? 0)
  }

  /// Stores the counts and holds what is over the limit.
  /// - Parameter moved: the names of records that the action made elsewhere: those are not lost.
  func finish(moved: Set<RecordName>) throws {
    let lost = deleted.filter { !moved.contains($0.name) }
    for (zone, deletions) in Dictionary(grouping: lost, by: \.zone).sorted(by: { $0.key < $1.key })
    {
      guard var count = counts[zone] else {
        preconditionFailure("A deletion is noted after its zone's count was loaded.")
      }
      count.add(deletions.count, at: transaction.now)
      try Self.store(count, of: zone, db)
      for deletion in deletions {
        try db.run(
          "UPDATE trash SET counted = 1 WHERE zone = ? AND name = ?", [zone, deletion.name.text])
      }
      if try count.isOverLimit || DeletionHold.isHolding(zone, db) {
        try DeletionHold.hold(zone, db)
      }
    }
  }

  /// Ends a group's count.
  static func reset(_ zone: Int64, _ db: Database) throws {
    try db.run("UPDATE trash SET counted = 0 WHERE zone = ? AND counted = 1", [zone])
    try db.run("DELETE FROM deletion_count WHERE zone = ?", [zone])
  }

  private static func load(_ db: Database, _ zone: Int64) throws -> DeletionCount? {
    try db.row("SELECT * FROM deletion_count WHERE zone = ?", [zone]).map { row in
      DeletionCount(
        baseline: row["baseline"], deletions: row["deletions"],
        latest: Timestamp(microseconds: row["latest"]))
    }
  }

  private static func store(_ count: DeletionCount, of zone: Int64, _ db: Database) throws {
    try db.run(
      "INSERT OR REPLACE INTO deletion_count (zone, baseline, deletions, latest) VALUES (?, ?, ?, ?)",
      [zone, count.baseline, count.deletions, count.latest.microseconds])
  }

  private static func shownNames(in zone: Int64, _ db: Database) throws -> Set<RecordName> {
    let rows = try db.rows(
      """
      SELECT name FROM record WHERE zone = ? AND shown IS NOT NULL AND type NOT IN (?, ?)
      """, [zone, ConflictRecord.recordType.text, FirstRecords.markerType.text])
    return Set(rows.map { RecordName(stored: $0["name"]) })
  }
}
