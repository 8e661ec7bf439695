// Decides a share request from the stored rows it concerns. Each request asks for a state and not for a
// step, so a repeated request changes nothing and gets the same answer. An account that may not know of a
// zone gets the same error whether the zone exists or not.

import Records

/// Decides one share request. A planner is used once.
package struct SharePlanner {
  let identity: SessionIdentity
  let gathered: ShareRows
  let now: Timestamp

  /// Creates a planner for a request of `identity`. `now` is the broker's time.
  package init(
    of identity: SessionIdentity, at now: Timestamp, gathered: ShareRows
  ) {
    self.identity = identity
    self.gathered = gathered
    self.now = now
  }

  /// Decides the request.
  /// - Throws: the reason for a refusal; then nothing is written.
  package func plan(_ request: SharingRequest) throws(RecordsError) -> SharePlan {
    guard !gathered.isRevoked else {
      throw RecordsError(.notAuthenticated, "This device was revoked.", reason: "revoked")
    }
    switch request {
    case .create(_, let form): return try create(form)
    case .fetch: return try fetch()
    case .setPublicPermission(_, let permission):
      let share = try managedShare()
      return SharePlan(
        writes: share.publicPermission == permission ? [] : [.setPublicPermission(permission)],
        answer: .share)
    case .renewLink(_, let form): return try renew(form)
    case .revokeLink:
      let share = try managedShare()
      return SharePlan(
        writes: share.link?.isRevoked == false ? [.revokeLinks] : [], answer: .share)
    case .invite(_, let name, let permission): return try invite(name, permission)
    case .setParticipant(_, let target, let permission, let isAdministrator):
      return try set(target, permission, isAdministrator: isAdministrator)
    case .removeParticipant(_, let target): return try remove(target)
    case .stop: return try stop()
    case .leave: return try leave()
    case .preview: return try preview()
    case .accept: return try accept()
    case .requestAccess: return try requestAccess()
    case .decline: return try decline()
    case .answerRequest(_, let target, let decision): return try answer(decision, to: target)
    }
  }

  // MARK: Rights

  /// Returns the share if the account may know of the zone.
  func readableShare() throws(RecordsError) -> StoredShare {
    guard let share = gathered.share, !share.zone.isDeleted,
      share.access(of: identity.account).allowsReading
    else {
      throw RecordsError(
        .zoneNotFound, "The zone does not exist.",
        hint: "It was deleted, or is no longer shared with this account.",
        reason: "noSuchZone")
    }
    return share
  }

  /// Returns the share if the account may manage it.
  func managedShare() throws(RecordsError) -> StoredShare {
    let share = try readableShare()
    guard share.access(of: identity.account).allowsManaging else {
      throw RecordsError(
        .permissionFailure, "Only the owner and administrators can manage a share.",
        hint: "Ask “\(share.owner.name)”.")
    }
    guard share.publicPermission != nil else {
      throw RecordsError(
        .unknownItem, "This zone is not shared.", hint: "Share it first.", reason: "notShared")
    }
    return share
  }

  /// Returns the share if the account owns it. `action` completes the error “Only the owner can …”.
  func ownShare(to action: String) throws(RecordsError) -> StoredShare {
    let share = try readableShare()
    guard share.access(of: identity.account).allowsOwning else {
      throw RecordsError(
        .permissionFailure, "Only the owner can \(action).", hint: "Ask “\(share.owner.name)”.")
    }
    return share
  }

  // MARK: The share

  private func create(_ form: ShareForm) throws(RecordsError) -> SharePlan {
    let found = try readableShare()
    if found.publicPermission != nil, found.access(of: identity.account).allowsManaging {
      return SharePlan(answer: .share)
    }
    let share = try ownShare(to: "share a zone")
    guard share.zone.id.name != .standard else {
      throw RecordsError(
        .invalidArguments, "The default zone cannot be shared.",
        hint: "Create a zone, move the records into it, and share that zone.", field: "zone",
        reason: "defaultZone")
    }
    try checkDigest(of: form.link, in: share)
    return SharePlan(
      writes: [.begin(form.publicPermission), .replaceLink(form.link)], answer: .share)
  }

  private func fetch() throws(RecordsError) -> SharePlan {
    guard try readableShare().publicPermission != nil else {
      throw RecordsError(
        .unknownItem, "This zone is not shared.", hint: "Share it first.", reason: "notShared")
    }
    return SharePlan(answer: .share)
  }

  private func renew(_ form: LinkForm) throws(RecordsError) -> SharePlan {
    let share = try managedShare()
    if let link = share.link, link.digest == form.digest, !link.isRevoked {
      return SharePlan(answer: .share)
    }
    try checkDigest(of: form, in: share)
    return SharePlan(writes: [.replaceLink(form)], answer: .share)
  }

  private func checkDigest(
    of form: LinkForm, in share: StoredShare
  ) throws(RecordsError) {
    guard !gathered.isDigestTaken else {
      throw RecordsError(
        .invalidArguments, "This link is already in use.", hint: "Generate a new one.",
        field: "digest", reason: "knownLink")
    }
  }

  private func stop() throws(RecordsError) -> SharePlan {
    let share = try ownShare(to: "stop sharing a zone")
    return SharePlan(writes: share.publicPermission == nil ? [] : [.end], answer: .done)
  }

  // MARK: People

  private func invite(
    _ name: String, _ permission: SharePermission
  ) throws(RecordsError) -> SharePlan {
    let share = try managedShare()
    guard name != share.owner.name else {
      throw .invalid("“\(name)” owns the zone.", field: "name")
    }
    let known = share.participants.first { $0.account.name == name }
    guard let invited = known?.account ?? gathered.invited else {
      throw RecordsError(
        .unknownItem, "No account called “\(name)” can be found.",
        hint: "Its user can allow discovery, or ask for access with the link.",
        field: "name", reason: "noSuchAccount")
    }
    let before = known?.participation
    if let before { try checkMayChange(before) }
    let hasAccepted = before?.status == .accepted
    let hasPlace = hasAccepted || before?.status == .invited
    if !hasPlace { try checkParticipantLimit(of: share) }
    // An invitation must not lower what a participant may do already.
    let kept = hasAccepted ? before?.permission : nil
    let after = StoredParticipation(
      role: hasPlace ? before?.role ?? .member : .member, permission: kept ?? permission,
      status: hasAccepted ? .accepted : .invited)
    return SharePlan(
      writes: (before == after ? [] : [.setParticipant(invited.key, after)])
        + removal(ofRequestOf: invited.id, in: share), answer: .share)
  }

  private func set(
    _ target: AccountID, _ permission: SharePermission, isAdministrator: Bool
  ) throws(RecordsError) -> SharePlan {
    let share = try managedShare()
    try checkIsNotOwner(target, of: share)
    guard let participant = share.participant(target),
      [.accepted, .invited].contains(participant.participation.status)
    else {
      throw RecordsError(
        .unknownItem, "This account is not a participant.", hint: "Invite it.", field: "account",
        reason: "notParticipant")
    }
    let before = participant.participation
    try checkMayChange(before)
    let role: DirectoryEntry.Role = isAdministrator ? .administrator : .member
    guard role == before.role || share.access(of: identity.account).allowsOwning else {
      throw RecordsError(
        .permissionFailure, "Only the owner can appoint administrators.",
        hint: "Ask “\(share.owner.name)”.")
    }
    let after = StoredParticipation(role: role, permission: permission, status: before.status)
    return SharePlan(
      writes: before == after ? [] : [.setParticipant(participant.account.key, after)],
      answer: .share)
  }

  private func remove(_ target: AccountID) throws(RecordsError) -> SharePlan {
    let share = try managedShare()
    try checkIsNotOwner(target, of: share)
    guard target != identity.account else {
      throw RecordsError(
        .invalidArguments, "You cannot remove yourself.", hint: "Leave the share instead.",
        field: "account")
    }
    guard let participant = share.participant(target),
      [.accepted, .invited].contains(participant.participation.status)
    else { return SharePlan(answer: .share) }
    try checkMayChange(participant.participation)
    return SharePlan(writes: [removal(of: participant)], answer: .share)
  }

  private func leave() throws(RecordsError) -> SharePlan {
    if let participant = gathered.share?.participant(identity.account),
      [.left, .removed].contains(participant.participation.status)
    {
      return SharePlan(answer: .done)
    }
    let share = try readableShare()
    guard let participant = share.participant(identity.account) else {
      throw RecordsError(
        .invalidArguments, "The owner cannot leave a zone.", hint: "Stop sharing it instead.")
    }
    return SharePlan(
      writes: [
        .setParticipant(
          participant.account.key,
          StoredParticipation(
            role: .member, permission: participant.participation.permission, status: .left))
      ], answer: .done)
  }

  // MARK: Rules

  func removal(of participant: StoredParticipant) -> ShareWrite {
    .setParticipant(
      participant.account.key,
      StoredParticipation(
        role: .member, permission: participant.participation.permission, status: .removed))
  }

  func removal(ofRequestOf account: AccountID, in share: StoredShare) -> [ShareWrite] {
    share.request(account).map { [.removeRequest($0.account.key)] } ?? []
  }

  /// Refuses an administrator's request to change another administrator. Only the owner can do that.
  func checkMayChange(_ target: StoredParticipation) throws(RecordsError) {
    guard let share = gathered.share, !share.access(of: identity.account).allowsOwning,
      target.role == .administrator, [.accepted, .invited].contains(target.status)
    else { return }
    throw RecordsError(
      .permissionFailure, "Only the owner can change or remove administrators.",
      hint: "Ask “\(share.owner.name)”.")
  }

  func checkIsNotOwner(_ target: AccountID, of share: StoredShare) throws(RecordsError) {
    guard target != share.owner.id else {
      throw RecordsError(
        .permissionFailure, "The owner's role in a zone cannot be changed.", field: "account",
        reason: "ownersRole")
    }
  }

  func checkParticipantLimit(of share: StoredShare) throws(RecordsError) {
    guard share.placesInUse < Limits.participantsPerShare else {
      throw RecordsError(
        .tooManyParticipants,
        "This zone has reached the limit of \(Limits.participantsPerShare) participants, including "
          + "invited accounts.", hint: "Remove a participant first.")
    }
  }
}
