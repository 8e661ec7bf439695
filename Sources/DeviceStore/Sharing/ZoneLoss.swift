// Removes a zone that this account can no longer read: the access was revoked, the user left the group, or the group
// was deleted. All content by other accounts is removed from the device: records, earlier versions, deleted records,
// notifications, the action log, indexes, and files without other references. What the user typed and the broker does
// not have becomes a rejected edit. All of this is one transaction. After it, the remaining bytes are wiped from the
// file (see `Erasure`).

import Foundation
import GRDB
import Records
import RecordsWire
import SQLiteFile
import SyncCore

/// Removes zones that this account can no longer read.
enum ZoneLoss {
  /// The reason in the broker's error if the account left the group itself.
  private static let departure = "left"

  /// Removes the zone and all its content.
  /// - Returns: the notification for the user; none if the user ended the access: by leaving, or by deletion.
  static func lose(
    _ zone: ZoneRow, because error: RecordsError, _ transaction: DeviceTransaction
  ) throws -> [SharingNews] {
    let db = transaction.db
    guard zone.state != .deleted else { return [] }
    if try zone.state == .present && GroupDeletion.hides(zone.key, db) {
      try GroupDeletion.finish(zone, transaction)
      return []
    }
    let rejected = transaction.ledger.rejected
    try rejectEdits(zone, because: label(zone, error), transaction)
    guard zone.state != .deleting else {
      try zone.remove(in: transaction)
      return []
    }
    let isOwn = zone.zone.owner == .current
    var files: Set<AssetDigest> = []
    if !isOwn {
      files = try self.files(of: zone, db).union(RejectedEdits.eraseContext(in: zone, transaction))
      try forgetTraces(of: zone.zone, db)
    }
    try db.run(
      "DELETE FROM action_edit WHERE owner = ? AND zone_name = ?",
      [zone.zone.owner.column, zone.zone.name.column])
    try zone.remove(in: transaction)
    if !isOwn {
      try ReplicaAssetTable.erase(files.subtracting(PastTable(transaction).named(among: files)), db)
      try Erasure.need(transaction)
    }
    try transaction.append(
      .deleted, type: LocalEvent.groupType, zone: zone.zone, id: zone.zone.name.description,
      title: zone.title, by: .unknown)
    guard !isOwn, error.reason != departure else { return [] }
    return [SharingNews.loss(of: zone, hasRejectedEdits: transaction.ledger.rejected > rejected)]
  }

  /// The reason that the user reads with the rejected edits.
  private static func label(_ zone: ZoneRow, _ error: RecordsError) -> RecordsError {
    guard zone.zone.owner != .current, zone.state != .creating else { return error }
    guard error.reason != departure else {
      return RecordsError(
        .permissionFailure, "The account has left the zone “\(zone.title)”.",
        hint: "To join it again, ask its owner for access.", reason: departure, title: zone.title)
    }
    return RecordsError(
      .permissionFailure, "The zone “\(zone.title)” is no longer shared with the account.",
      hint: "Ask its owner for access.", reason: "accessLost", title: zone.title)
  }

  // MARK: Unsent edits

  private static func rejectEdits(
    _ zone: ZoneRow, because error: RecordsError, _ transaction: DeviceTransaction
  ) throws {
    let db = transaction.db
    var rejected: Set<RecordName> = []
    for entry in try OutboxEntry.load(db, where: "zone = ? ORDER BY id", [zone.key]) {
      transaction.ledger.rejected += entry.edits
      if let name = entry.name {
        // NB: removing the entry also removes the information about its move.
        try Moves.takeBack(name, movedTo: zone.key, as: nil, transaction)
      }
      try entry.remove(transaction)
      if let name = entry.name {
        // An edit in flight and a later one of the same record become one rejected edit.
        guard rejected.insert(name).inserted,
          let row = try RecordRow.load(db, zone: zone.key, name: name),
          row.layers.type != ConflictRecord.recordType
        else { continue }
        try RejectedEdits.storeTyped(row.layers, in: zone, because: error, transaction: transaction)
      } else if entry.kind != .emptyTrash {
        try RejectedEdits.store(
          zone.zone, title: zone.title, isDeletion: entry.kind == .deleteZone, because: error,
          transaction: transaction)
      }
    }
  }

  // MARK: Other tables

  /// Removes references to the zone from logs and lists.
  private static func forgetTraces(of zone: ZoneID, _ db: Database) throws {
    let place: StatementArguments = [zone.owner.column, zone.name.column]
    try db.run(
      """
      UPDATE action SET title = '' WHERE id IN (
        SELECT action FROM action_edit WHERE owner = ? AND zone_name = ?)
      """, place)
    try db.run(
      "UPDATE event SET title = '' WHERE owner = ? AND zone_name = ? AND type <> ?",
      place + [LocalEvent.groupType.text])
    try db.run("DELETE FROM asset_wanted WHERE owner = ? AND zone_name = ?", place)
    try forgetHooks(on: zone, db)
  }

  /// Removes the commands that run for changes in the zone.
  private static func forgetHooks(on zone: ZoneID, _ db: Database) throws {
    for row in try db.rows("SELECT subscription, form FROM hook") {
      guard let form = try? SubscriptionForm(encoded: [UInt8](row["form"] as Data)),
        form.zone == zone
      else { continue }
      try HookTable.remove(SubscriptionID(stored: row["subscription"]), db)
    }
  }

  /// The files that stored states of the zone's records refer to.
  private static func files(of zone: ZoneRow, _ db: Database) throws -> Set<AssetDigest> {
    var digests: Set<AssetDigest> = []
    let used = try db.rows(
      """
      SELECT DISTINCT digest FROM asset_use WHERE kind = 0
        AND holder IN (SELECT id FROM record WHERE zone = ?)
      """, [zone.key])
    for row in used {
      if let digest = AssetDigest(bytes: row[0] as Data) { digests.insert(digest) }
    }
    let past = try db.rows(
      """
      SELECT fields FROM past WHERE zone = ?1 AND fields IS NOT NULL
      UNION ALL SELECT fields FROM trash WHERE zone = ?1
      UNION ALL SELECT before FROM action_edit WHERE owner = ?2 AND zone_name = ?3
        AND before IS NOT NULL
      UNION ALL SELECT after FROM action_edit WHERE owner = ?2 AND zone_name = ?3
        AND after IS NOT NULL
      """, [zone.key, zone.zone.owner.column, zone.zone.name.column])
    for row in past {
      let record = EncodedRecord(stored: [UInt8](row[0] as Data))
      digests.formUnion(record.assets.map(\.id))
    }
    return digests
  }
}
