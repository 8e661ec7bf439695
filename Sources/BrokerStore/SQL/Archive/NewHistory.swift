import BrokerCore
import Records
import SQLConnections

/// New histories of zones, after changes were lost. A zone's history is named by its incarnation; the former one is noted,
/// so that a device which followed it sends what the broker no longer has.
struct NewHistory {
  let db: any SQLConnection

  /// Starts a new history of one zone.
  func begin(in zone: StoreKey) throws {
    var generator = SystemRandomNumberGenerator()
    try db.run(
      """
      UPDATE zone SET former_incarnation = incarnation, kept_through = head + 1, incarnation = ?
      WHERE key = ?
      """, [Incarnation.random(using: &generator).bytes, zone])
  }

  /// Starts new histories of all zones after a restore, because the changes after the backup are lost. Devices read all
  /// zones again and send the records that the broker no longer has. Revisions of directories rise above all that devices
  /// may know, so that no device mistakes its old directory for the present one. Damaged record states are replaced by
  /// tombstones and missing files are marked, so that devices are asked for both.
  func begin(
    at now: Timestamp, _ increments: HistoryIncrements, namesAreReliable: Bool,
    lost: [AssetDigest]
  ) throws {
    for zone in try db.column("SELECT key FROM zone") as [StoreKey] { try begin(in: zone) }
    let damagedRecords = DamagedRecords(db: db)
    let removed = try damagedRecords.remove(at: now)
    let unknown = damagedRecords.zonesWithUnknownLosses(
      in: removed, namesAreReliable: namesAreReliable)
    for zone in unknown { try damagedRecords.discardFormerHistory(of: zone) }
    try raiseNumbers(by: increments)
    // The backup has no files without uses; the devices that uploaded them upload them again.
    try db.run("DELETE FROM asset WHERE unused_since IS NOT NULL")
    for digest in lost { _ = try LostAssetTable(db: db).mark(digest, at: now) }
  }

  private func raiseNumbers(by increments: HistoryIncrements) throws {
    try db.run("UPDATE directory SET revision = revision + ?", [increments.directory])
    try db.run(
      """
      UPDATE directory_head SET revision = revision + ?1, zones_from = revision + ?1,
        subscriptions_from = revision + ?1
      """, [increments.directory])
    try db.run(
      "UPDATE notification_head SET number = number + ?", [increments.notifications])
  }
}

/// The increments of the numbers that devices remember, at a restore. They are random, because the same
/// backup may be restored twice: with equal numbers, a device would mistake new changes for those that it
/// received after the first restore.
struct HistoryIncrements {
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
