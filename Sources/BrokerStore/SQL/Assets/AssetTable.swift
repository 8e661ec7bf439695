// The assets of accounts. A row of `asset` says that an account has a file and is charged for it; the disk
// has the file once, however many accounts have it. `asset_use` has a row for each asset that a record's
// state refers to. A zone's owner has all assets that the zone's records refer to. An asset without uses is
// deleted after a grace period.

import BrokerCore
import Records
import SQLConnections

/// The `asset`, `asset_use`, `asset_charge` and `asset_clock` tables.
struct AssetTable {
  let db: any SQLConnection

  // `unused_since` is NULL while a record of the account's zones refers to the asset, in its newest state or
  // in a retained earlier version (`is_past`). `asset_charge` has the bytes that an account is charged for, and those
  // of them that participants of its zones added (`by_participant`). `holder` is the account that a public record's asset
  // belongs to; see `PublicSchema`.
  static let schema = """
    CREATE TABLE asset (
      container INTEGER NOT NULL,
      account INTEGER NOT NULL,
      digest BLOB NOT NULL,
      size INTEGER NOT NULL,
      unused_since INTEGER,
      by_participant INTEGER NOT NULL DEFAULT 0,
      PRIMARY KEY (container, account, digest)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX asset_digest ON asset (digest);
    CREATE INDEX asset_unused ON asset (unused_since) WHERE unused_since IS NOT NULL;
    CREATE TABLE asset_use (
      key INTEGER PRIMARY KEY,
      zone INTEGER NOT NULL REFERENCES zone,
      name TEXT NOT NULL,
      digest BLOB NOT NULL,
      revision INTEGER NOT NULL,
      is_past INTEGER NOT NULL DEFAULT 0,
      holder INTEGER,
      UNIQUE (zone, name, digest, revision)
    ) STRICT;
    CREATE INDEX asset_use_past ON asset_use (key) WHERE is_past = 1;
    CREATE INDEX asset_use_digest ON asset_use (digest, zone);
    CREATE TABLE asset_charge (
      container INTEGER NOT NULL,
      account INTEGER NOT NULL,
      bytes INTEGER NOT NULL,
      participants_bytes INTEGER NOT NULL DEFAULT 0,
      PRIMARY KEY (container, account)
    ) STRICT, WITHOUT ROWID;
    CREATE TRIGGER asset_entered AFTER INSERT ON asset BEGIN
      INSERT INTO asset_charge
        VALUES (NEW.container, NEW.account, NEW.size, NEW.size * NEW.by_participant)
      ON CONFLICT DO UPDATE SET bytes = bytes + NEW.size,
        participants_bytes = participants_bytes + NEW.size * NEW.by_participant;
    END;
    CREATE TRIGGER asset_left AFTER DELETE ON asset BEGIN
      UPDATE asset_charge SET bytes = bytes - OLD.size,
        participants_bytes = participants_bytes - OLD.size * OLD.by_participant
      WHERE container = OLD.container AND account = OLD.account;
    END;
    CREATE TABLE asset_clock (
      id INTEGER PRIMARY KEY CHECK (id = 1),
      seen_at INTEGER NOT NULL,
      checked_through INTEGER NOT NULL DEFAULT 0
    ) STRICT;
    """

  // MARK: Uses

  /// Inserts a use for each asset that a record's newest state refers to, and marks the uses by its earlier
  /// states as past. `holder` is the account that is charged for the assets, or `nil` for the zone's owner.
  func setUses(
    _ named: [Asset], of change: Change, zone: StoreKey, holder: StoreKey?, isByParticipant: Bool
  ) throws {
    try db.run(
      "UPDATE asset_use SET is_past = 1 WHERE zone = ? AND name = ? AND is_past = 0",
      [zone, change.name.text])
    for asset in Set(named) {
      try db.run(
        "INSERT INTO asset_use (zone, name, digest, revision, holder) VALUES (?, ?, ?, ?, ?)",
        [zone, change.name.text, asset.digest, change.tag.value, holder])
      try assign(asset, to: holder, in: zone, isByParticipant: isByParticipant)
    }
  }

  /// Gives an asset to the holder or the zone's owner, who is charged for it, whichever account uploaded it.
  private func assign(
    _ asset: Asset, to holder: StoreKey?, in zone: StoreKey, isByParticipant: Bool
  ) throws {
    try db.run(
      """
      INSERT INTO asset (container, account, digest, size, by_participant)
      SELECT container, coalesce(?, owner), ?, ?, ? FROM zone WHERE key = ?
      ON CONFLICT (container, account, digest)
        DO UPDATE SET unused_since = NULL WHERE asset.unused_since IS NOT NULL
      """, [holder, asset.digest, asset.byteCount, isByParticipant, zone])
  }

  /// Starts an asset's grace period, if its account has no other use of it. Called when a use has ended.
  func markUnused(
    _ digest: [UInt8], holder: StoreKey?, in zone: StoreKey, at now: Timestamp
  ) throws {
    try db.run(
      """
      UPDATE asset SET unused_since = ?3
      WHERE digest = ?2 AND unused_since IS NULL
        AND (container, account) = (SELECT container, coalesce(?4, owner) FROM zone WHERE key = ?1)
        AND NOT EXISTS (
          SELECT 1 FROM asset_use JOIN zone ON zone.key = asset_use.zone
          WHERE asset_use.digest = ?2 AND zone.container = asset.container
            AND coalesce(holder, zone.owner) = asset.account)
      """, [zone, digest, now.microseconds, holder])
  }

  // MARK: Uploads

  /// See `AssetTransaction.offered`.
  func offered(
    _ asset: Asset, by identity: SessionIdentity, at now: Timestamp
  ) throws -> AssetOffer {
    let key: SQLArguments = [
      identity.container, identity.accountKey, asset.digest,
    ]
    let held = try db.first(
      """
      SELECT size, unused_since IS NULL FROM asset
      WHERE container = ? AND account = ? AND digest = ?
      """, key
    ) { (size: $0[0] as Int, isUsed: $0[1] as Bool) }
    guard let held else {
      return .wanted(
        chargedBytes: try chargedBytes(
          of: identity.accountKey, container: identity.container))
    }
    guard held.size == asset.byteCount else {
      return .failed(
        .invalid(
          "The file \(asset.id) has \(held.size) bytes, but the record gives \(asset.byteCount)."))
    }
    guard try !LostAssetTable(db: db).isLost(asset.digest) else {
      // The account is charged for the file already, so a new upload must not count twice.
      let charged = try chargedBytes(of: identity.accountKey, container: identity.container)
      return .wanted(chargedBytes: charged - held.size)
    }
    if !held.isUsed {
      try db.run(
        """
        UPDATE asset SET unused_since = ? WHERE container = ? AND account = ? AND digest = ?
        """, [now.microseconds] + key)
    }
    return .held
  }

  /// See `AssetTransaction.registerAsset`. Also clears the mark of a lost file.
  func register(_ asset: Asset, _ id: UploadID, at now: Timestamp) throws {
    try db.run(
      """
      INSERT INTO asset (container, account, digest, size, unused_since) VALUES (?, ?, ?, ?, ?)
      ON CONFLICT (container, account, digest) DO UPDATE
        SET unused_since = excluded.unused_since WHERE asset.unused_since IS NOT NULL
      """, [id.container, id.account, asset.digest, asset.byteCount, now.microseconds])
    try LostAssetTable(db: db).unmark(asset.digest)
  }
}
