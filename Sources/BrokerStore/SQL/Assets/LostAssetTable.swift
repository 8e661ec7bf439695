// Lost asset files: files that are missing on the disk, or whose content does not match their digest. A
// mark belongs to the file, not to an account, because the disk has the file once. It is removed when a
// device uploads the file again, or with the file's last row in `asset`. The rows of accounts and records
// do not change.

import BrokerCore
import FoundationEssentials
import Records
import SQLConnections

/// The `asset_lost` table: the marks of lost asset files.
package struct LostAssetTable {
  let db: any SQLConnection

  package init(db: any SQLConnection) {
    self.db = db
  }

  static let schema = """
    CREATE TABLE asset_lost (
      digest BLOB PRIMARY KEY,
      noticed_at INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE TRIGGER asset_lost_left AFTER DELETE ON asset
    WHEN NOT EXISTS (SELECT 1 FROM asset WHERE digest = OLD.digest) BEGIN
      DELETE FROM asset_lost WHERE digest = OLD.digest;
    END;
    """

  /// Marks a file as lost, if an account has it. Returns whether the mark is new.
  func mark(_ digest: AssetDigest, at now: Timestamp) throws -> Bool {
    let bytes = digest.bytes
    guard try !isLost(digest.bytes) else { return false }
    try db.run(
      """
      INSERT INTO asset_lost (digest, noticed_at) SELECT ?1, ?2
      WHERE EXISTS (SELECT 1 FROM asset WHERE digest = ?1)
      """, [bytes, now.microseconds])
    return try isLost(digest.bytes)
  }

  /// Removes the mark of a file that is available again.
  func unmark(_ digest: [UInt8]) throws {
    try db.run("DELETE FROM asset_lost WHERE digest = ?", [digest])
  }

  func isLost(_ digest: [UInt8]) throws -> Bool {
    try db.first(
      "SELECT EXISTS (SELECT 1 FROM asset_lost WHERE digest = ?)", [digest]
    ) { $0[0] as Bool } ?? false
  }

  /// The lost files after `digest` that a device of the account may upload again: files that the account has
  /// for a record, and files that records refer to in shared zones it may write to. The account can read
  /// these records, so the list reveals nothing. Costs a lookup for each lost file up to the last returned.
  func wanted(
    by identity: SessionIdentity, after digest: AssetDigest?, countMaximum: Int
  ) throws -> [Asset] {
    try db.rows(
      """
      SELECT lost.digest, (SELECT min(size) FROM asset WHERE asset.digest = lost.digest)
      FROM asset_lost AS lost
      WHERE lost.digest > ?1 AND (
        EXISTS (SELECT 1 FROM asset WHERE asset.container = ?2 AND asset.account = ?3
          AND asset.digest = lost.digest AND unused_since IS NULL)
        OR EXISTS (SELECT 1 FROM asset_use
          JOIN zone ON zone.key = asset_use.zone
          JOIN participant ON participant.zone = zone.key AND participant.account = ?3
          WHERE asset_use.digest = lost.digest AND is_past = 0 AND holder IS NULL
            AND zone.container = ?2 AND zone.is_deleted = 0
            AND participant.status = ?4 AND participant.permission = ?5))
      ORDER BY lost.digest LIMIT ?6
      """,
      [
        digest?.bytes ?? [], identity.container, identity.accountKey,
        Int(Participant.Status.accepted.rawValue),
        Int(SharePermission.readWrite.rawValue), countMaximum,
      ]
    ).compactMap { row in
      AssetDigest(bytes: row[0] as [UInt8]).map { Asset($0, sizeBytes: row[1]) }
    }
  }

  /// The files after `digest`, by digest, and whether each is lost.
  package func files(after digest: AssetDigest?, countMaximum: Int) throws -> [StoredAsset] {
    try db.rows(
      """
      SELECT digest, min(size), EXISTS (
        SELECT 1 FROM asset_lost WHERE asset_lost.digest = asset.digest)
      FROM asset WHERE digest > ? GROUP BY digest ORDER BY digest LIMIT ?
      """, [digest?.bytes ?? [], countMaximum]
    ).compactMap { row in
      AssetDigest(bytes: row[0] as [UInt8]).map {
        StoredAsset(asset: Asset($0, sizeBytes: row[1]), isLost: row[2])
      }
    }
  }
}

// MARK: - The store

extension SQLTransaction {
  func recordAssets(
    lost: [AssetDigest], found: [AssetDigest], at now: Timestamp
  ) throws -> Int {
    let table = LostAssetTable(db: db)
    for digest in found { try table.unmark(digest.bytes) }
    return try lost.reduce(0) { try $0 + (table.mark($1, at: now) ? 1 : 0) }
  }
}

extension SQLRecordStore {
  package func isLost(_ digest: AssetDigest) throws -> Bool {
    try reading { try LostAssetTable(db: $0).isLost(digest.bytes) }
  }

  package func wantedAssets(
    of identity: SessionIdentity, after digest: AssetDigest?, countMaximum: Int
  ) throws -> [Asset] {
    try reading { db in
      try LostAssetTable(db: db).wanted(
        by: identity, after: digest, countMaximum: countMaximum)
    }
  }

  package func storedAssets(after digest: AssetDigest?, countMaximum: Int) throws -> [StoredAsset] {
    try reading { db in
      try LostAssetTable(db: db).files(after: digest, countMaximum: countMaximum)
    }
  }
}
