// Requests of an account that has a link: preview, accept, decline, ask for access; and the managers'
// answers. Each fault of a link has its own reason and message, but only if the link was really created.
// Any other link is unknown.

import Records

extension SharePlanner {
  func preview() throws(RecordsError) -> SharePlan {
    let (share, link) = try linkedShare()
    let access = share.access(of: identity.account)
    if access.allowsReading { return SharePlan(answer: acceptedPreview(access)) }
    let permission = try permissionAfterJoining(share, by: link)
    return SharePlan(answer: .preview(permission, isAccepted: false))
  }

  func accept() throws(RecordsError) -> SharePlan {
    let (share, link) = try linkedShare()
    let access = share.access(of: identity.account)
    if access.allowsReading { return SharePlan(answer: acceptedPreview(access)) }
    let permission = try permissionAfterJoining(share, by: link)
    let before = share.participant(identity.account)?.participation
    if before?.status != .invited { try checkParticipantLimit(of: share) }
    try checkZoneLimitOfJoiner()
    let participation = StoredParticipation(
      role: before?.status == .invited ? before?.role ?? .member : .member,
      permission: permission, status: .accepted)
    var plan = SharePlan(answer: .preview(permission, isAccepted: true))
    if link.usesLeft != nil { plan.writes.append(.useLink(link.key)) }
    plan.writes.append(.setParticipant(identity.accountKey, participation))
    plan.writes += removal(ofRequestOf: identity.account, in: share)
    return plan
  }

  func requestAccess() throws(RecordsError) -> SharePlan {
    let (share, _) = try linkedShare()
    guard share.publicPermission != nil else { throw Self.refusal(of: .revoked) }
    let done = SharePlan(answer: .done)
    if share.access(of: identity.account).allowsReading { return done }
    switch share.request(identity.account)?.standing {
    // NB: a blocked account must not learn that it is blocked.
    case .blocked, .waiting: return done
    case .denied, nil: break
    }
    let waiting = share.requests.count { $0.standing == .waiting }
    guard waiting < Limits.participantsPerShare else {
      throw RecordsError(
        .quotaExceeded, "This zone has the maximum number of requests for access.",
        hint: "Ask the owner to answer them.", reason: "requests")
    }
    return SharePlan(writes: [.setRequest(identity.accountKey, .waiting)], answer: .done)
  }

  /// Declines an invitation and frees its place. The account's status becomes `left`. Unlike a removed
  /// account, it can be invited again or join by a public link.
  func decline() throws(RecordsError) -> SharePlan {
    let (share, _) = try linkedShare()
    guard let before = share.participant(identity.account) else {
      throw RecordsError(
        .permissionFailure, "The account has no invitation to this zone.",
        hint: "There is nothing to decline.", reason: "noInvitation")
    }
    switch before.participation.status {
    case .removed, .left: return SharePlan(answer: .done)
    case .accepted:
      throw RecordsError(
        .invalidArguments, "The account has accepted this invitation already.",
        hint: "Leave the zone instead.", reason: "accepted")
    case .invited:
      let after = StoredParticipation(
        role: .member, permission: before.participation.permission, status: .left)
      return SharePlan(
        writes: [.setParticipant(identity.accountKey, after)], answer: .done)
    }
  }

  func answer(
    _ decision: AccessDecision, to target: AccountID
  ) throws(RecordsError) -> SharePlan {
    let share = try managedShare()
    try checkIsNotOwner(target, of: share)
    guard let request = share.request(target) else {
      // NB: an approval removes the request, and its answer may get lost.
      if isApplied(decision, to: target, in: share) { return SharePlan(answer: .share) }
      throw RecordsError(
        .unknownItem, "This account has not asked for access.", hint: "Invite the account instead.",
        field: "account", reason: "noRequest")
    }
    let before = share.participant(target)
    if let before { try checkMayChange(before.participation) }
    switch decision {
    case .approve(let permission): return try approve(request, before, permission, in: share)
    case .deny:
      return SharePlan(
        writes: request.standing == .denied ? [] : [.setRequest(request.account.key, .denied)],
        answer: .share)
    case .block:
      var plan = SharePlan(answer: .share)
      if request.standing != .blocked {
        plan.writes.append(.setRequest(request.account.key, .blocked))
      }
      if let before, [.accepted, .invited].contains(before.participation.status) {
        plan.writes.append(removal(of: before))
      }
      return plan
    }
  }

