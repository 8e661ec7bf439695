// Applies share requests. The accounts whose directories change, and those that lose access, follow from
// comparing the participants before and after the writes. No individual write has to report them, so none
// can forget to.

import BrokerCore
import Records
import SQLConnections

extension SQLTransaction {
  var participants: ParticipantTable { ParticipantTable(db: db, memory: memory) }
  var shares: ShareTable { ShareTable(db: db) }

  func perform(
    _ request: SharingRequest, linkDigest: [UInt8]?, of identity: SessionIdentity, at now: Timestamp
  ) throws -> ShareOutcome {
    let gathered = try gather(request, linkDigest: linkDigest, of: identity)
    let id = gathered.share?.zone.id ?? request.zone?.resolved(for: identity.account)
    let plan: SharePlan
    do throws(RecordsError) {
      plan = try SharePlanner(of: identity, at: now, gathered: gathered).plan(request)
    } catch {
      return ShareOutcome(.failure(error), zone: id)
    }
    guard let zone = gathered.share?.zone, let key = zone.key else {
      preconditionFailure("A share request for a missing zone must be rejected by its plan.")
    }
    let effects = try reportingMemberChanges(
      of: zone, key: key, container: identity.container
    ) {
      for write in plan.writes { try apply(write, to: key, head: zone.head, at: now) }
    }
    let answer = try answer(plan.answer, about: zone, key: key, for: identity, at: now)
    return ShareOutcome(.success(answer), zone: id, effects: effects)
  }

  // MARK: Gathering

  private func gather(
    _ request: SharingRequest, linkDigest: [UInt8]?, of identity: SessionIdentity
  ) throws -> ShareRows {
    let shown = try linkDigest.flatMap { try shares.link($0) }
    var zone = try request.zone.flatMap {
      try zones.zone($0.resolved(for: identity.account), container: identity.container)
    }
    if let shown { zone = try zones.zone(at: shown.zone, container: identity.container) }
    return ShareRows(
      isRevoked: try devices.numbers(of: identity, for: .zero).isRevoked,
      share: try zone.flatMap { try share(of: $0) },
      shown: zone == nil ? nil : shown?.link,
      invited: try request.invitedName.flatMap {
        try AccountProfiles(db: db, identity: identity).account(named: $0)
      },
      isDigestTaken: try request.newLink.map { try shares.link($0.digest) != nil } ?? false,
      joinerZoneCounts: try zoneCountsOfNewParticipant(request, of: identity))
  }

  /// Counts the zones of the account that would become a participant, for its quota.
  private func zoneCountsOfNewParticipant(
    _ request: SharingRequest, of identity: SessionIdentity
  ) throws -> ZoneCounts {
    var participant: StoreKey?
    if case .accept = request { participant = identity.accountKey }
    if case .answerRequest(_, let account, .approve) = request {
      participant = try accounts.account(account)?.key
    }
    return try participant.map { try zones.counts(of: $0, container: identity.container) }
      ?? ZoneCounts()
  }

  private func share(of zone: StoredZone) throws -> StoredShare? {
    guard let key = zone.key, let owner = try accounts.account(zone.id.owner) else { return nil }
    return StoredShare(
      zone: zone, owner: owner, publicPermission: try shares.publicPermission(of: key),
      participants: try participants.all(in: key), requests: try shares.requests(in: key),
      link: try shares.latestLink(of: key))
  }

  // MARK: Applying

  private func apply(
    _ write: ShareWrite, to zone: StoreKey, head: Revision, at now: Timestamp
  ) throws {
    switch write {
    case .begin(let permission), .setPublicPermission(let permission):
      try shares.set(permission, of: zone, at: now)
    case .replaceLink(let form): try shares.replaceLink(of: zone, by: form, at: now)
    case .revokeLinks: try shares.revokeLinks(of: zone)
    case .useLink(let link): try shares.countUse(of: link)
    case .setParticipant(let account, let participation):
      try participants.set(account, participation, in: zone, head: head, at: now)
    case .setRequest(let account, let state):
      try shares.setRequest(of: account, state, in: zone, at: now)
    case .removeRequest(let account): try shares.deleteRequest(of: account, in: zone)
    case .end: try endShare(of: zone)
    }
  }

