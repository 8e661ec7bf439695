// Which account has which file, what names it, and since when nothing does. An account's row in
// `asset` is what it is charged for; a file of several accounts is on the disk once. `asset_use` has
// a row for each file that a record's state names; the owner of the zone has every file that is
// named there.

import BrokerCore
import FoundationEssentials
import GRDB
import Records
import SQLiteFile

/// The `asset`, `asset_use`, `asset_charge` and `asset_clock` tables.
struct AssetTable {
  let db: Database

  // `unused_since` is NULL while a record of the account's zones names the file, now or in a state
  // that is still kept (`is_past`).
  static let schema = """
    CREATE TABLE asset (
      container INTEGER NOT NULL,
      account INTEGER NOT NULL,
      digest BLOB NOT NULL,
      size INTEGER NOT NULL,
      unused_since INTEGER,
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
      UNIQUE (zone, name, digest, revision)
    ) STRICT;
    CREATE INDEX asset_use_past ON asset_use (key) WHERE is_past = 1;
    CREATE INDEX asset_use_digest ON asset_use (digest, zone);
    CREATE TABLE asset_charge (
      container INTEGER NOT NULL,
      account INTEGER NOT NULL,
      bytes INTEGER NOT NULL,
      PRIMARY KEY (container, account)
    ) STRICT, WITHOUT ROWID;
    CREATE TRIGGER asset_entered AFTER INSERT ON asset BEGIN
      INSERT INTO asset_charge VALUES (NEW.container, NEW.account, NEW.size)
      ON CONFLICT DO UPDATE SET bytes = bytes + NEW.size;
    END;
    CREATE TRIGGER asset_left AFTER DELETE ON asset BEGIN
      UPDATE asset_charge SET bytes = bytes - OLD.size
      WHERE container = OLD.container AND account = OLD.account;
    END;
    CREATE TABLE asset_clock (
      id INTEGER PRIMARY KEY CHECK (id = 1),
      seen_at INTEGER NOT NULL,
      checked_through INTEGER NOT NULL DEFAULT 0
    ) STRICT;
    """

  // MARK: Planning

  /// What the saves of a request may name; `nil` when they name nothing.
  func gather(
    _ request: ModifyRequest, zones: [ZoneID: StoredZone], records: [RecordID: Change],
    of identity: SessionIdentity
  ) throws -> GatheredAssets? {
    var available: [ZoneID: Set<Asset>]?
    var paid: [AccountID: Set<Asset>] = [:]
    for group in request.groups {
      for case .save(let save) in group.operations {
        let named = save.fields.assets
        guard !named.isEmpty else { continue }
        let id = group.zone.resolved(for: identity.account)
        // NB: in the public database each sends what it names: not every record there is for everybody
        // to read, and who knew a digest would have the file.
        let zone = id.isPublic ? nil : zones[id]?.key
        let payer = Self.payer(of: RecordID(zone: id, name: save.name), records)
        for asset in named where try isAvailable(asset, zone, identity) {
          available = available ?? [:]
          available?[id, default: []].insert(asset)
          if let payer, payer != identity.account { paid[payer, default: []].insert(asset) }
        }
        available = available ?? [:]
      }
    }
    guard let available else { return nil }
    return GatheredAssets(available: available, payers: try payers(of: paid, identity))
  }

  /// Who has, and pays for, what a record names: the zone's owner, and in the public database who made
  /// the record; `nil` for one that is new there.
  private static func payer(of id: RecordID, _ records: [RecordID: Change]) -> AccountID? {
    guard id.zone.isPublic else { return id.zone.owner }
    guard let record = records[id], record.kind == .saved else { return nil }
    return record.created.origin.account
  }

