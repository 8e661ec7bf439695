// What an order about a share comes to: decided by SharePlanner, carried out by a store in the
// transaction the rows were gathered in. Whose directories change and who loses access follows from
// who was in before and who is in afterwards, so no write can forget to say it.

import Records

/// What an order about a share comes to.
package struct SharePlan: Hashable, Sendable {
  /// What changes, in order; nothing where all is as it was asked to be.
  package var writes: [ShareWrite] = []
  /// What is answered once that is done.
  package let answer: Answer

  /// What is answered.
  package enum Answer: Hashable, Sendable {
    /// The share as it stands afterwards.
    case share
    /// What the link leads to.
    case preview(SharePermission, isAccepted: Bool)
    /// That it is done.
    case done
  }
}

/// One change of a share.
package enum ShareWrite: Hashable, Sendable {
  /// The zone is shared from now on.
  case begin(SharePermission)
  /// What anyone with the link may do.
  case setPublicPermission(SharePermission)
  /// A new link, and all others lead in no more.
  case replaceLink(LinkForm)
  /// No link leads in.
  case revokeLinks
  /// Somebody came in by a link whose uses are counted.
  case useLink(StoreKey)
  /// Somebody's row, whether there is one or not.
  case setParticipant(StoreKey, StoredParticipation)
  /// What was said to somebody who asks, or that it asks.
  case setRequest(StoreKey, AccessRequest.Standing)
  /// Nothing is asked any more.
  case removeRequest(StoreKey)
  /// The zone is shared no longer: participants, links and requests go, but for who is blocked.
  case end
}

/// What an order about a share came to.
package struct ShareOutcome: Sendable {
  /// The answer, or why nothing was done.
  package let answer: Result<ShareAnswer, RecordsError>
  /// The zone it was about, where that is known.
  package let zone: ZoneID?
  /// Who must hear of it.
  package let effects: CommitEffects

  /// An outcome.
  package init(
    _ answer: Result<ShareAnswer, RecordsError>, zone: ZoneID?,
    effects: CommitEffects = CommitEffects()
  ) {
    self.answer = answer
    self.zone = zone
    self.effects = effects
  }
}

/// An account can no longer see a zone.
package struct AccessLoss: Hashable, Sendable {
  /// The application's namespace.
  package let container: StoreKey
  /// The account's row.
  package let account: StoreKey
  /// The zone.
  package let zone: ZoneID

  /// A loss.
  package init(container: StoreKey, account: StoreKey, zone: ZoneID) {
    self.container = container
    self.account = account
    self.zone = zone
  }
}