  /// Ends a zone's share and deletes its participants. Only the owner retains access.
  func endShare(of zone: StoreKey) throws {
    try shares.end(zone)
    try participants.deleteAll(of: zone)
  }

  /// Deletes a zone for its owner and all participants. `zone` has `isDeleted` set already.
  func delete(
    _ zone: StoredZone, key: StoreKey, container: StoreKey
  ) throws -> CommitEffects {
    let members = try participants.members(of: key).map(\.key)
    try zones.update(zone, key: key, container: container)
    try endShare(of: key)
    let owner = try accounts.account(zone.id.owner).map { [$0.key] } ?? []
    var effects = CommitEffects()
    effects.losses = members.map {
      AccessLoss(container: container, account: $0, zone: zone.id)
    }
    for account in owner + members {
      effects.add(try cleanUp(account, afterLosing: key, container: container))
    }
    return effects
  }

  /// Runs `body`, which may change the participants or access requests of a zone, and updates the
  /// directories concerned. If participants joined or left, these are the directories of all members,
  /// because each lists the others by name. A changed role or permission concerns its holder only; an
  /// access request concerns the owner and the administrators, and a link that lets anyone join the owner.
  func reportingMemberChanges(
    of zone: StoredZone, key: StoreKey, container: StoreKey, _ body: () throws -> Void
  ) throws -> CommitEffects {
    let before = try participants.members(of: key)
    let requestsBefore = try shares.requests(in: key)
    let wasOpen = try shares.isOpen(key)
    try body()
    let after = try participants.members(of: key)
    let requestsAfter = try shares.requests(in: key)
    let isOpened = try shares.isOpen(key) != wasOpen
    var effects = CommitEffects()
    guard before != after || requestsBefore != requestsAfter || isOpened else { return effects }
    if before != after {
      try db.run(
        "UPDATE zone SET members_revision = max(members_revision, head) + 1 WHERE key = ?", [key])
    }
    let lost = before.map(\.key).filter { account in !after.contains { $0.key == account } }
    for account in lost {
      effects.losses.append(
        AccessLoss(
          container: container, account: account, zone: zone.id,
          isDeparture: try participants.hasLeft(account, key)))
      effects.add(try cleanUp(account, afterLosing: key, container: container))
    }
    for account in after where !before.contains(where: { $0.key == account.key }) {
      effects.add(try finishCleanUp(of: account.key, joining: key, container: container))
    }
    let owner = try accounts.account(zone.id.owner)?.key
    guard before.map(\.key) == after.map(\.key) else {
      effects.add(try updateMemberDirectories(in: key, owner: owner, container: container))
      return effects
    }
    var concerned = Set(after.filter { !before.contains($0) }.map(\.key))
    if requestsBefore != requestsAfter {
      let administrators = after.filter { $0.participation.role == .administrator }
      concerned.formUnion([owner].compactMap { $0 } + administrators.map(\.key))
    }
    if isOpened, let owner { concerned.insert(owner) }
    effects.add(try updateDirectories(of: concerned.sorted(), zone: key, container: container))
    return effects
  }

  // MARK: Answering

  private func answer(
    _ answer: SharePlan.Answer, about zone: StoredZone, key: StoreKey,
    for identity: SessionIdentity, at now: Timestamp
  ) throws -> ShareAnswer {
    switch answer {
    case .done: return .done
    case .share:
      guard let share = try share(of: zone) else { return .done }
      return .share(Share(share, for: identity.account, at: now))
    case .preview(let permission, let isAccepted):
      let owner = try accounts.account(zone.id.owner)
      return .preview(
        SharePreview(
          zone: zone.id, title: zone.title, ownerName: owner?.name ?? "",
          ownerDisplayName: owner?.displayName, permission: permission,
          recordCount: try records.count(in: key), isAccepted: isAccepted))
    }
  }
}

extension SharingRequest {
  fileprivate var invitedName: String? {
    if case .invite(_, let name, _) = self { name } else { nil }
  }
}
