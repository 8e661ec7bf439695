// What a store hands the planner of shares: who is in, who asks to be, and the links that lead or led
// there. Keys are the store's own and mean nothing here.

import Records

/// An account's row in a share, without whose it is.
package struct StoredParticipation: Hashable, Sendable {
  /// What it is to the share; never the owner.
  package let role: DirectoryEntry.Role
  /// What it may do. Who manages a share may write: it could let itself in anew with any permission.
  package let permission: SharePermission
  /// How far it has come.
  package let status: Participant.Status

  /// A participation.
  package init(
    role: DirectoryEntry.Role, permission: SharePermission, status: Participant.Status
  ) {
    self.role = role
    self.permission = role == .administrator ? .readWrite : permission
    self.status = status
  }
}

/// Somebody's row in a share.
package struct StoredParticipant: Hashable, Sendable {
  /// The person.
  package let account: StoredAccount
  /// What it is there.
  package let participation: StoredParticipation
  /// When its status became what it is.
  package let changed: Timestamp

  /// A row.
  package init(
    account: StoredAccount, participation: StoredParticipation, changed: Timestamp
  ) {
    self.account = account
    self.participation = participation
    self.changed = changed
  }
}

/// A link as the store has it.
package struct StoredLink: Hashable, Sendable {
  /// Its row.
  package let key: StoreKey
  /// The SHA-256 of its secret.
  package let digest: [UInt8]
  /// When it leads in no longer.
  package let expires: Timestamp?
  /// How many more may come in by it.
  package let usesLeft: Int?
  /// Whether it was taken back.
  package let isRevoked: Bool

  /// A link.
  package init(
    key: StoreKey, digest: [UInt8], expires: Timestamp?, usesLeft: Int?, isRevoked: Bool
  ) {
    self.key = key
    self.digest = digest
    self.expires = expires
    self.usesLeft = usesLeft
    self.isRevoked = isRevoked
  }

  /// How it stands at `now`. What was taken back is told before what ran out by itself.
  package func standing(at now: Timestamp) -> ShareLink.Standing {
    if isRevoked { return .revoked }
    if let expires, expires <= now { return .expired }
    return usesLeft == 0 ? .usedUp : .valid
  }
}

/// Somebody's request for access.
package struct StoredAccessRequest: Hashable, Sendable {
  /// The person.
  package let account: StoredAccount
  /// When it asked last.
  package let asked: Timestamp
  /// What was said to it.
  package let standing: AccessRequest.Standing

  /// A request.
  package init(account: StoredAccount, asked: Timestamp, standing: AccessRequest.Standing) {
    self.account = account
    self.asked = asked
    self.standing = standing
  }
}

/// A zone's share as the store has it.
package struct StoredShare: Hashable, Sendable {
  /// The zone.
  package let zone: StoredZone
  /// Whose it is.
  package let owner: StoredAccount
  /// What anyone with the link may do; `nil` where the zone is not shared.
  package let publicPermission: SharePermission?
  /// Everybody but the owner who is in, was invited, or was in once.
  package let participants: [StoredParticipant]
  /// Who asks to be let in, was denied or blocked.
  package let requests: [StoredAccessRequest]
  /// The link that was made last, whatever became of it.
  package let link: StoredLink?

  /// A share.
  package init(
    zone: StoredZone, owner: StoredAccount, publicPermission: SharePermission?,
    participants: [StoredParticipant] = [], requests: [StoredAccessRequest] = [],
    link: StoredLink? = nil
  ) {
    self.zone = zone
    self.owner = owner
    self.publicPermission = publicPermission
    self.participants = participants
    self.requests = requests
    self.link = link
  }

  /// The row of an account.
  package func participant(_ account: AccountID) -> StoredParticipant? {
    participants.first { $0.account.id == account }
  }

  /// The request of an account.
  package func request(_ account: AccountID) -> StoredAccessRequest? {
    requests.first { $0.account.id == account }
  }

  /// What an account may do.
  package func access(of account: AccountID) -> Access {
    Access(of: account, in: zone, as: participant(account)?.participation)
  }

  /// Those who take a place: who is in, and who was invited.
  package var placesTaken: Int {
    participants.count {
      $0.participation.status == .accepted || $0.participation.status == .invited
    }
  }
}

/// The rows that an order about a share concerns.
package struct GatheredForShare: Sendable {
  /// Whether the device was revoked, or its account disabled.
  package let isRevoked: Bool
  /// The zone's share, if there is such a zone.
  package let share: StoredShare?
  /// The link that was shown, if the broker knows it.
  package let shown: StoredLink?
  /// The account named in an invitation, if there is one that may be known to who invites.
  package let invited: StoredAccount?
  /// Whether the digest of a link to be made belongs to one that was made for another zone, or was
  /// replaced here.
  package let isDigestTaken: Bool
  /// The zones of the account which the order would let in.
  package let zonesOfEntrant: ZoneCounts

  /// What was gathered.
  package init(
    isRevoked: Bool = false, share: StoredShare?, shown: StoredLink? = nil,
    invited: StoredAccount? = nil, isDigestTaken: Bool = false,
    zonesOfEntrant: ZoneCounts = ZoneCounts()
  ) {
    self.zonesOfEntrant = zonesOfEntrant
    self.isRevoked = isRevoked
    self.share = share
    self.shown = shown
    self.invited = invited
    self.isDigestTaken = isDigestTaken
  }
}
