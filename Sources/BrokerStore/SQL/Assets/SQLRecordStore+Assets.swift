import BrokerCore
import FoundationEssentials
import Records
import SQLConnections

extension SQLTransaction {
  func offered(
    _ asset: Asset, by identity: SessionIdentity, at now: Timestamp
  ) throws -> AssetOffer {
    try assets.offered(asset, by: identity, at: now)
  }

  func registerAsset(_ asset: Asset, _ id: UploadID, at now: Timestamp) throws {
    try assets.register(asset, id, at: now)
  }

  func collectAssets(
    graceSeconds: Int64, at now: Timestamp, rowsMaximum: Int
  ) throws -> CollectedAssets {
    try assets.collect(graceSeconds: graceSeconds, at: now, rowsMaximum: rowsMaximum)
  }
}

extension SQLRecordStore {
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
      let participants = ParticipantTable(db: db, memory: nil)
      guard
        try participants.access(of: identity, in: zone).allowsReading,
        let size = try AssetTable(db: db).sizeOfNamed(
          digest.bytes, in: key, joined: participants.joiningRevision(of: identity, in: zone))
      else { return nil }
      return Asset(digest, sizeBytes: size)
    }
  }

  package func registered(_ digests: [AssetDigest]) throws -> Set<AssetDigest> {
    try reading { db in
      var registered: Set<AssetDigest> = []
      for digest in digests {
        let isHeld = try db.first(
          "SELECT EXISTS (SELECT 1 FROM asset WHERE digest = ?)", [digest.bytes]
        ) { $0[0] as Bool }
        if isHeld == true { registered.insert(digest) }
      }
      return registered
    }
  }
}
