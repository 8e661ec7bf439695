// How far this device had read a group when a person deleted it, or the head of a deleted group when a person erased it.
// The position stays what it was then, also if the deletion waits for days and the device reads on: the person decided
// about what the device had shown.

import GRDB
import Records
import SQLiteFile

/// The `zone_deletion` table.
enum ZoneDeletionTable {
  static let schema = """
    CREATE TABLE zone_deletion (
      zone INTEGER PRIMARY KEY REFERENCES zone ON DELETE CASCADE,
      incarnation BLOB NOT NULL,
      revision INTEGER NOT NULL
    ) STRICT;
    ALTER TABLE parked ADD COLUMN is_unseen INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE parked ADD COLUMN created_type TEXT;

    """

  /// Stores the position in the zone's feed that this device has reached, or the head of a deleted zone, unless an
  /// earlier deletion of the zone has stored one that still waits.
  static func note(_ zone: ZoneRow, _ db: Database) throws {
    let revision = zone.deletion?.head ?? zone.token?.revision ?? .zero
    try note(zone, in: zone.incarnation, through: revision, db)
  }

  /// Stores a position.
  static func note(
    _ zone: ZoneRow, in incarnation: Incarnation?, through revision: Revision, _ db: Database
  ) throws {
    try db.run(
      """
      INSERT OR IGNORE INTO zone_deletion (zone, incarnation, revision, restorations)
      VALUES (?, ?, ?, ?)
      """, [zone.key, (incarnation ?? .unread).column, revision.value, zone.restorations])
  }

  /// Whether the zone that this device deleted was restored since.
  static func isRestored(_ zone: ZoneRow, _ db: Database) throws -> Bool {
    let restorations = try db.row(
      "SELECT restorations FROM zone_deletion WHERE zone = ?", [zone.key]
    ).map { $0[0] as Int }
    return restorations.map { $0 < zone.restorations } ?? false
  }

  /// The revision of the stored position; `nil` if there is none.
  static func revision(of zone: ZoneRow, _ db: Database) throws -> Revision? {
    try db.row("SELECT revision FROM zone_deletion WHERE zone = ?", [zone.key]).map {
      Revision($0[0])
    }
  }

  /// The position to send with the deletion.
  static func token(of zone: ZoneRow, _ db: Database) throws -> ChangeToken {
    let row = try db.row(
      "SELECT incarnation, revision FROM zone_deletion WHERE zone = ?", [zone.key])
    let revision = Revision(row?["revision"] ?? 0)
    return ChangeToken(
      incarnation: (row?["incarnation"]).flatMap { Incarnation(column: $0) } ?? .unread,
      revision: revision, scanStart: revision)
  }

  /// Forgets the position: the zone stays.
  static func forget(_ zone: ZoneRow, _ db: Database) throws {
    try db.run("DELETE FROM zone_deletion WHERE zone = ?", [zone.key])
  }
}

extension Incarnation {
  /// The incarnation in the position of a device that has read nothing of a zone. No zone has it.
  fileprivate static let unread = Incarnation(0)
}
