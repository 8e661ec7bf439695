// A zone that others may see: who they are, what they may do, and the link that leads to it. There is
// one share a zone, as CloudKit's zone-wide shares.

/// What somebody may do with the records of a shared zone.
package enum SharePermission: UInt8, Hashable, Sendable, CaseIterable {
  /// Nothing; only for anyone with the link.
  case none = 0
  /// Read.
  case readOnly = 1
  /// Read and change.
  case readWrite = 2
}

/// A share as it stands.
package struct Share: Hashable, Sendable {
  /// The zone.
  package let zone: ZoneID
  /// Its title.
  package let title: String
  /// What anyone with the link may do.
  package let publicPermission: SharePermission
  /// The link; `nil` for who may not manage the share.
  package let link: ShareLink?
  /// Everybody, the owner first, then by the time they were let in; who was removed or left last.
  package let participants: [Participant]
  /// Who asks to be let in; empty for who may not manage the share.
  package let requests: [AccessRequest]

  /// A share.
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

/// A share's link as the broker knows it: everything but its secret.
package struct ShareLink: Hashable, Sendable {
  /// Whether it leads in, or why it does not.
  package enum Standing: UInt8, Hashable, Sendable, CaseIterable {
    case valid = 0
    case expired = 1
    case usedUp = 2
    case revoked = 3
  }

  /// The SHA-256 of its secret, by which a device knows whether it has it.
  package let digest: [UInt8]
  /// Whether it leads in.
  package let standing: Standing
  /// When it leads in no longer; `nil` for never.
  package let expires: Timestamp?
  /// How many more may come in by it; `nil` for any number.
  package let usesLeft: Int?

  /// A link.
  package init(digest: [UInt8], standing: Standing, expires: Timestamp?, usesLeft: Int?) {
    self.digest = digest
    self.standing = standing
    self.expires = expires
    self.usesLeft = usesLeft
  }
}

/// Somebody in a share.
package struct Participant: Hashable, Sendable {
  /// How far somebody has come.
  package enum Status: UInt8, Hashable, Sendable, CaseIterable {
    case invited = 0
    case accepted = 1
    case removed = 2
    case left = 3
  }

  /// The account.
  package let account: AccountID
  /// Its name.
  package let name: String
  /// What people call it.
  package let displayName: String
  /// What it is to the share.
  package let role: DirectoryEntry.Role
  /// What it may do.
  package let permission: SharePermission
  /// How far it has come.
  package let status: Status
  /// Whether a device of it that is connected now has the newest change; `nil` where none is
  /// connected.
  package let isLevel: Bool?

  /// A participant; without a display name it is called as its account.
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

/// Somebody who asks to be let in.
package struct AccessRequest: Hashable, Sendable {
  /// The account.
  package let account: AccountID
  /// Its name.
  package let name: String
  /// What people call it.
  package let displayName: String
  /// When it asked last.
  package let asked: Timestamp
  /// Whether it was denied or blocked already; who was blocked is listed so that it can be undone.
  package let standing: Standing

  /// What was said to it.
  package enum Standing: UInt8, Hashable, Sendable, CaseIterable {
    case waiting = 0
    case denied = 1
    case blocked = 2
  }

  /// A request; without a display name the account is called by its name.
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

/// Somebody who is in a shared zone, as everybody else in it knows them: by name.
package struct ZoneMember: Hashable, Sendable {
  /// The account.
  package let account: AccountID
  /// Its name.
  package let name: String
  /// What people call it.
  package let displayName: String

  /// A member.
  package init(account: AccountID, name: String, displayName: String) {
    self.account = account
    self.name = name
    self.displayName = displayName
  }
}

/// What somebody sees of a share before coming in: no record of it.
package struct SharePreview: Hashable, Sendable {
  /// The zone.
  package let zone: ZoneID
  /// Its title.
  package let title: String
  /// The owner's name.
  package let ownerName: String
  /// What people call the owner.
  package let ownerDisplayName: String
  /// What one may do inside.
  package let permission: SharePermission
  /// How many records there are to see.
  package let recordCount: Int
  /// Whether one is inside already.
  package let isAccepted: Bool

  /// A preview; without a display name the owner is called by its account's name.
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
