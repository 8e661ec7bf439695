// Groups in the trash. The broker keeps the records of a deleted group for its owner, who can restore the group on any
// device. A device has only a row for each: its title and how many records it had. What it asks for waits in the outbox.

import GRDB
import Records
import SQLiteFile
import SyncCore

/// The rows of zones in the state `deleted`.
enum DeletedGroups {
  private static let isDeleted = "state = \(ZoneRow.State.deleted.rawValue)"

  /// The groups that can be restored and for which this device has asked nothing, the latest deletion first. A group
  /// that was empty is in the trash only if its records had been deleted: then they are in its own trash. If they were moved
  /// elsewhere, there is nothing to restore.
  static func list(_ db: Database) throws -> [DeletedGroupView] {
    try db.rows(
      """
      SELECT name, title, deleted_at, kept_records, kept_head, kept_deleted FROM zone
      WHERE \(isDeleted) AND (kept_records > 0 OR kept_deleted = 1)
        AND NOT EXISTS (SELECT 1 FROM outbox WHERE outbox.zone = zone.id)
      ORDER BY deleted_at DESC, id DESC
      """
    ).map { row in
      guard let name = ZoneName(column: row["name"]) else {
        throw StoreError(.damaged, "A zone's row is damaged.")
      }
      return DeletedGroupView(
        zone: ZoneID(name: name), title: row["title"],
        deletion: ZoneDeletion(
          time: Timestamp(microseconds: row["deleted_at"]), recordCount: row["kept_records"],
          head: Revision(row["kept_head"]), hasDeletedRecords: row["kept_deleted"] ?? false))
    }
  }

  /// Stores the directory's entry of a deleted zone that is not shown here.
  static func store(_ entry: DirectoryEntry, _ transaction: DeviceTransaction) throws {
    let db = transaction.db
    let known = try ZoneRow.load(db, entry.zone)
    guard let deletion = entry.deletion else { return try known?.delete(in: transaction) ?? () }
    guard var known else { return try insert(entry.zone, title: entry.title, deletion, db) }
    known.deletion = deletion
    known.title = entry.title
    try known.store(db)
  }

  /// Inserts the row of a deleted zone.
  static func insert(
    _ zone: ZoneID, title: String, _ deletion: ZoneDeletion, _ db: Database
  ) throws {
    var row = ZoneRow(zone: zone, title: title, knownTitle: title, state: .deleted)
    row.deletion = deletion
    try row.store(db)
  }

  /// Returns the revision through which an `emptyTrash` of the zone erases: for a group that was in the trash, its head when
  /// the trash was emptied; otherwise the newest deletion.
  static func erasedThrough(of zone: ZoneRow, _ db: Database) throws -> Revision {
    guard try !GroupDeletion.hides(zone.key, db),
      let asked = try ZoneDeletionTable.revision(of: zone, db)
    else { return try zone.knownDeletions(db) }
    return asked
  }

  /// Forgets what `erasedThrough` was, after the broker's answer.
  static func endErasure(of zone: ZoneRow, _ db: Database) throws {
    guard try !GroupDeletion.hides(zone.key, db) else { return }
    try ZoneDeletionTable.forget(zone, db)
  }

  /// Forgets all groups that the broker does not keep any more.
  /// - Parameter kept: The zones that it keeps.
  static func forget(except kept: Set<ZoneID>, _ transaction: DeviceTransaction) throws {
    for row in try ZoneRow.all(transaction.db)
    where row.state == .deleted && !kept.contains(row.zone) {
      try row.delete(in: transaction)
    }
  }

  /// Forgets the groups that were deleted before a time. The broker has erased them, or will soon.
  static func expire(before time: Timestamp, _ db: Database) throws {
    try db.run(
      """
      DELETE FROM zone WHERE \(isDeleted) AND deleted_at < ?
        AND NOT EXISTS (SELECT 1 FROM outbox WHERE outbox.zone = zone.id)
      """, [time.microseconds])
  }
}

/// A deleted group in the trash.
package struct DeletedGroupView: Hashable, Sendable {
  /// The group.
  package let zone: ZoneID
  /// Its title.
  package let title: String
  /// When it was deleted, and how many records it had, of all types.
  package let deletion: ZoneDeletion
}

extension DeviceReader {
  /// Returns the deleted groups of this account that can be restored, the latest deletion first.
  package func deletedGroups() throws -> [DeletedGroupView] {
    try database.read { try DeletedGroups.list($0) }
  }
}

extension EditApplication {
  /// Asks the broker to restore a deleted group.
  /// - Throws: `unknownItem` if the group is not in the trash.
  mutating func restore(_ zone: ZoneID) throws {
    guard try DeletedGroups.list(db).contains(where: { $0.zone == zone }),
      let row = try ZoneRow.load(db, zone)
    else {
      throw RecordsError(
        .unknownItem, "The zone is not in the trash.", reason: "zoneNotInTrash")
    }
    try log.note(zone, title: nil, after: row.title)
    try enter(.restoreZone, row, title: nil)
  }

  /// Asks the broker to erase the deleted groups, also those that were empty, but not those whose restoration waits. Each is
  /// erased as this device knows it now, also if that is sent later. Returns how many records they have.
  func eraseDeletedGroups() throws -> Int {
    var erased = 0
    for row in try ZoneRow.all(db) where row.state == .deleted {
      guard let deletion = row.deletion,
        try OutboxEntry.load(db, where: "zone = ?", [row.key]).isEmpty
      else { continue }
      try ZoneDeletionTable.note(row, db)
      try enter(.emptyTrash, row, title: nil)
      erased += deletion.recordCount
    }
    return erased
  }
}
