// What a driver tells a replica about files, and asks it. The replica touches none: it says what to
// read, write and remove, and is told what came of it.

import GRDB
import Records
import SyncCore

extension Replica {
  /// A file is wanted now: somebody waits for it.
  package func want(_ asset: Asset, in zone: ZoneID, now: Timestamp) throws -> [SyncAction] {
    try transact(now) { transaction, machine in
      try ReplicaAssetTable.want(AssetWant(zone: zone, asset: asset), isAsked: true, transaction.db)
      machine.isAwaited(asset.id)
      return []
    }
  }

  /// The first `byteCount` bytes of a file that is being downloaded are on the disk (`FileAction.open`,
  /// `FileAction.append`).
  package func reached(_ asset: Asset, byteCount: Int, now: Timestamp) -> [SyncAction] {
    outsideStore { machine, _ in
      machine.now = now
      return machine.reached(asset.id, byteCount: byteCount)
    }
  }

  /// Files that were fetched are whole and durable. Each is entered unless nothing here names it or
  /// wants it any more; then the driver removes it (`DeviceReader.isHere`). One transaction for all.
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

  /// A file could not be fetched because of this device's disk, or is not what its name says.
  package func failed(
    _ asset: Asset, _ error: RecordsError, now: Timestamp
  ) throws -> [SyncAction] {
    try transact(now) { _, machine in machine.failed(asset.id, error) }
  }

  /// A file that is to be sent cannot be read: with `assetNotAvailable` what names it is refused,
  /// with anything else it is tried again later.
  package func unreadable(
    _ asset: Asset, _ error: RecordsError, now: Timestamp
  ) throws -> [SyncAction] {
    try transact(now) { _, machine in machine.unreadable(asset.id, error) }
  }

  /// A file whose row is here is not: it was lost or damaged. It can be wanted again.
  package func lost(_ asset: Asset, now: Timestamp) throws -> [SyncAction] {
    try transact(now) { transaction, _ in
      try ReplicaAssetTable.lose(asset.id, transaction.db)
      return []
    }
  }

  /// Forgets files that nothing has named for a day, see `ReplicaAssetTable.collect`, and those that the application
  /// no longer keeps on this device. To be called every few minutes.
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
  /// Whether the file is here.
  package func isHere(_ asset: Asset) throws -> Bool {
    try database.read { try ReplicaAssetTable.isHere(asset.id, $0) }
  }

  /// Those of `digests` that are entered: what a sweep of the files leaves alone.
  package func entered(_ digests: [AssetDigest]) throws -> Set<AssetDigest> {
    try database.read { db in Set(try digests.filter { try ReplicaAssetTable.isHere($0, db) }) }
  }

  /// Those of `digests` that are still to be fetched: what is half here of others can go.
  package func wanted(_ digests: [AssetDigest]) throws -> Set<AssetDigest> {
    try database.read { db in Set(try digests.filter { try ReplicaAssetTable.isWanted($0, db) }) }
  }

  /// The largest file that may be kept: what the broker takes, as it said when it was last met.
  package func assetBytesMaximum() throws -> Int {
    try database.read { try ReplicaAssetTable.sizeLimit($0) }
  }

  /// The first record behind number `last`, in all groups or in one, that names files which are
  /// not here: those files, the record's group and its number, to go on with. `nil` behind the last.
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

  /// How many files are still to be fetched.
  package func wantedAssets() throws -> Int {
    try database.read { try $0.number("SELECT count(*) FROM asset_wanted") }
  }
}
