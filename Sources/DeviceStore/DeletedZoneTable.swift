// The deletions of zones that this device knows the broker to have confirmed, for as long as a broker lists them. A broker
// that was restored may list such a zone again; the device then repeats the deletion. It names the position that the
// device had reached, so the broker rejects it if others have saved something in the zone since.

import Foundation
import GRDB
import Records
import SQLiteFile
import SyncCore

/// A confirmed deletion of a zone.
struct DeletedZoneRow {
  /// The position that the deletion named, or that this device had reached.
  let position: ChangeToken
  /// The last revision of each history that this device had read.
  let versions: VersionVector
}

/// The `deleted_zone` table. Only zones of this account are in it: what others shared is theirs to delete.
struct DeletedZoneTable {
  /// `versions`: what this device had read of all histories of the zone.
  static let schema = """
    CREATE TABLE deleted_zone (
      name BLOB PRIMARY KEY,
      incarnation BLOB NOT NULL,
      revision INTEGER NOT NULL,
      title_revision INTEGER NOT NULL,
      time INTEGER NOT NULL,
      versions BLOB
    ) STRICT, WITHOUT ROWID;

    """

  /// The days for which a broker lists a deleted zone.
  private static let days: Int64 = 90

  let db: Database

  /// Stores that the broker has deleted a zone, with the position that the deletion named, or that this device had reached.
  func note(_ zone: ZoneRow, at now: Timestamp) throws {
    guard zone.zone.owner == .current, zone.zone != .standard, zone.state != .deleted else {
      return
    }
    let deletion = try ZoneDeletionTable.token(of: zone, db)
    let token = deletion.revision > .zero ? deletion : zone.token ?? deletion
    try db.run(
      """
      INSERT OR REPLACE INTO deleted_zone (name, incarnation, revision, title_revision, time, versions)
      VALUES (?, ?, ?, ?, ?, ?)
      """,
      [
        zone.zone.name.column, token.incarnation.column, token.revision.value,
        zone.titleRevision.value, now.microseconds,
        Data(try ZoneDeletionTable.versions(of: zone, db).bytes),
      ])
    try db.run(
      "DELETE FROM deleted_zone WHERE time < ?",
      [now.adding(seconds: -Self.days * 86_400).microseconds])
  }

  /// The deletion to repeat; `nil` if this device knows of none.
  /// - Parameter title: The revision of the zone's present title. A zone that a person has restored or renamed after the
  ///   deletion has a higher one than the deleted zone.
  func deletion(of zone: ZoneID, title: Revision) throws -> DeletedZoneRow? {
    guard zone.owner == .current else { return nil }
    let row = try db.row(
      """
      SELECT incarnation, revision, versions FROM deleted_zone WHERE name = ? AND title_revision >= ?
      """, [zone.name.column, title.value])
    guard let row, let incarnation = Incarnation(column: row[0]) else { return nil }
    return DeletedZoneRow(
      position: ChangeToken(
        incarnation: incarnation, revision: Revision(row[1]), scanStart: Revision(row[1])),
      versions: (row[2] as Data?).flatMap { VersionVector(bytes: $0) } ?? VersionVector())
  }

  /// Forgets the deletion: the zone stays.
  func forget(_ zone: ZoneID) throws {
    guard zone.owner == .current else { return }
    try db.run("DELETE FROM deleted_zone WHERE name = ?", [zone.name.column])
  }
}
