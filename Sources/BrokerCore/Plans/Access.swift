// The single place that decides permissions on zones. It is consulted inside the transaction, so a revoked
// permission takes effect from the next write on (I24). A session's earlier check only refuses requests
// sooner. The zone of the public database has no participants; rights there belong to records
// (`PublicRights`).

import Records

/// An account's permissions in a zone.
package struct Access: Hashable, Sendable {
  /// The account's role; `nil` if it may not learn that the zone exists.
  package let role: DirectoryEntry.Role?
  /// Whether the account may change records.
  package let allowsWriting: Bool

  /// No permission, not even to learn that the zone exists.
  package static let none = Access(role: nil, allowsWriting: false)

  private init(role: DirectoryEntry.Role?, allowsWriting: Bool) {
    self.role = role
    self.allowsWriting = allowsWriting
  }

  /// Determines the permissions of `account` in `zone`. `participation` is its row in the zone's share; the
  /// owner needs none.
  package init(
    of account: AccountID, in zone: StoredZone, as participation: StoredParticipation?
  ) {
    self.init(of: account, owner: zone.id.owner, as: participation)
  }

  /// Determines the permissions of `account` in a zone that belongs to `owner`.
  package init(
    of account: AccountID, owner: AccountID, as participation: StoredParticipation?
  ) {
    if account == owner {
      self.init(role: .owner, allowsWriting: true)
    } else if let participation, participation.status == .accepted {
      self.init(
        role: participation.role, allowsWriting: participation.permission == .readWrite)
    } else {
      self = .none
    }
  }

  /// Whether the account may read records.
  package var allowsReading: Bool { role != nil }

  /// Whether the account may delete the zone, share it, and stop sharing it.
  package var allowsOwning: Bool { role == .owner }

  /// Whether the account may rename the zone and manage its share.
  package var allowsManaging: Bool { role == .owner || role == .administrator }
}