  /// The others who will have, and pay for, what is named.
  private func payers(
    of paid: [AccountID: Set<Asset>], _ identity: SessionIdentity
  ) throws -> [AccountID: GatheredAssets.Payer] {
    var payers: [AccountID: GatheredAssets.Payer] = [:]
    for (other, assets) in paid {
      guard let key = try AccountTable(db: db).account(other)?.key else { continue }
      let charged = try chargedBytes(of: key, container: identity.container)
      var payer = GatheredAssets.Payer(chargedBytes: charged, held: [])
      for asset in assets {
        let size = try size(of: asset.digest, container: identity.container, key)
        if size != nil { payer.held.insert(asset) }
      }
      payers[other] = payer
    }
    return payers
  }

  private func chargedBytes(of account: StoreKey, container: StoreKey) throws -> Int {
    try db.first(
      "SELECT bytes FROM asset_charge WHERE container = ? AND account = ?", [container, account]
    ) { $0[0] as Int } ?? 0
  }

  /// NB: what the zone's owner has elsewhere does not count, or a member could get at any file of
  /// the owner by its digest.
  private func isAvailable(
    _ asset: Asset, _ zone: StoreKey?, _ identity: SessionIdentity
  ) throws -> Bool {
    let held = try size(of: asset.digest, container: identity.container, identity.accountKey)
    if let held { return held == asset.byteCount }
    guard let zone else { return false }
    return try sizeOfNamed(asset.digest, in: zone) == asset.byteCount
  }

  private func size(
    of digest: [UInt8], container: StoreKey, _ account: StoreKey
  ) throws -> Int? {
    try db.first(
      "SELECT size FROM asset WHERE container = ? AND account = ? AND digest = ?",
      [container, account, Data(digest)]
    ) { $0[0] }
  }

  /// The size of a file that a record of the zone names, now or in its past. What was erased with the
  /// trash names nothing from that moment on, although its rows go a little later.
  func sizeOfNamed(_ digest: [UInt8], in zone: StoreKey) throws -> Int? {
    let sql = """
      SELECT asset.size FROM zone
      JOIN asset ON asset.container = zone.container AND asset.account = zone.owner
      WHERE zone.key = ?1 AND asset.digest = ?2
        AND EXISTS (SELECT 1 FROM asset_use AS naming
          WHERE naming.digest = ?2 AND naming.zone = ?1 AND NOT (
            is_past = 1 AND naming.revision <= erased_through AND EXISTS (
              SELECT 1 FROM record WHERE record.zone = ?1 AND record.name = naming.name AND (
                record.kind = 1 AND record.revision BETWEEN naming.revision AND erased_through
                OR EXISTS (SELECT 1 FROM past WHERE past.record = record.key AND past.kind = 1
                  AND past.revision BETWEEN naming.revision AND erased_through)))))
      """
    return try db.first(sql, [zone, Data(digest)]) { $0[0] }
  }

  // MARK: Uses

  /// Notes what a record's newest state names; what it named before it names in its past. `holder` is
  /// the account that has what is named, where that is not the zone's owner.
  func setUses(
    _ named: [Asset], of change: Change, zone: StoreKey, holder: StoreKey?
  ) throws {
    try db.run(
      "UPDATE asset_use SET is_past = 1 WHERE zone = ? AND name = ? AND is_past = 0",
      [zone, change.name.text])
    for asset in Set(named) {
      try db.run(
        "INSERT INTO asset_use (zone, name, digest, revision, holder) VALUES (?, ?, ?, ?, ?)",
        [zone, change.name.text, Data(asset.digest), change.tag.value, holder])
      try give(asset, to: holder, in: zone)
    }
  }

  /// The zone's owner, or else the holder, has what is named there from now on, and is charged for it,
  /// whoever sent it.
  private func give(_ asset: Asset, to holder: StoreKey?, in zone: StoreKey) throws {
    try db.run(
      """
      INSERT INTO asset (container, account, digest, size)
      SELECT container, coalesce(?, owner), ?, ? FROM zone WHERE key = ?
      ON CONFLICT DO UPDATE SET unused_since = NULL WHERE unused_since IS NOT NULL
      """, [holder, Data(asset.digest), asset.byteCount, zone])
  }