  /// Whether a decision about a request that does not exist any more is a repeated approval.
  private func isApplied(
    _ decision: AccessDecision, to target: AccountID, in share: StoredShare
  ) -> Bool {
    guard case .approve(let permission) = decision,
      let before = share.participant(target)?.participation
    else { return false }
    return before
      == StoredParticipation(role: before.role, permission: permission, status: .accepted)
  }

  /// Approves an access request. The account becomes a participant at once, without an invitation.
  private func approve(
    _ request: StoredAccessRequest, _ before: StoredParticipant?, _ permission: SharePermission,
    in share: StoredShare
  ) throws(RecordsError) -> SharePlan {
    let hasPlace =
      before.map { [.accepted, .invited].contains($0.participation.status) } ?? false
    if !hasPlace { try checkParticipantLimit(of: share) }
    if before?.participation.status != .accepted { try checkZoneLimitOfJoiner() }
    let participation = StoredParticipation(
      role: hasPlace ? before?.participation.role ?? .member : .member, permission: permission,
      status: .accepted)
    return SharePlan(
      writes: [
        .setParticipant(request.account.key, participation), .removeRequest(request.account.key),
      ], answer: .share)
  }

  private func checkZoneLimitOfJoiner() throws(RecordsError) {
    if let refusal = gathered.joinerZoneCounts.quotaError { throw refusal }
  }

  // MARK: Links

  /// Returns the share and the link that the account has presented.
  private func linkedShare() throws(RecordsError) -> (StoredShare, StoredLink) {
    guard let share = gathered.share, let link = gathered.shown else {
      throw RecordsError(
        .invalidArguments, "This link does not work.",
        hint: "Check that the link is complete, or ask for a new one.",
        reason: "unknownLink")
    }
    guard share.owner.id != identity.account else {
      throw RecordsError(
        .invalidArguments, "This link leads to a zone of the account itself.",
        hint: "Send the link to others.", reason: "ownShare")
    }
    guard !share.zone.isDeleted else { throw Self.refusal(of: .revoked) }
    return (share, link)
  }

  private func acceptedPreview(_ access: Access) -> SharePlan.Answer {
    .preview(access.allowsWriting ? .readWrite : .readOnly, isAccepted: true)
  }

  /// Returns the permission that the account has once it joins. An invited account can join by any valid
  /// link.
  private func permissionAfterJoining(
    _ share: StoredShare, by link: StoredLink
  ) throws(RecordsError) -> SharePermission {
    guard let publicPermission = share.publicPermission else {
      throw Self.refusal(of: .revoked)
    }
    let standing = link.standing(at: now)
    guard standing == .valid else { throw Self.refusal(of: standing) }
    let participation = share.participant(identity.account)?.participation
    if let participation, participation.status == .invited { return participation.permission }
    guard participation?.status != .removed else {
      throw RecordsError(
        .permissionFailure, "The account was removed from this zone.",
        hint: "Ask the owner for access.", reason: "removed")
    }
    // NB: a blocked account must not learn that it is blocked.
    let isBlocked = share.request(identity.account)?.standing == .blocked
    guard publicPermission != .none, !isBlocked else {
      throw RecordsError(
        .permissionFailure, "Only invited accounts can use this link.",
        hint: "Ask the owner for access.", reason: "notInvited")
    }
    return publicPermission
  }

  private static func refusal(of standing: ShareLink.Standing) -> RecordsError {
    let hint = "Ask the owner for access, or for a new link."
    switch standing {
    case .expired:
      return RecordsError(
        .invalidArguments, "This link has expired.", hint: hint, reason: "expired")
    case .usedUp:
      return RecordsError(
        .invalidArguments, "This link has reached its maximum number of uses.", hint: hint,
        reason: "usedUp")
    case .revoked, .valid:
      return RecordsError(
        .invalidArguments, "This link was revoked.", hint: hint, reason: "revoked")
    }
  }
}
