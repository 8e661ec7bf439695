// Garbage collection of assets: ends the uses by deleted zones and expired versions, and deletes the assets
// that have been unused for longer than the grace period.

import BrokerCore
import Records
import SQLConnections

extension AssetTable {
  /// A longer interval between two collections does not count towards grace periods: the broker was not
  /// running, or the clock jumped.
  private static let intervalMaximumMicroseconds: Int64 = 3_600_000_000

  /// See `AssetTransaction.collectAssets`.
  func collect(
    graceSeconds: Int64, at now: Timestamp, rowsMaximum: Int
  ) throws -> CollectedAssets {
    try extendGracePeriods(now.microseconds)
    var isMore = try endUsesOfErasedZones(at: now, rowsMaximum: rowsMaximum)
    if try endUsesOfExpiredVersions(at: now) { isMore = true }
    let rows = try db.rows(
      """
      SELECT container, account, digest FROM asset WHERE unused_since < ?
      ORDER BY unused_since LIMIT ?
      """, [now.microseconds - graceSeconds * 1_000_000, rowsMaximum])
    var removed: [AssetDigest] = []
    for row in rows {
      let digest: [UInt8] = row[2]
      try db.run(
        "DELETE FROM asset WHERE container = ? AND account = ? AND digest = ?",
        [row[0] as StoreKey, row[1] as StoreKey, digest])
      let isHeldElsewhere = try db.first(
        "SELECT EXISTS (SELECT 1 FROM asset WHERE digest = ?)", [digest]
      ) { $0[0] as Bool }
      if isHeldElsewhere == false, let id = AssetDigest(bytes: digest) { removed.append(id) }
    }
    return CollectedAssets(digests: removed, isMore: isMore || rows.count == rowsMaximum)
  }

  /// Excludes the time since the last collection from all grace periods, if it is too long. If the clock was
  /// set back, no grace period starts in the future.
  private func extendGracePeriods(_ now: Int64) throws {
    let seen = try db.first("SELECT seen_at FROM asset_clock", []) { $0[0] as Int64 }
    try db.run(
      """
      INSERT INTO asset_clock (id, seen_at) VALUES (1, ?)
      ON CONFLICT (id) DO UPDATE SET seen_at = excluded.seen_at
      """, [now])
    guard let seen else { return }
    if now < seen {
      try db.run("UPDATE asset SET unused_since = ?1 WHERE unused_since > ?1", [now])
    } else if now - seen > Self.intervalMaximumMicroseconds {
      try db.run(
        "UPDATE asset SET unused_since = min(?1, unused_since + ?2) WHERE unused_since IS NOT NULL",
        [now, now - seen])
    }
  }

  private func endUsesOfErasedZones(at now: Timestamp, rowsMaximum: Int) throws -> Bool {
    let rows = try db.rows(
      """
      SELECT asset_use.key, asset_use.zone, asset_use.digest
      FROM zone JOIN asset_use ON asset_use.zone = zone.key
      WHERE \(ZoneTable.isErased) LIMIT ?
      """, [rowsMaximum])
    for row in rows { try endUse(row[0], of: row[1], row[2], at: now) }
    return rows.count == rowsMaximum
  }

  /// Ends a record's uses of assets by the versions that were erased when the trash was emptied. Assets
  /// without another use get no grace period.
  func eraseUses(by record: StoreKey, of zone: StoreKey, through revision: Revision) throws {
    let rows = try db.rows(
      """
      SELECT key, digest FROM asset_use
      WHERE zone = ? AND name = (SELECT name FROM record WHERE key = ?)
        AND is_past = 1 AND revision <= ?
      """, [zone, record, revision.value])
    for row in rows { try endUse(row[0], of: zone, row[1], at: Timestamp(microseconds: .min)) }
  }

  /// The uses by earlier versions that one collection checks.
  private static let versionUsesPerCollection = 1000

  /// Ends the uses by versions that have expired. Each call checks the next uses, in a cycle. Earlier
  /// versions of public records cannot be read, so they retain no assets. Returns whether there may be more.
  private func endUsesOfExpiredVersions(at now: Timestamp) throws -> Bool {
    let rows = try db.rows(
      """
      SELECT key, zone, digest, holder IS NULL AND EXISTS (
        SELECT 1 FROM record JOIN past ON past.record = record.key
        WHERE record.zone = asset_use.zone AND record.name = asset_use.name
          AND past.revision = asset_use.revision)
      FROM asset_use
      WHERE is_past = 1 AND key > (SELECT checked_through FROM asset_clock)
      ORDER BY key LIMIT \(Self.versionUsesPerCollection)
      """)
    for row in rows where !(row[3] as Bool) { try endUse(row[0], of: row[1], row[2], at: now) }
    let isFull = rows.count == Self.versionUsesPerCollection
    let reached: Int64 = isFull ? rows.last?[0] ?? 0 : 0
    try db.run("UPDATE asset_clock SET checked_through = ?", [reached])
    return isFull
  }

  /// Deletes the use with row `use`, and marks its asset as unused if it was the last.
  private func endUse(
    _ use: StoreKey, of zone: StoreKey, _ digest: [UInt8], at now: Timestamp
  ) throws {
    let holder = try db.first("SELECT holder FROM asset_use WHERE key = ?", [use]) {
      $0[0] as StoreKey?
    }
    try db.run("DELETE FROM asset_use WHERE key = ?", [use])
    try markUnused(digest, holder: holder ?? nil, in: zone, at: now)
  }
}