  /// A record of a zone no longer names a file: if nothing else of who has it does, the grace begins.
  private func markUnused(
    _ digest: Data, holder: StoreKey?, in zone: StoreKey, at now: Timestamp
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
}

// MARK: - Coming

extension AssetTable {
  /// See `AssetTransaction.offered`.
  func offered(
    _ asset: Asset, by identity: SessionIdentity, at now: Timestamp
  ) throws -> AssetOffer {
    let key: StatementArguments = [
      identity.container, identity.accountKey, Data(asset.digest),
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
      return .failed(.invalid("The file \(asset.id) has \(held.size) bytes, no other number."))
    }
    guard try !LostAssetTable(db: db).isLost(asset.digest) else {
      // It is paid for.
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

  /// See `AssetTransaction.keep`.
  func keep(_ asset: Asset, _ id: UploadID, at now: Timestamp) throws {
    try db.run(
      """
      INSERT INTO asset (container, account, digest, size, unused_since) VALUES (?, ?, ?, ?, ?)
      ON CONFLICT DO UPDATE SET unused_since = excluded.unused_since
        WHERE unused_since IS NOT NULL
      """, [id.container, id.account, Data(asset.digest), asset.byteCount, now.microseconds])
    try LostAssetTable(db: db).find(asset.digest)
  }
}

// MARK: - Going

extension AssetTable {
  /// A longer silence than this between two collections is not time that passed here.
  private static let watchedMicroseconds: Int64 = 3_600_000_000

  /// See `AssetTransaction.collectAssets`.
  func collect(
    graceSeconds: Int64, at now: Timestamp, rowsMaximum: Int
  ) throws -> CollectedAssets {
    try watchClock(now.microseconds)
    var isMore = try endUsesOfDeletedZones(at: now, rowsMaximum: rowsMaximum)
    if try endUsesOfThePast(at: now) { isMore = true }
    let rows = try Row.fetchAll(
      db.cachedStatement(
        sql: """
          SELECT container, account, digest FROM asset WHERE unused_since < ?
          ORDER BY unused_since LIMIT ?
          """), arguments: [now.microseconds - graceSeconds * 1_000_000, rowsMaximum])
    var removed: [AssetDigest] = []
    for row in rows {
      let digest: Data = row[2]
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

  /// Takes time that nobody watched pass out of every grace.
  private func watchClock(_ now: Int64) throws {
    let seen = try db.first("SELECT seen_at FROM asset_clock", []) { $0[0] as Int64 }
    try db.run(
      """
      INSERT INTO asset_clock (id, seen_at) VALUES (1, ?)
      ON CONFLICT DO UPDATE SET seen_at = excluded.seen_at
      """, [now])
    guard let seen else { return }
    if now < seen {
      try db.run("UPDATE asset SET unused_since = ?1 WHERE unused_since > ?1", [now])
    } else if now - seen > Self.watchedMicroseconds {
      try db.run(
        "UPDATE asset SET unused_since = min(?1, unused_since + ?2) WHERE unused_since IS NOT NULL",
        [now, now - seen])
    }
  }

  private func endUsesOfDeletedZones(at now: Timestamp, rowsMaximum: Int) throws -> Bool {
    let rows = try Row.fetchAll(
      db.cachedStatement(
        sql: """
          SELECT asset_use.key, asset_use.zone, asset_use.digest
          FROM zone JOIN asset_use ON asset_use.zone = zone.key
          WHERE zone.is_deleted = 1 LIMIT ?
          """), arguments: [rowsMaximum])
    for row in rows { try end(row[0], of: row[1], row[2], at: now) }
    return rows.count == rowsMaximum
  }

  /// The earlier states of a record were erased with the trash: what only they named has no grace.
  func eraseUses(by record: StoreKey, of zone: StoreKey, through revision: Revision) throws {
    let rows = try Row.fetchAll(
      db.cachedStatement(
        sql: """
          SELECT key, digest FROM asset_use
          WHERE zone = ? AND name = (SELECT name FROM record WHERE key = ?)
            AND is_past = 1 AND revision <= ?
          """), arguments: [zone, record, revision.value])
    for row in rows { try end(row[0], of: zone, row[1], at: Timestamp(microseconds: .min)) }
  }

  /// Uses looked at for a state that is no longer kept, in one collection.
  private static let pastUsesPerCollection = 1000

  /// Ends uses by earlier states that are gone: some of them each time, in turn. Of public records
  /// nobody sees an earlier state, so it keeps no file.
  private func endUsesOfThePast(at now: Timestamp) throws -> Bool {
    let rows = try Row.fetchAll(
      db.cachedStatement(
        sql: """
          SELECT key, zone, digest, holder IS NULL AND EXISTS (
            SELECT 1 FROM record JOIN past ON past.record = record.key
            WHERE record.zone = asset_use.zone AND record.name = asset_use.name
              AND past.revision = asset_use.revision)
          FROM asset_use
          WHERE is_past = 1 AND key > (SELECT checked_through FROM asset_clock)
          ORDER BY key LIMIT \(Self.pastUsesPerCollection)
          """))
    for row in rows where !(row[3] as Bool) { try end(row[0], of: row[1], row[2], at: now) }
    let isFull = rows.count == Self.pastUsesPerCollection
    let reached: Int64 = isFull ? rows.last?[0] ?? 0 : 0
    try db.run("UPDATE asset_clock SET checked_through = ?", [reached])
    return isFull
  }

  private func end(
    _ use: StoreKey, of zone: StoreKey, _ digest: Data, at now: Timestamp
  ) throws {
    let holder = try db.first("SELECT holder FROM asset_use WHERE key = ?", [use]) {
      $0[0] as StoreKey?
    }
    try db.run("DELETE FROM asset_use WHERE key = ?", [use])
    try markUnused(digest, holder: holder ?? nil, in: zone, at: now)
  }
}

// MARK: - The store

extension SQLiteTransaction {
  func offered(
    _ asset: Asset, by identity: SessionIdentity, at now: Timestamp
  ) throws -> AssetOffer {
    try assets.offered(asset, by: identity, at: now)
  }

  func keep(_ asset: Asset, _ id: UploadID, at now: Timestamp) throws {
    try assets.keep(asset, id, at: now)
  }

  func collectAssets(
    graceSeconds: Int64, at now: Timestamp, rowsMaximum: Int
  ) throws -> CollectedAssets {
    try assets.collect(graceSeconds: graceSeconds, at: now, rowsMaximum: rowsMaximum)
  }
}

extension SQLiteRecordStore {
  package func asset(
    _ digest: AssetDigest, in zone: ZoneID, for identity: SessionIdentity
  ) throws -> Asset? {
    try reading { db -> Asset? in
      let id = zone.resolved(for: identity.account)
      guard let zone = try ZoneTable(db: db, memory: nil).zone(id, container: identity.container),
        let key = zone.key, !zone.isDeleted
      else { return nil }
      guard !id.isPublic else {
        let size = try AssetTable(db: db).sizeOfNamed(
          digest.bytes, inPublicZone: key, for: identity, publicRights)
        return size.map { Asset(digest, sizeBytes: $0) }
      }
      guard
        try ParticipantTable(db: db, memory: nil).access(of: identity, in: zone).allowsReading,
        let size = try AssetTable(db: db).sizeOfNamed(digest.bytes, in: key)
      else { return nil }
      return Asset(digest, sizeBytes: size)
    }
  }

  package func entered(_ digests: [AssetDigest]) throws -> Set<AssetDigest> {
    try reading { db in
      var entered: Set<AssetDigest> = []
      for digest in digests {
        let isHeld = try db.first(
          "SELECT EXISTS (SELECT 1 FROM asset WHERE digest = ?)", [Data(digest.bytes)]
        ) { $0[0] as Bool }
        if isHeld == true { entered.insert(digest) }
      }
      return entered
    }
  }
}
