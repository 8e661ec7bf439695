// Which files are here, what names them, and which are still to be fetched. The bytes are the
// driver's: a file is durable before its row is entered, and removed after its row is gone, so what
// people see points at a file that is here or that the broker has. What names a file is told by
// `asset_use`, one row for each holder: a record in any of its states, a parked edit.

import Foundation
import GRDB
import Records
import SQLiteFile
import SyncCore

/// The `asset`, `asset_use`, `asset_wanted` and `asset_state` tables.
package enum ReplicaAssetTable {
  /// What may name a file.
  enum Holder: Int {
    /// A record: what is shown, the ancestor, an edit under way, a change that waits.
    case record = 0
    /// An edit that was refused and waits for its author.
    case parked = 1
  }

  // `unused_since` is NULL while something names the file, and 0 from when nothing does until the
  // next collection, which knows the time. What was erased with the trash (`is_erased`) has no grace:
  // it begins at 1, long ago. The triggers see to it wherever rows come and go.
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
      seen_at INTEGER
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
    CREATE TRIGGER asset_parked_left AFTER DELETE ON parked BEGIN
      DELETE FROM asset_use WHERE kind = 1 AND holder = OLD.id;
    END;

    """

  // `asset_lost` holds files whose rows went because the files were gone or damaged, as long as
  // something names them: what an edit made here set, and what it only found, are told apart by it.
  static let lostFiles = """
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

  /// `unsure`: of so much time that must still be watched pass before the clock is believed, after it
  /// went ahead by more than is watched at once.
  static let doubt = """
    ALTER TABLE asset_state ADD COLUMN unsure INTEGER NOT NULL DEFAULT 0;

    """

  // MARK: Files

  /// Enters a file that is durable. One that is here already begins its grace anew.
  static func keep(_ asset: Asset, _ db: Database) throws {
    try db.run(
      """
      INSERT INTO asset (digest, size, unused_since) VALUES (?1, ?2,
        CASE WHEN EXISTS (SELECT 1 FROM asset_use WHERE digest = ?1) THEN NULL ELSE 0 END)
      ON CONFLICT DO UPDATE SET unused_since = 0, is_erased = 0 WHERE unused_since IS NOT NULL
      """, [Data(asset.digest), asset.byteCount])
  }

  /// What named these files was erased for good, and nothing else that is kept names them: unless
  /// something that is shown does, they have no grace, now or when the broker has heard of it.
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

  /// A record shows these files again after its trash was emptied: they have their grace back.
  static func spare(_ assets: [Asset], _ db: Database) throws {
    for asset in assets {
      try db.run(
        "UPDATE asset SET is_erased = 0 WHERE digest = ? AND is_erased = 1", [Data(asset.digest)])
    }
  }

  /// Forgets a file that was here and is lost or damaged.
  static func lose(_ digest: AssetDigest, _ db: Database) throws {
    try forget(digest, db)
    try db.run("INSERT OR IGNORE INTO asset_lost VALUES (?)", [Data(digest.bytes)])
  }

  /// Whether the file was once here, so that an edit made here may have set it.
  static func wasHere(_ digest: AssetDigest, _ db: Database) throws -> Bool {
    try isHere(digest, db)
      || db.number(
        "SELECT EXISTS (SELECT 1 FROM asset_lost WHERE digest = ?)", [Data(digest.bytes)]) > 0
  }

  /// Forgets a file that is not here any more.
  package static func forget(_ digest: AssetDigest, _ db: Database) throws {
    try db.run("DELETE FROM asset WHERE digest = ?", [Data(digest.bytes)])
  }

  /// Whether the file is here.
  static func isHere(_ digest: AssetDigest, _ db: Database) throws -> Bool {
    try db.number(
      "SELECT EXISTS (SELECT 1 FROM asset WHERE digest = ?)", [Data(digest.bytes)]) > 0
  }

  /// Whether any file is here.
  static func isAnyHere(_ db: Database) throws -> Bool {
    try db.number("SELECT EXISTS (SELECT 1 FROM asset)") > 0
  }

  /// Whether the file is here, as long as said, and a record names it.
  static func isNamedHere(_ asset: Asset, _ db: Database) throws -> Bool {
    try db.number(
      """
      SELECT EXISTS (SELECT 1 FROM asset JOIN asset_use ON asset_use.digest = asset.digest
        WHERE asset.digest = ? AND size = ? AND kind = 0)
      """, [Data(asset.digest), asset.byteCount]) > 0
  }

  /// Whether records of a zone may name the file: it is here to be sent, or the broker has it for
  /// them, since a record of the zone or of this account's own names it.
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

  /// The largest file the broker takes, as it said when it was last met.
  static func sizeLimit(_ db: Database) throws -> Int {
    try db.number("SELECT size_limit FROM asset_state")
  }

  // MARK: Uses

  /// Notes what a holder names, instead of what it named before.
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

  /// The records that name a file.
  static func records(naming digest: AssetDigest, _ db: Database) throws -> [Int64] {
    try db.rows(
      "SELECT holder FROM asset_use WHERE digest = ? AND kind = 0 ORDER BY holder",
      [Data(digest.bytes)]
    ).map { $0[0] }
  }

  /// The first record after number `last`, outside the public database, that is shown and names a file which is
  /// not here. For files of the public database the application decides which are fetched.
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

  /// Wants a file that is not here; `isAsked` if somebody waits for it.
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

  /// Whether a file is still to be fetched.
  static func isWanted(_ digest: AssetDigest, _ db: Database) throws -> Bool {
    try db.number(
      "SELECT EXISTS (SELECT 1 FROM asset_wanted WHERE digest = ?)", [Data(digest.bytes)]) > 0
  }

  /// Whether anything here names a file, or somebody waits for it.
  static func isNeeded(_ digest: AssetDigest, _ db: Database) throws -> Bool {
    try isWanted(digest, db)
      || db.number(
        "SELECT EXISTS (SELECT 1 FROM asset_use WHERE digest = ?)", [Data(digest.bytes)]) > 0
  }

  /// No longer wants a file from this zone.
  static func giveUp(_ want: AssetWant, _ db: Database) throws {
    try db.run(
      "DELETE FROM asset_wanted WHERE digest = ? AND owner = ? AND zone_name = ?",
      [Data(want.asset.digest), want.zone.owner.column, want.zone.name.column])
  }

  /// What to fetch next: what somebody waits for, then, as long as there is room, the rest; without
  /// what is tried again later anyway, so that no file stands in another's way.
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

  /// The places of so many arguments.
  static func places(_ count: Int) -> String {
    Array(repeating: "?", count: count).joined(separator: ", ")
  }

  // MARK: Collecting

  /// Forgets files that nothing has named for `DeviceLimits.assetGraceSeconds` of the time the
  /// device has watched pass: a clock that jumps makes nothing older.
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

  /// Notes how the clock goes on.
  private static func clockWentBack(to now: Int64, _ db: Database) throws -> Bool {
    let seen = try db.row("SELECT seen_at FROM asset_state").flatMap { $0[0] as Int64? }
    try db.run("UPDATE asset_state SET seen_at = ?", [now])
    guard let seen else { return false }
    let watched = DeviceLimits.watchedSeconds * 1_000_000
    if now < seen {
      try db.run("UPDATE asset SET unused_since = ? WHERE unused_since > ?", [now, now])
      // What was thought too old while the clock was ahead is not.
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

  /// Whether the clock has gone on as it was for long enough to tell what is old.
  package static func isClockBelieved(_ db: Database) throws -> Bool {
    try db.number("SELECT unsure FROM asset_state") == 0
  }
}

extension RecordLayers {
  /// What any of the record's states names.
  var assets: Set<Asset> {
    var found: Set<Asset> = []
    for fields in [shown, ancestor.fields, inFlight?.fields, held?.fields, bundled] {
      if let fields { found.formUnion(fields.assets) }
    }
    return found
  }
}
