// The one place where the broker says who may do what. Asked inside the transaction, so a right
// lost a moment ago is lost (I24); an earlier answer given by a session is an early refusal only. The
// public database's zone is nobody's here; rights there belong to records (`PublicRights`).

import Records

/// What an account may do in a zone.
package struct Access: Hashable, Sendable {
  /// What the account is to the zone; `nil` where it may not know of it.
  package let role: DirectoryEntry.Role?
  /// Whether records may be changed.
  package let allowsWriting: Bool

  /// It may not know of the zone.
  package static let none = Access(role: nil, allowsWriting: false)

  private init(role: DirectoryEntry.Role?, allowsWriting: Bool) {
    self.role = role
    self.allowsWriting = allowsWriting
  }

  /// What `account` may do in `zone`, where `participation` is its row in the zone's share, if there
  /// is one. The owner needs none.
  package init(
    of account: AccountID, in zone: StoredZone, as participation: StoredParticipation?
  ) {
    self.init(of: account, owner: zone.id.owner, as: participation)
  }

  /// What `account` may do in a zone of `owner`.
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

  /// Whether records may be read.
  package var allowsReading: Bool { role != nil }

  /// Whether the zone may be deleted, shared, and shared no longer.
  package var allowsOwning: Bool { role == .owner }

  /// Whether the zone may be renamed and its share managed.
  package var allowsManaging: Bool { role == .owner || role == .administrator }
}
