import BrokerCore
import Records
import SQLConnections

/// Read permissions of accounts in zones, cached for one transaction. They are checked for devices other than
/// the one whose request is being handled, so no session's identity is at hand.
struct ReadPermissionCache {
  private struct Key: Hashable {
    let account: StoreKey
    let zone: StoreKey
  }

  private let participants: ParticipantTable
  private var permissions: [Key: Bool] = [:]

  init(db: any SQLConnection, memory: WriterMemory) {
    participants = ParticipantTable(db: db, memory: memory)
  }

  /// Whether an account may read a zone. Always true for public zones, whose permissions belong to records
  /// and are checked when a notification is read.
  mutating func canRead(_ zone: StoreKey, _ account: StoreKey) throws -> Bool {
    let key = Key(account: account, zone: zone)
    if let cached = permissions[key] { return cached }
    let allowsReading = try allowsReading(key)
    permissions[key] = allowsReading
    return allowsReading
  }

  private func allowsReading(_ key: Key) throws -> Bool {
    let ids = try participants.db.first(
      """
      SELECT owner.id, viewer.id FROM zone JOIN account AS owner ON owner.key = zone.owner
        JOIN account AS viewer ON viewer.key = ?
      WHERE zone.key = ?
      """, [key.account, key.zone]
    ) { row in
      (owner: AccountID(bytes: row[0] as [UInt8]), viewer: AccountID(bytes: row[1] as [UInt8]))
    }
    guard let owner = ids?.owner, let viewer = ids?.viewer else { return false }
    guard owner != .public else { return true }
    return try participants.access(
      of: viewer, key.account, to: key.zone, owner: owner
    ).allowsReading
  }
}
