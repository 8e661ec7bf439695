import BrokerCore
import Records
import SQLConnections

/// New histories of zones, after changes were lost. A zone's history is named by its incarnation; the former one is noted,
/// so that a device which followed it sends what the broker no longer has.
package struct NewHistory {
  let db: any SQLConnection
  let random: RandomSource

  package init(db: any SQLConnection, random: RandomSource) {
    self.db = db
    self.random = random
  }

  /// How far the revisions of a new history begin above those of the former one. It is random because a backup may be
  /// restored twice.
  private static let revisionIncrements: ClosedRange<Int64> = Lineage.gapMinimum...1 << 40

  /// Starts a new history of one zone.
  func begin(in zone: StoreKey) throws {
    var random = random
    // A backup from before this column says nothing about joining: what was before stays hidden.
    try db.run(
      """
      UPDATE participant SET joined_revision = (SELECT head FROM zone WHERE key = ?1)
      WHERE zone = ?1 AND joined_revision IS NULL
      """, [zone])
    let row = try db.first(
      "SELECT incarnation, head, former_incarnation, kept_through, lineage FROM zone WHERE key = ?",
      [zone]
    ) { $0 }
    guard let row, let incarnation = Incarnation(bytes: row[0] as [UInt8]) else { return }
    let former = ZoneTable.formerHistory(row, from: 2)?.lineage ?? Lineage()
    let lineage = former.continued(from: incarnation, after: Revision(row[1]))
    try db.run(
      """
      UPDATE zone SET former_incarnation = incarnation, kept_through = head + 1, lineage = ?,
        incarnation = ?, head = head + ? WHERE key = ?
      """,
      [
        lineage.bytes, Incarnation.random(using: &random).bytes,
        Int64.random(in: Self.revisionIncrements, using: &random), zone,
      ])
  }

  /// Starts new histories of all zones after a restore, because the changes after the backup are lost. Devices read all
  /// zones again and send the records that the broker no longer has. Revisions of directories rise above all that devices
  /// may know, so that no device mistakes its old directory for the present one. Damaged record states are replaced by
  /// tombstones and missing files are marked, so that devices are asked for both.
  package func begin(
    at now: Timestamp, _ kind: RestoreKind, namesAreReliable: Bool, lost: [AssetDigest]
  ) throws {
    for zone in try db.column("SELECT key FROM zone ORDER BY key") as [StoreKey] {
      try begin(in: zone)
    }
    let damagedRecords = DamagedRecords(db: db)
    let removed = try damagedRecords.remove(at: now)
    let unknown = damagedRecords.zonesWithUnknownLosses(
      in: removed, namesAreReliable: namesAreReliable)
    for zone in unknown { try damagedRecords.discardFormerHistory(of: zone) }
    try raiseNumbers()
    if kind == .rewind { try db.run("UPDATE directory_head SET rewound_at = revision") }
    // The backup has no files without uses; the devices that uploaded them upload them again.
    try db.run("DELETE FROM asset WHERE unused_since IS NOT NULL")
    for digest in lost { _ = try LostAssetTable(db: db).mark(digest, at: now) }
  }

  /// Raises the numbers that devices remember. By how much is random, because the same backup may be restored twice: with
  /// equal numbers, a device would mistake new changes for those that it received after the first restore.
  private func raiseNumbers() throws {
    var random = random
    // A multiple of 2^32, which is more than the changes to a directory between two backups.
    let directory = Int64.random(in: 1...1 << 20, using: &random) << 32
    // More than the notifications that exist. The sum of a few of these stays below `BrokerLimits.notificationLead`.
    let notifications = 1 << 31 + Int64.random(in: 0..<1 << 30, using: &random)
    try db.run("UPDATE directory SET revision = revision + ?", [directory])
    try db.run(
      """
      UPDATE directory_head SET revision = revision + ?1, zones_from = revision + ?1,
        subscriptions_from = revision + ?1
      """, [directory])
    try db.run("UPDATE notification_head SET number = number + ?", [notifications])
    try db.run(
      "UPDATE first_revision SET revision = revision + ?",
      [Int64.random(in: Self.revisionIncrements, using: &random)])
  }
}
