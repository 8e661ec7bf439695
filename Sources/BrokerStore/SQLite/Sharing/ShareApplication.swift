// Orders about shares, carried out. Whose directories change, and who can no longer see the zone, is
// found by comparing who was in before with who is in afterwards: what a write says of itself is not
// trusted with that.

import BrokerCore
import GRDB
import Records
import SQLiteFile

extension SQLiteTransaction {
  var participants: ParticipantTable { ParticipantTable(db: db, memory: memory) }
  var shares: ShareTable { ShareTable(db: db) }

  func perform(
    _ order: SharingRequest, linkDigest: [UInt8]?, of identity: SessionIdentity, at now: Timestamp
  ) throws -> ShareOutcome {
    let gathered = try gather(order, linkDigest: linkDigest, of: identity)
    let id = gathered.share?.zone.id ?? order.zone?.resolved(for: identity.account)
    let plan: SharePlan
    do throws(RecordsError) {
      plan = try SharePlanner(of: identity, at: now, gathered: gathered).plan(order)
    } catch {
      return ShareOutcome(.failure(error), zone: id)
    }
    guard let zone = gathered.share?.zone, let key = zone.key else {
      preconditionFailure("An order about a zone that is not there is refused.")
    }
    let effects = try changingMembers(of: zone, key: key, container: identity.container) {
      for write in plan.writes { try apply(write, to: key, at: now) }
    }
    let answer = try answer(plan.answer, about: zone, key: key, for: identity, at: now)
    return ShareOutcome(.success(answer), zone: id, effects: effects)
  }

  // MARK: Gathering

  private func gather(
    _ order: SharingRequest, linkDigest: [UInt8]?, of identity: SessionIdentity
  ) throws -> GatheredForShare {
    let shown = try linkDigest.flatMap { try shares.link($0) }
    var zone = try order.zone.flatMap {
      try zones.zone($0.resolved(for: identity.account), container: identity.container)
    }
    if let shown { zone = try zones.zone(at: shown.zone, container: identity.container) }
    return GatheredForShare(
      isRevoked: try devices.numbers(of: identity, for: .zero).isRevoked,
      share: try zone.flatMap { try share(of: $0) },
      shown: zone == nil ? nil : shown?.link,
      invited: try order.invitedName.flatMap {
        try AccountProfiles(db: db, identity: identity).account(named: $0)
      },
      isDigestTaken: try order.newLink.map { try shares.link($0.digest) != nil } ?? false,
      zonesOfEntrant: try zonesOfEntrant(order, of: identity))
  }

  private func zonesOfEntrant(
    _ order: SharingRequest, of identity: SessionIdentity
  ) throws -> ZoneCounts {
    var entrant: StoreKey?
    if case .accept = order { entrant = identity.accountKey }
    if case .answerRequest(_, let account, .approve) = order {
      entrant = try accounts.account(account)?.key
    }
    return try entrant.map { try zones.counts(of: $0, container: identity.container) }
      ?? ZoneCounts()
  }

  private func share(of zone: StoredZone) throws -> StoredShare? {
    guard let key = zone.key, let owner = try accounts.account(zone.id.owner) else { return nil }
    return StoredShare(
      zone: zone, owner: owner, publicPermission: try shares.publicPermission(of: key),
      participants: try participants.all(in: key), requests: try shares.requests(in: key),
      link: try shares.latestLink(of: key))
  }

  // MARK: Carrying out

  private func apply(_ write: ShareWrite, to zone: StoreKey, at now: Timestamp) throws {
    switch write {
    case .begin(let permission), .setPublicPermission(let permission):
      try shares.set(permission, of: zone, at: now)
    case .replaceLink(let form): try shares.replaceLink(of: zone, by: form, at: now)
    case .revokeLinks: try shares.revokeLinks(of: zone)
    case .useLink(let link): try shares.use(link)
    case .setParticipant(let account, let participation):
      try participants.set(account, participation, in: zone, at: now)
    case .setRequest(let account, let standing):
      try shares.setRequest(of: account, standing, in: zone, at: now)
    case .removeRequest(let account): try shares.removeRequest(of: account, in: zone)
    case .end: try endShare(of: zone)
    }
  }

  /// Nobody but the owner is in a zone from now on.
  func endShare(of zone: StoreKey) throws {
    try shares.end(zone)
    try participants.removeAll(from: zone)
  }

  /// A zone is deleted for everybody; its row says so already in `zone`. Returns who must hear of it.
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
      effects.add(try dismiss(account, from: key, container: container))
    }
    return effects
  }

  /// Does something to who is in a zone, or asks to be. Returns who must hear of it: of somebody who
  /// comes or goes everybody, because everybody knows the others by name; of another right its holder;
  /// of a request those who manage the share.
  func changingMembers(
    of zone: StoredZone, key: StoreKey, container: StoreKey, _ body: () throws -> Void
  ) throws -> CommitEffects {
    let before = try participants.members(of: key)
    let askedBefore = try shares.requests(in: key)
    try body()
    let after = try participants.members(of: key)
    let askedAfter = try shares.requests(in: key)
    var effects = CommitEffects()
    guard before != after || askedBefore != askedAfter else { return effects }
    let lost = before.map(\.key).filter { account in !after.contains { $0.key == account } }
    for account in lost {
      effects.losses.append(
        AccessLoss(container: container, account: account, zone: zone.id))
      effects.add(try dismiss(account, from: key, container: container))
    }
    for account in after where !before.contains(where: { $0.key == account.key }) {
      effects.add(try welcome(account.key, to: key, container: container))
    }
    let owner = try accounts.account(zone.id.owner)?.key
    guard before.map(\.key) == after.map(\.key) else {
      effects.add(try tellEverybody(in: key, owner: owner, container: container))
      return effects
    }
    var touched = Set(after.filter { !before.contains($0) }.map(\.key))
    if askedBefore != askedAfter {
      let managers = after.filter { $0.participation.role == .administrator }
      touched.formUnion([owner].compactMap { $0 } + managers.map(\.key))
    }
    effects.add(try tell(touched.sorted(), of: key, container: container))
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
