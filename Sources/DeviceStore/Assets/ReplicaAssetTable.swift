// The files on this device, the records that refer to them, and the files that remain to be fetched. The driver reads
// and writes the bytes. A file is durable before its row is inserted, and removed after its row is deleted, so a shown
// record always refers to a file that this device or the broker has. `asset_use` has one row for each holder that
// refers to a file: a record in any of its states, or a rejected edit.

import Foundation
import GRDB
import Records
import SQLiteFile
import SyncCore

/// The `asset`, `asset_use`, `asset_wanted` and `asset_state` tables.
package enum ReplicaAssetTable {
  /// The kind of row that refers to a file.
  enum Holder: Int {
    /// A record in any of its states: shown, ancestor, in flight or held.
    case record = 0
    /// A rejected edit.
    case rejectedEdit = 1
  }

  // `unused_since` is NULL while a holder refers to the file. Then it is 0 until the next collection, which sets the
  // time. A file that was erased with the trash (`is_erased`) has no grace period: its value is 1, a time long ago. The
  // triggers maintain these columns.
  //
  // `unsure` is the time that must pass under observation before the clock is trusted again, after it jumped ahead.
  //
  // `asset_lost` has the files that were missing or damaged and lost their rows, as long as a holder refers to them. It
  // distinguishes files that an edit on this device may have set from files that were never here.
  static let schema = """
    CREATE TABLE asset (
      digest BLOB PRIMARY KEY,
      size INTEGER NOT NULL,
      unused_since INTEGER,
      is_erased INTEGER NOT NULL DEFAULT 0
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX asset_unused ON asset (unused_since) WHERE unused_since IS NOT NULL;
    CREATE TABLE asset_use (
      kind INTEGER NOT NULL,
      holder INTEGER NOT NULL,
      digest BLOB NOT NULL,
      PRIMARY KEY (kind, holder, digest)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX asset_use_digest ON asset_use (digest);
    CREATE TABLE asset_wanted (
      digest BLOB PRIMARY KEY,
      owner BLOB NOT NULL,
      zone_name BLOB NOT NULL,
      size INTEGER NOT NULL,
      asked INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE asset_state (
      id INTEGER PRIMARY KEY CHECK (id = 1),
      bytes INTEGER NOT NULL,
      size_limit INTEGER NOT NULL,
      seen_at INTEGER,
      unsure INTEGER NOT NULL DEFAULT 0
    ) STRICT;
    INSERT INTO asset_state (id, bytes, size_limit) VALUES (1, 0, \(Limits.assetBytes));
    CREATE TRIGGER asset_entered AFTER INSERT ON asset BEGIN
      UPDATE asset_state SET bytes = bytes + NEW.size;
      DELETE FROM asset_wanted WHERE digest = NEW.digest;
    END;
    CREATE TRIGGER asset_left AFTER DELETE ON asset BEGIN
      UPDATE asset_state SET bytes = bytes - OLD.size;
    END;
    CREATE TRIGGER asset_named AFTER INSERT ON asset_use BEGIN
      UPDATE asset SET unused_since = NULL, is_erased = 0 WHERE digest = NEW.digest;
    END;
    CREATE TRIGGER asset_released AFTER DELETE ON asset_use
    WHEN NOT EXISTS (SELECT 1 FROM asset_use WHERE digest = OLD.digest) BEGIN
      UPDATE asset SET unused_since = is_erased WHERE digest = OLD.digest;
      DELETE FROM asset_wanted WHERE digest = OLD.digest;
    END;
    CREATE TRIGGER asset_record_left AFTER DELETE ON record BEGIN
      DELETE FROM asset_use WHERE kind = 0 AND holder = OLD.id;
    END;
    CREATE TRIGGER asset_rejected_edit_left AFTER DELETE ON rejected_edit BEGIN
      DELETE FROM asset_use WHERE kind = 1 AND holder = OLD.id;
    END;
    CREATE TABLE asset_lost (
      digest BLOB PRIMARY KEY
    ) STRICT, WITHOUT ROWID;
    CREATE TRIGGER asset_found AFTER INSERT ON asset BEGIN
      DELETE FROM asset_lost WHERE digest = NEW.digest;
    END;
    CREATE TRIGGER asset_lost_released AFTER DELETE ON asset_use
    WHEN NOT EXISTS (SELECT 1 FROM asset_use WHERE digest = OLD.digest) BEGIN
      DELETE FROM asset_lost WHERE digest = OLD.digest;
    END;

    """

  // MARK: Files

  /// Inserts a file that is durable. If it exists and is unused, its grace period starts again.
  static func keep(_ asset: Asset, _ db: Database) throws {
    try db.run(
      """
      INSERT INTO asset (digest, size, unused_since) VALUES (?1, ?2,
        CASE WHEN EXISTS (SELECT 1 FROM asset_use WHERE digest = ?1) THEN NULL ELSE 0 END)
      ON CONFLICT DO UPDATE SET unused_since = 0, is_erased = 0 WHERE unused_since IS NOT NULL
      """, [Data(asset.digest), asset.byteCount])
  }

  /// Ends the grace period of files whose last stored references were erased. A file that is still in use has none
  /// when its last holder is gone, unless a shown record refers to it.
  static func erase(_ digests: Set<AssetDigest>, _ db: Database) throws {
    for digest in digests {
      try db.run(
        """
        UPDATE asset SET is_erased = 1,
          unused_since = CASE WHEN unused_since IS NULL THEN NULL ELSE 1 END
        WHERE digest = ?1 AND NOT EXISTS (
          SELECT 1 FROM asset_use JOIN record ON record.id = asset_use.holder
          WHERE asset_use.digest = ?1 AND asset_use.kind = 0 AND record.shown IS NOT NULL)
        """, [Data(digest.bytes)])
    }
  }

  /// Restores the grace period of files that a record shows again after the trash was emptied.
  static func spare(_ assets: [Asset], _ db: Database) throws {
    for asset in assets {
      try db.run(
        "UPDATE asset SET is_erased = 0 WHERE digest = ? AND is_erased = 1", [Data(asset.digest)])
    }
  }

  /// Deletes the row of a file that is missing or damaged.
  static func lose(_ digest: AssetDigest, _ db: Database) throws {
    try forget(digest, db)
    try db.run("INSERT OR IGNORE INTO asset_lost VALUES (?)", [Data(digest.bytes)])
  }

  /// Whether the file is or was on this device, so that an edit made here may have set it.
  static func wasHere(_ digest: AssetDigest, _ db: Database) throws -> Bool {
    try isHere(digest, db)
      || db.number(
        "SELECT EXISTS (SELECT 1 FROM asset_lost WHERE digest = ?)", [Data(digest.bytes)]) > 0
  }

  /// Deletes the row of a file.
  package static func forget(_ digest: AssetDigest, _ db: Database) throws {
    try db.run("DELETE FROM asset WHERE digest = ?", [Data(digest.bytes)])
  }

  /// Whether this device has the file.
  static func isHere(_ digest: AssetDigest, _ db: Database) throws -> Bool {
    try db.number(
      "SELECT EXISTS (SELECT 1 FROM asset WHERE digest = ?)", [Data(digest.bytes)]) > 0
  }

  /// Whether this device has any file.
  static func isAnyHere(_ db: Database) throws -> Bool {
    try db.number("SELECT EXISTS (SELECT 1 FROM asset)") > 0
  }

  /// Whether this device has the file, with the given length, and a record refers to it.
  static func isNamedHere(_ asset: Asset, _ db: Database) throws -> Bool {
    try db.number(
      """
      SELECT EXISTS (SELECT 1 FROM asset JOIN asset_use ON asset_use.digest = asset.digest
        WHERE asset.digest = ? AND size = ? AND kind = 0)
      """, [Data(asset.digest), asset.byteCount]) > 0
  }

  /// Whether records of a zone may refer to the file: this device has it and can upload it, or the broker has it for
  /// them, because a record of the zone or of the account's own zones refers to it.
  static func mayBeNamed(_ asset: Asset, in zone: Int64, _ db: Database) throws -> Bool {
    try db.number(
      """
      SELECT EXISTS (SELECT 1 FROM asset WHERE digest = ?1)
        OR EXISTS (
          SELECT 1 FROM asset_use JOIN record ON record.id = asset_use.holder
            JOIN zone ON zone.id = record.zone
          WHERE asset_use.digest = ?1 AND asset_use.kind = 0
            AND (zone.id = ?2 OR zone.owner = zeroblob(16)))
      """, [Data(asset.digest), zone]) > 0
  }

  /// The broker's maximum file size, from its last welcome.
  static func sizeLimit(_ db: Database) throws -> Int {
    try db.number("SELECT size_limit FROM asset_state")
  }

  // MARK: Uses

  /// Replaces the files that a holder refers to.
  static func setUses(_ assets: Set<Asset>, of kind: Holder, _ holder: Int64, _ db: Database) throws
  {
    let old = try db.rows(
      "SELECT digest FROM asset_use WHERE kind = ? AND holder = ?", [kind.rawValue, holder]
    ).map { $0[0] as Data }
    let new = Set(assets.map { Data($0.digest) })
    for digest in new.subtracting(old) {
      try db.run(
        "INSERT INTO asset_use (kind, holder, digest) VALUES (?, ?, ?)",
        [kind.rawValue, holder, digest])
    }
    for digest in Set(old).subtracting(new) {
      try db.run(
        "DELETE FROM asset_use WHERE kind = ? AND holder = ? AND digest = ?",
        [kind.rawValue, holder, digest])
    }
  }

  /// The records that refer to a file.
  static func records(naming digest: AssetDigest, _ db: Database) throws -> [Int64] {
    try db.rows(
      "SELECT holder FROM asset_use WHERE digest = ? AND kind = 0 ORDER BY holder",
      [Data(digest.bytes)]
    ).map { $0[0] }
  }

  /// The first shown record after number `last`, outside the public database, that refers to a missing file. The
  /// application decides which files of the public database are fetched.
  static func holderOfMissing(after last: Int64, _ db: Database) throws -> Int64? {
    try db.row(
      """
      SELECT holder FROM asset_use CROSS JOIN record ON record.id = asset_use.holder
      WHERE kind = 0 AND holder > ? AND shown IS NOT NULL
        AND NOT EXISTS (SELECT 1 FROM asset WHERE asset.digest = asset_use.digest)
        AND \(DeviceReader.isOfGroup("record.zone"))
      ORDER BY holder LIMIT 1
      """, [last]
    ).map { $0[0] }
  }

  // MARK: Wants

  /// Marks a missing file as wanted; `isAsked` if a caller waits for it.
  static func want(_ want: AssetWant, isAsked: Bool, _ db: Database) throws {
    guard try !isHere(want.asset.id, db) else { return }
    try db.run(
      """
      INSERT INTO asset_wanted (digest, owner, zone_name, size, asked) VALUES (?, ?, ?, ?, ?)
      ON CONFLICT DO UPDATE SET asked = max(asked, excluded.asked), owner = excluded.owner,
        zone_name = excluded.zone_name
      """,
      [
        Data(want.asset.digest), want.zone.owner.column, want.zone.name.column,
        want.asset.byteCount, isAsked,
      ])
  }

  /// Whether a file remains to be fetched.
  static func isWanted(_ digest: AssetDigest, _ db: Database) throws -> Bool {
    try db.number(
      "SELECT EXISTS (SELECT 1 FROM asset_wanted WHERE digest = ?)", [Data(digest.bytes)]) > 0
  }

  /// Whether a holder refers to a file, or a caller waits for it.
  static func isNeeded(_ digest: AssetDigest, _ db: Database) throws -> Bool {
    try isWanted(digest, db)
      || db.number(
        "SELECT EXISTS (SELECT 1 FROM asset_use WHERE digest = ?)", [Data(digest.bytes)]) > 0
  }

  /// Removes a file from the wanted ones, if it is wanted from this zone.
  static func giveUp(_ want: AssetWant, _ db: Database) throws {
    try db.run(
      "DELETE FROM asset_wanted WHERE digest = ? AND owner = ? AND zone_name = ?",
      [Data(want.asset.digest), want.zone.owner.column, want.zone.name.column])
  }

  /// Returns the files to fetch next: first those that callers wait for, then the others, while there is space.
  /// Excludes `deferred` files, which are retried later, so that they do not block others.
  static func wants(
    _ db: Database, except deferred: Set<AssetDigest>
  ) throws -> [AssetWant] {
    let isFull =
      try db.number("SELECT bytes FROM asset_state") >= DeviceLimits.eagerAssetBytesTotal
    return try db.rows(
      """
      SELECT digest, owner, zone_name, size FROM asset_wanted
      WHERE asked >= ? AND digest NOT IN (\(Self.places(deferred.count)))
      ORDER BY asked DESC LIMIT \(DeviceLimits.wantsPerPass)
      """, [isFull] + StatementArguments(deferred.map { Data($0.bytes) })
    ).compactMap { row in
      guard let digest = AssetDigest(bytes: row["digest"] as Data),
        let owner = AccountID(column: row["owner"]), let name = ZoneName(column: row["zone_name"])
      else { return nil }
      return AssetWant(
        zone: ZoneID(owner: owner, name: name), asset: Asset(digest, sizeBytes: row["size"]))
    }
  }

  /// Returns `count` placeholders for a list of SQL arguments.
  static func places(_ count: Int) -> String {
    Array(repeating: "?", count: count).joined(separator: ", ")
  }

  // MARK: Collecting

  /// Deletes the rows of files that have been unused for `DeviceLimits.assetGraceSeconds`. Only time that passed while
  /// the device was running counts, so a jump of the clock makes no file older.
  /// - Returns: the files to remove.
  static func collect(
    at now: Timestamp, _ application: Application, _ db: Database
  ) throws -> [AssetDigest] {
    if try clockWentBack(to: now.microseconds, db) {
      for projection in application.projections { try projection.clockWentBack(to: now, db) }
    }
    try db.run("UPDATE asset SET unused_since = ? WHERE unused_since = 0", [now.microseconds])
    let limit = now.microseconds - DeviceLimits.assetGraceSeconds * 1_000_000
    let digests = try db.rows(
      """
      SELECT digest FROM asset WHERE unused_since < ? ORDER BY unused_since
      LIMIT \(DeviceLimits.assetsPerCollection)
      """, [limit]
    ).compactMap { AssetDigest(bytes: $0[0] as Data) }
    for digest in digests { try forget(digest, db) }
    return digests
  }

  /// Observes the clock, and corrects the times of unused files if it jumped. Returns whether it went back.
  private static func clockWentBack(to now: Int64, _ db: Database) throws -> Bool {
    let seen = try db.row("SELECT seen_at FROM asset_state").flatMap { $0[0] as Int64? }
    try db.run("UPDATE asset_state SET seen_at = ?", [now])
    guard let seen else { return false }
    let watched = DeviceLimits.watchedSeconds * 1_000_000
    if now < seen {
      try db.run("UPDATE asset SET unused_since = ? WHERE unused_since > ?", [now, now])
      // The jump ahead is undone, so the clock is trusted again.
      try db.run("UPDATE asset_state SET unsure = 0")
      return true
    } else if now - seen > watched {
      try db.run(
        "UPDATE asset SET unused_since = min(?, unused_since + ?) WHERE unused_since > 0",
        [now, now - seen])
      try db.run("UPDATE asset_state SET unsure = ? WHERE unsure = 0", [watched])
    } else {
      try db.run(
        "UPDATE asset_state SET unsure = max(0, unsure - ?) WHERE unsure > 0", [now - seen])
    }
    return false
  }

  /// Whether the clock has run without a jump long enough to be trusted with ages.
  package static func isClockBelieved(_ db: Database) throws -> Bool {
    try db.number("SELECT unsure FROM asset_state") == 0
  }
}

extension RecordLayers {
  /// Returns the files that any of the record's states refers to.
  /// - Parameter assets: Those of the shown fields.
  func assets(shown assets: [Asset]) -> Set<Asset> {
    var found = Set(assets)
    for fields in [ancestor.fields, inFlight?.fields, held?.fields, bundled] {
      if let fields { found.formUnion(fields.assets) }
    }
    return found
  }
}
