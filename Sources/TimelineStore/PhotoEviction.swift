// Deletes photos that the device's rule does not keep, some at a time, a day after they were last viewed. The
// broker has them; viewing one fetches it again. A photo stays if this account posted it, because the broker
// may need it to replace a lost file, if it is still to be sent, or if another record here refers to it. After a
// clock jumped ahead, no photo counts as old for an hour (I21); setting it back restores the deleted photos.

import DeviceStore
import Foundation
import GRDB
import Records
import SQLiteFile
import SyncCore
import Timeline

enum PhotoEviction {
  /// Forgets photos that the rule does not keep, `limit` of them at most.
  /// - Returns: the files to remove.
  static func evict(_ db: Database, at now: Timestamp, limit: Int) throws -> [AssetDigest] {
    let rule = try PhotoRule.load(db)
    guard rule.bytesMaximum != nil || rule.ageSecondsMaximum != nil,
      try ReplicaAssetTable.isClockBelieved(db)
    else { return [] }
    let own = AccountID(column: try db.row("SELECT account FROM identity")?["account"])
    var evicted: [AssetDigest] = []
    for row in try candidates(db, rule, now) where evicted.count < limit {
      guard let digest = AssetDigest(bytes: row["digest"] as Data),
        try isOthers(row["digest"], own, db)
      else { continue }
      try ReplicaAssetTable.forget(digest, db)
      evicted.append(digest)
    }
    return evicted
  }

  /// Photos that are here against the rule, and that nothing but clean posts names.
  private static func candidates(
    _ db: Database, _ rule: PhotoRule, _ now: Timestamp
  ) throws -> [Row] {
    try db.rows(
      """
      SELECT DISTINCT post.digest FROM post JOIN asset ON asset.digest = post.digest
      WHERE post.kept_until < ?1 AND (post.size > ?2 OR post.time < ?3) AND NOT EXISTS (
        SELECT 1 FROM asset_use LEFT JOIN post AS other ON other.record = asset_use.holder
        LEFT JOIN record ON record.id = other.record
        WHERE asset_use.digest = post.digest
          AND (asset_use.kind <> 0 OR other.record IS NULL OR record.layered = 1
            OR other.kept_until >= ?1 OR (other.size <= ?2 AND other.time >= ?3)))
      """,
      [
        now.microseconds, rule.bytesMaximum ?? .max,
        rule.oldest(at: now)?.microseconds ?? .min,
      ])
  }

  /// Whether other accounts created all posts of a photo.
  private static func isOthers(_ digest: Data, _ own: AccountID?, _ db: Database) throws -> Bool {
    try db.rows(
      """
      SELECT record.created FROM post JOIN record ON record.id = post.record
      WHERE post.digest = ?
      """, [digest]
    ).allSatisfy { row in
      guard let made = try Stamp.read(row["created"])?.origin.account else { return false }
      return made != own
    }
  }
}
