import BrokerCore
import FoundationEssentials
import Records
import SQLConnections

extension PublicRights {
  /// Whether a session's account may read a public record. This depends on the type and the creator.
  func allowsReading(_ change: Change, by identity: SessionIdentity) -> Bool {
    allowsReading(change.type, of: change.created.origin.account, by: identity.account)
  }
}

extension SQLTransaction {
  /// Creates the public zone of a container unless it exists. Every greeting calls this.
  /// - Throws: `damaged` if the reserved account that owns public zones is missing.
  func makePublicZone(in container: StoreKey, incarnation: Incarnation) throws {
    guard try zones.zone(.public, container: container) == nil else { return }
    guard let owner = try accounts.account(.public) else {
      throw StoreError(.damaged, "The account that owns the public database is missing.")
    }
    let zone = try StoredZone(
      key: nil, id: .public, title: "", incarnation: incarnation, head: zones.newZoneHead,
      expiredThrough: .zero, isDeleted: false)
    _ = try zones.insert(zone, container: container, owner: owner.key)
  }

  /// Returns the row of the account that created a record; `nil` if there is no such account.
  func creator(of change: Change) throws -> StoreKey? {
    try accounts.account(change.created.origin.account)?.key
  }
}

extension AssetTable {
  /// Returns the size of an asset in a public zone if the account may read a record that refers to it.
  /// Examines the records that refer to the asset up to the first readable one.
  func sizeOfNamed(
    _ digest: [UInt8], inPublicZone zone: StoreKey, for identity: SessionIdentity,
    _ rights: PublicRights
  ) throws -> Int? {
    // This runs for each chunk of an asset. Compiling the statement each time took half of a chunk's time.
    let rows = try db.statement(
      """
      SELECT asset.size, record.type, account.id FROM asset_use
      JOIN zone ON zone.key = asset_use.zone
      JOIN asset ON asset.container = zone.container AND asset.account = asset_use.holder
        AND asset.digest = asset_use.digest
      JOIN record ON record.zone = asset_use.zone AND record.name = asset_use.name
      JOIN device ON device.key = record.created_device
      JOIN account ON account.key = device.account
      WHERE asset_use.digest = ? AND asset_use.zone = ? AND is_past = 0
      """)
    var size: Int?
    try rows.scan([digest, zone]) { row in
      guard let creator = AccountID(bytes: row.bytes(2)) else { return true }
      let isReadable = rights.allowsReading(
        RecordType(stored: row.text(1)), of: creator, by: identity.account)
      if isReadable { size = Int(row.number(0)) }
      return !isReadable
    }
    return size
  }
}
