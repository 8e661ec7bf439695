// The replica's methods for files. The replica does not access files itself. It returns actions to read, write and
// remove them, and the driver reports the results.

import GRDB
import Records
import SyncCore

extension Replica {
  /// Requests a file for a caller that waits for it.
  package func want(_ asset: Asset, in zone: ZoneID, now: Timestamp) throws -> [SyncAction] {
    try transact(now) { transaction, machine in
      try ReplicaAssetTable.want(AssetWant(zone: zone, asset: asset), isAsked: true, transaction.db)
      machine.isAwaited(asset.id)
      return []
    }
  }

  /// Records that the first `byteCount` bytes of a download are on the disk (`FileAction.open`, `FileAction.append`).
  package func reached(_ asset: Asset, byteCount: Int, now: Timestamp) -> [SyncAction] {
    outsideStore { machine, _ in
      machine.now = now
      return machine.reached(asset.id, byteCount: byteCount)
    }
  }

  /// Inserts downloaded files that are complete and durable, in one transaction. A file that is no longer needed is not
  /// inserted; the driver removes it (`DeviceReader.isHere`).
  package func arrived(_ assets: [Asset], now: Timestamp) throws -> [SyncAction] {
    try transact(now) { transaction, machine in
      var steps: [SyncStep] = []
      for asset in assets {
        if try ReplicaAssetTable.isNeeded(asset.id, transaction.db) {
          try ReplicaAssetTable.keep(asset, transaction.db)
        }
        steps += machine.arrived(asset.id)
      }
      return steps
    }
  }

  /// Handles a download that could not be written to disk, or whose content does not match its digest.
  package func failed(
    _ asset: Asset, _ error: RecordsError, now: Timestamp
  ) throws -> [SyncAction] {
    try transact(now) { _, machine in machine.failed(asset.id, error) }
  }

  /// Handles an upload whose file cannot be read. With `assetNotAvailable`, the edits that refer to it are rejected.
  /// After any other error it is retried later.
  package func unreadable(
    _ asset: Asset, _ error: RecordsError, now: Timestamp
  ) throws -> [SyncAction] {
    try transact(now) { _, machine in machine.unreadable(asset.id, error) }
  }

  /// Deletes the row of a file that is missing or damaged, so that it can be fetched again.
  package func lost(_ asset: Asset, now: Timestamp) throws -> [SyncAction] {
    try transact(now) { transaction, _ in
      try ReplicaAssetTable.lose(asset.id, transaction.db)
      return []
    }
  }

  /// Collects unused files (see `ReplicaAssetTable.collect`), and those that the application evicts from this device.
  /// Call it every few minutes.
  /// - Returns: the files, for the driver to remove before it does anything else.
  package func collectAssets(now: Timestamp) throws -> [AssetDigest] {
    let gone = try database.write { db in
      var gone = try ReplicaAssetTable.collect(at: now, application, db)
      for projection in application.projections {
        let room = DeviceLimits.assetsPerCollection - gone.count
        gone += try projection.evict(at: now, limit: room, db)
      }
      return gone
    }
    // A clock that was set back may have made files wanted again.
    _ = outsideStore { machine, _ in
      machine.wantsChanged()
      return []
    }
    return gone
  }
}

extension DeviceReader {
  /// Whether this device has the file.
  package func isHere(_ asset: Asset) throws -> Bool {
    try database.read { try ReplicaAssetTable.isHere(asset.id, $0) }
  }

  /// Whether this device has the file, as a transaction sees it.
  package static func isHere(_ asset: Asset, _ db: Database) throws -> Bool {
    try ReplicaAssetTable.isHere(asset.id, db)
  }

  /// Returns those of `digests` that have a row. Other files on the disk can be removed.
  package func entered(_ digests: [AssetDigest]) throws -> Set<AssetDigest> {
    try database.read { db in Set(try digests.filter { try ReplicaAssetTable.isHere($0, db) }) }
  }

  /// Returns those of `digests` that remain to be fetched. Incomplete downloads of other files can be removed.
  package func wanted(_ digests: [AssetDigest]) throws -> Set<AssetDigest> {
    try database.read { db in Set(try digests.filter { try ReplicaAssetTable.isWanted($0, db) }) }
  }

  /// The maximum size of a file: the broker's limit, from its last welcome.
  package func assetBytesMaximum() throws -> Int {
    try database.read { try ReplicaAssetTable.sizeLimit($0) }
  }

  /// Finds the first record after number `last`, in one group or in all, that refers to missing files.
  /// - Returns: the missing files, the record's group, and its number for the next call; `nil` if there is none.
  package func missingAssets(
    in zone: ZoneID?, after last: Int64
  ) throws -> (assets: [Asset], zone: ZoneID, last: Int64)? {
    try database.read { db in
      var last = last
      while let holder = try ReplicaAssetTable.holderOfMissing(after: last, db) {
        last = holder
        let row = try db.row(
          "\(Self.recordSelection) WHERE record.id = ? AND shown IS NOT NULL", [holder])
        guard let view = try row.map(Self.record), zone == nil || view.id.zone == zone else {
          continue
        }
        let missing = try view.fields.assets.filter { try !ReplicaAssetTable.isHere($0.id, db) }
        if !missing.isEmpty { return (missing, view.id.zone, last) }
      }
      return nil
    }
  }

  /// The number of files that remain to be fetched.
  package func wantedAssets() throws -> Int {
    try database.read { try $0.number("SELECT count(*) FROM asset_wanted") }
  }
}
