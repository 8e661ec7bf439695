// The outcome of planning a share request. `SharePlanner` decides it; the store applies it in the
// transaction that read the rows. The store determines whose directories change and who loses access by
// comparing the participants before and after, so these effects need no writes of their own.

import Records

/// The outcome of planning a share request.
package struct SharePlan: Hashable, Sendable {
  /// The changes, in order. Empty if the share is already in the requested state.
  package var writes: [ShareWrite] = []
  /// The answer, once the writes are applied.
  package let answer: Answer

  /// The kinds of answers.
  package enum Answer: Hashable, Sendable {
    /// The share after the writes.
    case share
    /// The permission that the link gives, and whether the account has accepted it.
    case preview(SharePermission, isAccepted: Bool)
    /// A confirmation without data.
    case done
  }
}

/// One change of a share.
package enum ShareWrite: Hashable, Sendable {
  /// Starts sharing the zone. The permission is that of anyone with the link.
  case begin(SharePermission)
  /// Sets the permission of anyone with the link.
  case setPublicPermission(SharePermission)
  /// Creates a link and revokes all others.
  case replaceLink(LinkForm)
  /// Revokes all links.
  case revokeLinks
  /// Counts one use of a link with limited uses.
  case useLink(StoreKey)
  /// Inserts or replaces an account's row in the share.
  case setParticipant(StoreKey, StoredParticipation)
  /// Inserts or replaces the status of an account's access request.
  case setRequest(StoreKey, AccessRequest.Standing)
  /// Deletes an account's access request.
  case removeRequest(StoreKey)
  /// Stops sharing the zone. Deletes participants, links and access requests, except for blocked accounts.
  case end
}

/// The result of a share request.
package struct ShareOutcome: Sendable {
  /// The answer, or the reason why nothing was done.
  package let answer: Result<ShareAnswer, RecordsError>
  /// The zone that the request concerned, if it is known.
  package let zone: ZoneID?
  /// The effects of the commit on connected clients.
  package let effects: CommitEffects

  package init(
    _ answer: Result<ShareAnswer, RecordsError>, zone: ZoneID?,
    effects: CommitEffects = CommitEffects()
  ) {
    self.answer = answer
    self.zone = zone
    self.effects = effects
  }
}

/// The loss of an account's access to a zone.
package struct AccessLoss: Hashable, Sendable {
  /// The row of the container.
  package let container: StoreKey
  /// The account's row.
  package let account: StoreKey
  /// The zone that the account can no longer read.
  package let zone: ZoneID
  /// Whether the account left the zone itself.
  package let isDeparture: Bool

  package init(
    container: StoreKey, account: StoreKey, zone: ZoneID, isDeparture: Bool = false
  ) {
    self.container = container
    self.account = account
    self.zone = zone
    self.isDeparture = isDeparture
  }
}

extension RecordsError {
  /// The account can no longer read a zone, because it left the zone or because of another account. Clients
  /// distinguish the two by the reason.
  package static func accessLost(isDeparture: Bool) -> RecordsError {
    isDeparture
      ? RecordsError(
        .permissionFailure, "This account has left the zone.",
        hint: "To join it again, ask its owner for access.", reason: "left")
      : RecordsError(
        .permissionFailure, "This zone is no longer shared with this account.",
        hint: "Ask its owner for access.", reason: "accessLost")
  }
}
