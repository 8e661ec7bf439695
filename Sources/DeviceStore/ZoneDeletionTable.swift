// How far this device had read a group when a person deleted it, or the head of a deleted group when a person erased it.
// The position stays what it was then, also if the deletion waits for days and the device reads on: the person decided
// about what the device had shown.

import Foundation
import GRDB
import Records
import SQLiteFile

/// The `zone_deletion` table.
enum ZoneDeletionTable {
  /// `versions`: what was read of all histories of the zone; see `versionsRead(in:)`.
  static let schema = """
    CREATE TABLE zone_deletion (
      zone INTEGER PRIMARY KEY REFERENCES zone ON DELETE CASCADE,
      incarnation BLOB NOT NULL,
      revision INTEGER NOT NULL,
      restorations INTEGER NOT NULL DEFAULT 0,
      versions BLOB
    ) STRICT;

    """

  /// Stores the position in the zone's feed that this device has reached, or the head of a deleted zone, unless an
  /// earlier deletion of the zone has stored one that still waits.
  static func note(_ zone: ZoneRow, _ db: Database) throws {
    let revision = zone.deletion?.head ?? zone.token?.revision ?? .zero
    let position = ChangeToken(
      incarnation: zone.incarnation ?? .unread, revision: revision, scanStart: revision)
    try note(zone, at: position, reading: try versionsRead(in: zone, db), db)
  }

  /// Stores a position, and what was read of all histories.
  static func note(
    _ zone: ZoneRow, at position: ChangeToken, reading versions: VersionVector, _ db: Database
  ) throws {
    try db.run(
      """
      INSERT OR IGNORE INTO zone_deletion (zone, incarnation, revision, restorations, versions)
      VALUES (?, ?, ?, ?, ?)
      """,
      [
        zone.key, position.incarnation.column, position.revision.value, zone.restorations,
        Data(versions.bytes),
      ])
  }

  /// The stored versions, or those that this device has read of a zone that it has not deleted.
  static func versions(of zone: ZoneRow, _ db: Database) throws -> VersionVector {
    guard let row = try db.row("SELECT versions FROM zone_deletion WHERE zone = ?", [zone.key])
    else { return try versionsRead(in: zone, db) }
    return (row[0] as Data?).flatMap { VersionVector(bytes: $0) } ?? VersionVector()
  }

  /// The last revision of each history that this device has read of a zone. A position names the present history only. States
  /// of others may have been saved again in it, and a device that was away since may do so once more after a restore.
  private static func versionsRead(in zone: ZoneRow, _ db: Database) throws -> VersionVector {
    var versions = VersionVector()
    if let token = zone.token {
      versions = zone.lineage.versions(at: token.revision, nil, in: token.incarnation)
    }
    for row in try db.rows(
      "SELECT former FROM record WHERE zone = ? AND former IS NOT NULL", [zone.key])
    {
      guard let former = FormerVersion(column: [UInt8](row[0] as Data)) else { continue }
      versions = versions.union(former.versions)
    }
    let others = """
      SELECT lost_versions FROM layer JOIN record ON record.id = layer.record
        WHERE zone = ?1 AND lost_versions IS NOT NULL
      UNION ALL SELECT versions FROM deleted_record WHERE zone = ?1
      """
    for row in try db.rows(others, [zone.key]) {
      versions = VersionVector(bytes: row[0] as Data).map(versions.union) ?? versions
    }
    return versions
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
