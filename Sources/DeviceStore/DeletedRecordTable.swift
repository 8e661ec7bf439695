// The deletions that this device knows the broker to have confirmed, for as long as a broker retains its tombstones. A broker
// that was restored may send such a record again; the device then repeats the deletion. A row is independent of the trash,
// so a record that was erased for good does not return either.

import Foundation
import GRDB
import Records
import SQLiteFile
import SyncCore

/// The `deleted_record` table.
struct DeletedRecordTable {
  static let schema = """
    CREATE TABLE deleted_record (
      zone INTEGER NOT NULL REFERENCES zone ON DELETE CASCADE,
      name TEXT NOT NULL,
      versions BLOB NOT NULL,
      move BLOB,
      time INTEGER NOT NULL,
      PRIMARY KEY (zone, name)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX deleted_record_age ON deleted_record (time);

    """

  /// The days after which a broker expires a tombstone.
  private static let days: Int64 = 90

  let db: Database

  /// Stores a deletion. A later one of the same record replaces it.
  func note(_ name: RecordName, in zone: ZoneRow, _ tombstone: BrokerState, at now: Timestamp)
    throws
  {
    guard !zone.zone.isPublic, let history = zone.history else { return }
    try note(name, in: zone, history.versions(of: tombstone), move: tombstone.move, at: now)
  }

  /// Stores a deletion that contains `versions`.
  func note(
    _ name: RecordName, in zone: ZoneRow, _ versions: VersionVector, move: MoveID?,
    at now: Timestamp
  ) throws {
    try db.run(
      "INSERT OR REPLACE INTO deleted_record VALUES (?, ?, ?, ?, ?)",
      [
        zone.key, name.text, Data(versions.bytes), move.map { Data($0.bytes) }, now.microseconds,
      ])
  }

  /// The deletion of a record as a state that the broker lost, if it did.
  /// - Parameter known: What the broker's present state contains.
  func lost(_ name: RecordName, in zone: ZoneRow, beside known: VersionVector) throws -> LostState?
  {
    let row = try db.row(
      "SELECT versions, move FROM deleted_record WHERE zone = ? AND name = ?",
      [zone.key, name.text])
    guard let row, let versions = VersionVector(bytes: row[0] as Data), !known.includes(versions)
    else { return nil }
    let move = (row[1] as Data?).flatMap { MoveID(bytes: $0) }
    return LostState(
      BrokerState(tag: nil, fields: nil, move: move), containing: versions)
  }

  /// Forgets the deletion of a record: the broker was rewound to a time when it had it.
  func forget(_ name: RecordName, in zone: ZoneRow) throws {
    try db.run("DELETE FROM deleted_record WHERE zone = ? AND name = ?", [zone.key, name.text])
  }

  /// Forgets the deletions that the broker lost when it was rewound. Those that its history has stay: a restore of a backup
  /// from before them must not bring the records back.
  func forgetLost(in zone: ZoneRow) throws {
    guard let history = zone.history else { return }
    let rows = try db.rows("SELECT name, versions FROM deleted_record WHERE zone = ?", [zone.key])
    for row in rows {
      if let versions = VersionVector(bytes: row[1] as Data), history.hasDeletion(versions) {
        continue
      }
      try forget(RecordName(stored: row[0]), in: zone)
    }
  }

  /// Forgets all deletions of records of a zone.
  func forgetAll(in zone: ZoneRow) throws {
    try db.run("DELETE FROM deleted_record WHERE zone = ?", [zone.key])
  }

  /// Deletes rows of deletions that brokers have forgotten; at most `rowsMaximum`. Returns how many.
  static func expire(_ db: Database, now: Timestamp, rowsMaximum: Int) throws -> Int {
    try db.run(
      """
      DELETE FROM deleted_record WHERE (zone, name) IN (
        SELECT zone, name FROM deleted_record WHERE time < ? ORDER BY time LIMIT ?)
      """, [now.adding(seconds: -days * 86_400).microseconds, rowsMaximum])
    return db.changesCount
  }
}

extension ZoneHistory {
  /// Whether the history has the deletion that contains `versions`. The deletion's own revision is the last of them.
  ///
  /// NB: a lineage need not include the others. The deleted state may have been sent again after a restore, and its vector names
  /// revisions that the broker had lost. A deletion that was sent again counts as lost itself.
  fileprivate func hasDeletion(_ versions: VersionVector) -> Bool {
    guard let last = versions.entries.max(by: { $0.revision < $1.revision }) else { return false }
    if last.incarnation == incarnation { return true }
    return lineage.versions[last.incarnation].map { $0 >= last.revision } ?? false
  }
}
