// The share of a zone: its participants, their permissions and its link. A zone has at most one
// share, like CloudKit's zone-wide shares.

/// What an account may do with the records of a shared zone. CloudKit: `CKShare.ParticipantPermission`.
public enum SharePermission: UInt8, Hashable, Sendable, Codable, CaseIterable {
  /// No access. Valid only as a share's public permission: then the link admits invited accounts only.
  case none = 0
  /// The account may read records.
  case readOnly = 1
  /// The account may read, create, change and delete records.
  case readWrite = 2
}

/// The state of a share.
package struct Share: Hashable, Sendable {
  /// The shared zone.
  package let zone: ZoneID
  /// The zone's title.
  package let title: String
  /// The permission of any account that has the link.
  package let publicPermission: SharePermission
  /// The link; `nil` unless the receiver may manage the share.
  package let link: ShareLink?
  /// The owner, then accepted participants by the time they accepted, then invited ones. Removed
  /// participants and those who left are last.
  package let participants: [Participant]
  /// Pending requests for access; empty unless the receiver may manage the share.
  package let requests: [AccessRequest]

  package init(
    zone: ZoneID, title: String, publicPermission: SharePermission, link: ShareLink?,
    participants: [Participant], requests: [AccessRequest] = []
  ) {
    self.zone = zone
    self.title = title
    self.publicPermission = publicPermission
    self.link = link
    self.participants = participants
    self.requests = requests
  }
}

/// A share's link as the broker knows it, without its secret.
package struct ShareLink: Hashable, Sendable {
  /// Whether the link can be used, and otherwise the reason.
  package enum Standing: UInt8, Hashable, Sendable, CaseIterable {
    case valid = 0
    case expired = 1
    case usedUp = 2
    case revoked = 3
  }

  /// The SHA-256 of the link's secret, by which a device recognizes a link it has.
  package let digest: [UInt8]
  /// Whether the link can be used.
  package let standing: Standing
  /// When the link expires; `nil` for never.
  package let expires: Timestamp?
  /// The number of accounts that can still accept with the link; `nil` for no limit.
  package let usesLeft: Int?

  package init(digest: [UInt8], standing: Standing, expires: Timestamp?, usesLeft: Int?) {
    self.digest = digest
    self.standing = standing
    self.expires = expires
    self.usesLeft = usesLeft
  }
}

/// An account in a share.
package struct Participant: Hashable, Sendable {
  /// A participant's progress from invitation to removal.
  package enum Status: UInt8, Hashable, Sendable, CaseIterable {
    case invited = 0
    case accepted = 1
    case removed = 2
    case left = 3
  }

  /// The account's id.
  package let account: AccountID
  /// The account's name.
  package let name: String
  /// The account's display name.
  package let displayName: String
  /// The account's role in the share.
  package let role: DirectoryEntry.Role
  /// The account's permission.
  package let permission: SharePermission
  /// The participant's status.
  package let status: Status
  /// Whether a connected device of the account has received the zone's newest change; `nil` if none
  /// is connected.
  package let isLevel: Bool?

  /// Creates a participant. Without a display name, the account's name is used.
  package init(
    account: AccountID, name: String, displayName: String? = nil, role: DirectoryEntry.Role,
    permission: SharePermission, status: Status, isLevel: Bool? = nil
  ) {
    self.displayName = displayName ?? name
    self.account = account
    self.name = name
    self.role = role
    self.permission = permission
    self.status = status
    self.isLevel = isLevel
  }
}

/// A request of an account for access to a share.
package struct AccessRequest: Hashable, Sendable {
  /// The account's id.
  package let account: AccountID
  /// The account's name.
  package let name: String
  /// The account's display name.
  package let displayName: String
  /// The time of the latest request.
  package let asked: Timestamp
  /// The decision about the request. Blocked accounts remain listed so that the block can be
  /// lifted.
  package let standing: Standing

  /// The decision about a request for access.
  package enum Standing: UInt8, Hashable, Sendable, CaseIterable {
    case waiting = 0
    case denied = 1
    case blocked = 2
  }

  /// Creates a request. Without a display name, the account's name is used.
  package init(
    account: AccountID, name: String, displayName: String? = nil, asked: Timestamp,
    standing: Standing
  ) {
    self.displayName = displayName ?? name
    self.account = account
    self.name = name
    self.asked = asked
    self.standing = standing
  }
}

/// A participant of a shared zone, as other participants see it.
package struct ZoneMember: Hashable, Sendable {
  /// The account's id.
  package let account: AccountID
  /// The account's name.
  package let name: String
  /// The account's display name.
  package let displayName: String

  package init(account: AccountID, name: String, displayName: String) {
    self.account = account
    self.name = name
    self.displayName = displayName
  }
}

/// A preview of a share for an account that has not accepted it. Contains no records.
package struct SharePreview: Hashable, Sendable {
  /// The shared zone.
  package let zone: ZoneID
  /// The zone's title.
  package let title: String
  /// The owner's account name.
  package let ownerName: String
  /// The owner's display name.
  package let ownerDisplayName: String
  /// The permission that the account has or would have after accepting.
  package let permission: SharePermission
  /// The number of records in the zone.
  package let recordCount: Int
  /// Whether the account is already a participant.
  package let isAccepted: Bool

  /// Creates a preview. Without a display name, the owner's account name is used.
  package init(
    zone: ZoneID, title: String, ownerName: String, ownerDisplayName: String? = nil,
    permission: SharePermission, recordCount: Int, isAccepted: Bool
  ) {
    self.ownerDisplayName = ownerDisplayName ?? ownerName
    self.zone = zone
    self.title = title
    self.ownerName = ownerName
    self.permission = permission
    self.recordCount = recordCount
    self.isAccepted = isAccepted
  }
}
