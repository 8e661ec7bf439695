// The zone of the public database, which every container has from the first greeting on, and what its
// records' rights need to know of them.

import BrokerCore
import FoundationEssentials
import GRDB
import Records
import SQLiteFile

extension PublicRights {
  /// Whether a session's account may read a public record.
  func allowsReading(_ change: Change, by identity: SessionIdentity) -> Bool {
    allowsReading(change.type, of: change.created.origin.account, by: identity.account)
  }
}

extension SQLiteTransaction {
  /// Makes the zone of a container, unless it is there.
  func makePublicZone(in container: StoreKey, incarnation: Incarnation) throws {
    guard try zones.zone(.public, container: container) == nil else { return }
    guard let owner = try accounts.account(.public) else {
      throw StoreError(.damaged, "The account that has the public database is not there.")
    }
    let zone = StoredZone(
      key: nil, id: .public, title: "", incarnation: incarnation, head: .zero,
      reapedThrough: .zero, isDeleted: false)
    _ = try zones.insert(zone, container: container, owner: owner.key)
  }

  /// The row of the account that made a record.
  func creator(of change: Change) throws -> StoreKey? {
    try accounts.account(change.created.origin.account)?.key
  }
}

extension AssetTable {
  /// The size of a file that a record of a public zone names which the account may read. Costs a look
  /// at each record that names it, up to the first.
  func sizeOfNamed(
    _ digest: [UInt8], inPublicZone zone: StoreKey, for identity: SessionIdentity,
    _ rights: PublicRights
  ) throws -> Int? {
    // Asked for each piece of a file: compiling it anew took half of the time a piece takes.
    let rows = try HotStatement(
      borrowing: """
        SELECT asset.size, record.type, account.id FROM asset_use
        JOIN zone ON zone.key = asset_use.zone
        JOIN asset ON asset.container = zone.container AND asset.account = asset_use.holder
          AND asset.digest = asset_use.digest
        JOIN record ON record.zone = asset_use.zone AND record.name = asset_use.name
        JOIN device ON device.key = record.created_device
        JOIN account ON account.key = device.account
        WHERE asset_use.digest = ? AND asset_use.zone = ? AND is_past = 0
        """, from: db)
    var size: Int?
    try rows.forEach([Data(digest), zone]) { row in
      guard let creator = AccountID(bytes: row.bytes(2)) else { return true }
      let isReadable = rights.allowsReading(
        RecordType(stored: row.text(1)), of: creator, by: identity.account)
      if isReadable { size = Int(row.number(0)) }
      return !isReadable
    }
    return size
  }
}
