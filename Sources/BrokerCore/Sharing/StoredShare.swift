// The rows of a share that a store reads for the planner: participants, access requests, and links.

import Records

/// A participant's row in a share, without the account.
package struct StoredParticipation: Hashable, Sendable {
  /// The participant's role; never the owner.
  package let role: DirectoryEntry.Role
  /// The participant's permission. Administrators always have `readWrite`, because they could give it to
  /// themselves by inviting themselves again.
  package let permission: SharePermission
  /// The state of the invitation.
  package let status: Participant.Status

  /// Creates a row. Replaces the permission of an administrator by `readWrite`.
  package init(
    role: DirectoryEntry.Role, permission: SharePermission, status: Participant.Status
  ) {
    self.role = role
    self.permission = role == .administrator ? .readWrite : permission
    self.status = status
  }
}

/// An account's row in a share.
package struct StoredParticipant: Hashable, Sendable {
  /// The participant's account.
  package let account: StoredAccount
  /// The role, permission and status.
  package let participation: StoredParticipation
  /// The time at which the status was set.
  package let changed: Timestamp

  package init(
    account: StoredAccount, participation: StoredParticipation, changed: Timestamp
  ) {
    self.account = account
    self.participation = participation
    self.changed = changed
  }
}

/// A link's row.
package struct StoredLink: Hashable, Sendable {
  /// The key of the row.
  package let key: StoreKey
  /// The SHA-256 of the link's secret.
  package let digest: [UInt8]
  /// The time at which the link expires.
  package let expires: Timestamp?
  /// The remaining uses; `nil` if they are not limited.
  package let usesLeft: Int?
  /// Whether the link was revoked or replaced.
  package let isRevoked: Bool

  package init(
    key: StoreKey, digest: [UInt8], expires: Timestamp?, usesLeft: Int?, isRevoked: Bool
  ) {
    self.key = key
    self.digest = digest
    self.expires = expires
    self.usesLeft = usesLeft
    self.isRevoked = isRevoked
  }

  /// Returns the link's state at `now`. Revocation takes precedence over expiry and use.
  package func standing(at now: Timestamp) -> ShareLink.Standing {
    if isRevoked { return .revoked }
    if let expires, expires <= now { return .expired }
    return usesLeft == 0 ? .usedUp : .valid
  }
}

/// An account's access request.
package struct StoredAccessRequest: Hashable, Sendable {
  /// The account that asks for access.
  package let account: StoredAccount
  /// The time of the account's latest request.
  package let asked: Timestamp
  /// The managers' decision, if there is one.
  package let standing: AccessRequest.Standing

  package init(account: StoredAccount, asked: Timestamp, standing: AccessRequest.Standing) {
    self.account = account
    self.asked = asked
    self.standing = standing
  }
}

/// A zone's share.
package struct StoredShare: Hashable, Sendable {
  /// The zone's row.
  package let zone: StoredZone
  /// The account that owns the zone.
  package let owner: StoredAccount
  /// The permission of anyone with the link; `nil` if the zone is not shared.
  package let publicPermission: SharePermission?
  /// The accounts other than the owner that have accepted, are invited, or were participants before.
  package let participants: [StoredParticipant]
  /// The access requests that are waiting, denied or blocked.
  package let requests: [StoredAccessRequest]
  /// The newest link, whatever its state.
  package let link: StoredLink?

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

  /// Returns an account's row, if it has one.
  package func participant(_ account: AccountID) -> StoredParticipant? {
    participants.first { $0.account.id == account }
  }

  /// Returns an account's access request, if it has one.
  package func request(_ account: AccountID) -> StoredAccessRequest? {
    requests.first { $0.account.id == account }
  }

  /// Returns an account's permissions in the zone.
  package func access(of account: AccountID) -> Access {
    Access(of: account, in: zone, as: participant(account)?.participation)
  }

  /// The number of participants that count towards `Limits.participantsPerShare`: accepted and invited.
  package var placesInUse: Int {
    participants.count {
      $0.participation.status == .accepted || $0.participation.status == .invited
    }
  }
}

/// The stored rows that a share request depends on.
package struct ShareRows: Sendable {
  /// Whether the device was revoked or its account disabled.
  package let isRevoked: Bool
  /// The zone's share, if the zone exists.
  package let share: StoredShare?
  /// The link that the request presents, if the broker knows it.
  package let shown: StoredLink?
  /// The account that the request invites, if it exists and the inviting account may find it.
  package let invited: StoredAccount?
  /// Whether the digest of the link to create is in use by another zone's link, or by a replaced link of
  /// this zone.
  package let isDigestTaken: Bool
  /// The zones of the account that the request would add to the share.
  package let joinerZoneCounts: ZoneCounts

  package init(
    isRevoked: Bool = false, share: StoredShare?, shown: StoredLink? = nil,
    invited: StoredAccount? = nil, isDigestTaken: Bool = false,
    joinerZoneCounts: ZoneCounts = ZoneCounts()
  ) {
    self.joinerZoneCounts = joinerZoneCounts
    self.isRevoked = isRevoked
    self.share = share
    self.shown = shown
    self.invited = invited
    self.isDigestTaken = isDigestTaken
  }
}
