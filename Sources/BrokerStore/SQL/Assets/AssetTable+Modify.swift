// The assets that a modify request may refer to, and the accounts that are charged for them.

import BrokerCore
import Records
import SQLConnections

extension AssetTable {
  /// The assets that the saves of a request may refer to, of those they do; `nil` if they refer to none.
  func gather(
    _ request: ModifyRequest, zones: [ZoneID: StoredZone], records: [RecordID: Change],
    of identity: SessionIdentity
  ) throws -> AvailableAssets? {
    var available: [ZoneID: Set<Asset>]?
    var charged: [AccountID: Set<Asset>] = [:]
    for group in request.groups {
      for case .save(let save) in group.operations {
        let named = save.fields.assets
        guard !named.isEmpty else { continue }
        let id = group.zone.resolved(for: identity.account)
        // NB: in the public database a device must have uploaded the asset. Some records there cannot be
        // read by all accounts, so a digest alone must not give access to a file.
        let zone = id.isPublic ? nil : zones[id]?.key
        let payer = Self.payer(of: RecordID(zone: id, name: save.name), records)
        for asset in named where try isAvailable(asset, zone, identity) {
          available = available ?? [:]
          available?[id, default: []].insert(asset)
          if let payer, payer != identity.account { charged[payer, default: []].insert(asset) }
        }
        available = available ?? [:]
      }
    }
    guard let available else { return nil }
    return AvailableAssets(available: available, payers: try payers(of: charged, identity))
  }

  /// The account that is charged for a record's assets: the zone's owner; in the public database the
  /// record's creator, `nil` for a new record.
  private static func payer(of id: RecordID, _ records: [RecordID: Change]) -> AccountID? {
    guard id.zone.isPublic else { return id.zone.owner }
    guard let record = records[id], record.kind == .saved else { return nil }
    return record.created.origin.account
  }

  /// The usage of the other accounts that will be charged, and which of the assets they already have.
  private func payers(
    of charged: [AccountID: Set<Asset>], _ identity: SessionIdentity
  ) throws -> [AccountID: AvailableAssets.Payer] {
    var payers: [AccountID: AvailableAssets.Payer] = [:]
    for (other, assets) in charged {
      guard let key = try AccountTable(db: db).account(other)?.key else { continue }
      let charged = try charge(of: key, container: identity.container)
      var payer = AvailableAssets.Payer(
        chargedBytes: charged.bytes, participantsBytes: charged.participantsBytes, held: [])
      for asset in assets {
        let size = try size(of: asset.digest, container: identity.container, key)
        if size != nil { payer.held.insert(asset) }
      }
      payers[other] = payer
    }
    return payers
  }

  /// The bytes of all assets that an account is charged for in a container.
  func chargedBytes(of account: StoreKey, container: StoreKey) throws -> Int {
    try charge(of: account, container: container).bytes
  }

  private func charge(
    of account: StoreKey, container: StoreKey
  ) throws -> (bytes: Int, participantsBytes: Int) {
    try db.first(
      "SELECT bytes, participants_bytes FROM asset_charge WHERE container = ? AND account = ?",
      [container, account]
    ) { ($0[0] as Int, $0[1] as Int) } ?? (0, 0)
  }

  /// Whether a save in `zone` may refer to an asset: the session's account has it, or a record of the zone
  /// refers to it.
  ///
  /// NB: the assets of the owner's other zones do not count, or a participant could get any file of the
  /// owner by its digest.
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
      [container, account, digest]
    ) { $0[0] }
  }

  /// The size of an asset that a record of the zone refers to, in its newest state or an earlier version that an account
  /// may read. Versions erased with the trash do not count, even before their rows are deleted.
  /// - Parameter joined: the zone's revision when the account joined. A version does not count if a later version of its
  ///   record was the current one at this revision.
  func sizeOfNamed(
    _ digest: [UInt8], in zone: StoreKey, joined: Revision = .zero
  ) throws -> Int? {
    let sql = """
      SELECT asset.size FROM zone
      JOIN asset ON asset.container = zone.container AND asset.account = zone.owner
      WHERE zone.key = ?1 AND asset.digest = ?2
        AND EXISTS (SELECT 1 FROM asset_use AS naming
          WHERE naming.digest = ?2 AND naming.zone = ?1
          AND (is_past = 0 OR naming.revision > ?3 OR NOT EXISTS (
            SELECT 1 FROM record WHERE record.zone = ?1 AND record.name = naming.name AND (
              record.revision > naming.revision AND record.revision <= ?3
              OR EXISTS (SELECT 1 FROM past WHERE past.record = record.key
                AND past.revision > naming.revision AND past.revision <= ?3))))
          AND NOT (
            is_past = 1 AND naming.revision <= erased_through AND EXISTS (
              SELECT 1 FROM record WHERE record.zone = ?1 AND record.name = naming.name AND (
                record.kind = 1 AND record.revision BETWEEN naming.revision AND erased_through
                OR EXISTS (SELECT 1 FROM past WHERE past.record = record.key AND past.kind = 1
                  AND past.revision BETWEEN naming.revision AND erased_through)))))
      """
    return try db.first(sql, [zone, digest, joined.value]) { $0[0] }
  }
}
