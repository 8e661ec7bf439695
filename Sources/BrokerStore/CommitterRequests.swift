// Carries out one storage request in a transaction: gathers its rows, plans it with the pure planners, and
// applies the plan.

import BrokerCore
import Pairing
import Records

/// The requests of clients and administrators.
extension Committer {
  /// Carries out one request in a transaction.
  mutating func perform(
    _ request: StorageRequest, in transaction: any StoreTransaction, at now: Timestamp
  ) throws -> StorageResult {
    switch request {
    case .signIn(let request, let connection):
      .signedIn(try signIn(request, in: transaction, at: now), connection)
    case .administer(let request, let connection, let replyTo):
      .administered(
        try administer(request, in: transaction, at: now), connection, replyTo: replyTo)
    case .join(let request, let brokerKeyDigest, let connection, let replyTo):
      .joined(
        try join(request, brokerKeyDigest: brokerKeyDigest, in: transaction, at: now),
        connection, replyTo: replyTo)
    case .client(let operation, let context):
      .client(try perform(operation, of: context.identity, in: transaction, at: now), context)
    case .recordAssets(let lost, let found):
      .recordedAssets(
        lost: try transaction.recordAssets(lost: lost, found: found, at: now), found: found)
    case .maintain(let step):
      .maintained(
        MaintenanceResult(step.job, try maintain(step, in: transaction, at: now)))
    }
  }

  private mutating func perform(
    _ operation: StorageOperation, of identity: SessionIdentity,
    in transaction: any StoreTransaction, at now: Timestamp
  ) throws -> StorageOutcome {
    // A device that was revoked while its request waited may not carry it out (I24).
    if operation.needsPermission, try transaction.isRevoked(identity) {
      return operation.failed(
        RecordsError(.notAuthenticated, "This device was revoked.", reason: "revoked"))
    }
    if !mayAdd, operation.adds { return operation.failed(.diskIsFull) }
    switch operation {
    case .modify(let request):
      return try modify(request, of: identity, in: transaction, at: now)
    case .acknowledge(let number):
      try transaction.acknowledge(number, of: identity)
      return .acknowledged
    case .attach(let positions):
      return .attached(.success(try transaction.zones(at: positions, of: identity)))
    case .offerAsset(let asset):
      return .assetOffered(asset, try transaction.offered(asset, by: identity, at: now))
    case .registerAsset(let asset, let id):
      try transaction.registerAsset(asset, id, at: now)
      return .assetRegistered(id, nil)
    case .saveSubscription(let form):
      return try save(form, of: identity, in: transaction, at: now)
    case .deleteSubscription(let id):
      return .answered(.subscriptionDeleted, try transaction.delete(id, of: identity))
    case .followNotifications(let position):
      return try answering {
        .following(try transaction.follow(from: position, as: identity, at: now))
      }
    case .share(let request, let linkDigest):
      return .shared(
        try transaction.perform(request, linkDigest: linkDigest, of: identity, at: now),
        isLinkAttempt: request.isTry)
    case .account(let request):
      let (profiles, effects) = try transaction.perform(request, of: identity)
      return .answered(.accounts(profiles, isWhole: true), effects)
    case .invite(let offer):
      do {
        try transaction.store(
          offer, of: identity.accountKey, maker: identity.deviceKey, at: now)
        return .invited(.success(now.adding(seconds: offer.seconds)))
      } catch let error as RecordsError {
        return .invited(.failure(error))
      }
    case .device(let request):
      return try answering {
        let change = try transaction.perform(request, of: identity)
        return .deviceChanged(change.effects, expelled: change.expelled)
      }
    }
  }

  /// Answers with an error that was thrown before anything was written, so that the transaction can continue.
  private func answering(_ body: () throws -> StorageOutcome) throws -> StorageOutcome {
    do {
      return try body()
    } catch let error as RecordsError {
      return .failed(error)
    }
  }

  private mutating func administer(
    _ request: AdministrativeRequest, in transaction: any StoreTransaction, at now: Timestamp
  ) throws -> Result<AdministrationOutcome, RecordsError> {
    do {
      let identifiers = NewIdentifiers(using: &generator)
      return .success(
        try transaction.administer(request, identifiers: identifiers, at: now))
    } catch let error as RecordsError {
      return .failure(error)
    }
  }

  private func join(
    _ request: JoinRequest, brokerKeyDigest: [UInt8], in transaction: any StoreTransaction,
    at now: Timestamp
  ) throws -> Result<Joined, RecordsError> {
    guard let invitation = try transaction.invitation(request.invitation) else {
      return .failure(.unknownInvitation)
    }
    if let error = invitation.objection(
      to: request, brokerKeyDigest: brokerKeyDigest, at: now)
    {
      return .failure(error)
    }
    if request.isFinal {
      guard mayAdd else { return .failure(.diskIsFull) }
      guard try transaction.use(invitation, forKeyDigest: request.deviceKeyDigest, at: now) else {
        return .failure(.foreignKey)
      }
    }
    let proof = invitation.key.proof(
      of: .broker, brokerKeyDigest: brokerKeyDigest, deviceKeyDigest: request.deviceKeyDigest)
    return .success(Joined(accountName: invitation.account.name, proof: proof))
  }

  private mutating func signIn(
    _ request: SignInRequest, in transaction: any StoreTransaction, at now: Timestamp
  ) throws -> Result<SignedIn, RecordsError> {
    let gathered = try transaction.gather(request, at: now, using: &generator)
    let identifiers = NewIdentifiers(using: &generator)
    switch SignInPlan(request, gathered: gathered) {
    case .refuse(let error): return .failure(error)
    case .known(let device):
      return .success(
        try transaction.signIn(device, request, identifiers: identifiers, at: now))
    case .register where !mayAdd: return .failure(.diskIsFull)
    case .register(let account):
      let device = try transaction.register(
        account, request, identifiers: identifiers, at: now)
      return .success(
        try transaction.signIn(device, request, identifiers: identifiers, at: now))
    }
  }

  private func save(
    _ form: SubscriptionForm, of identity: SessionIdentity, in transaction: any StoreTransaction,
    at now: Timestamp
  ) throws -> StorageOutcome {
    switch try transaction.plan(form, of: identity) {
    case .refuse(let error): return .failed(error)
    case .unchanged:
      return .answered(.subscriptionSaved, try transaction.receive(identity, at: now))
    case .save:
      transaction.spend(storedBytes: BrokerLimits.storedBytesPerSubscription)
      // The index may have no room for the subscription. That is found before anything is written.
      return try answering {
        .answered(.subscriptionSaved, try transaction.save(form, of: identity, at: now))
      }
    }
  }

  // MARK: Modifying

  private mutating func modify(
    _ request: ModifyRequest, of identity: SessionIdentity, in transaction: any StoreTransaction,
    at now: Timestamp
  ) throws -> StorageOutcome {
    switch try plan(request, of: identity, in: transaction, at: now) {
    case .perform(let writes):
      let applied = try transaction.apply(writes, of: identity)
      var effects = applied.effects
      effects.refusals += refusals(of: request, outcome: writes.outcome, by: identity)
      return .modified(applied.outcome, effects)
    case .replay(let outcome): return .modified(outcome, CommitEffects())
    case .refuse(let error): return .failed(error)
    }
  }

  private mutating func plan(
    _ request: ModifyRequest, of identity: SessionIdentity, in transaction: any StoreTransaction,
    at now: Timestamp
  ) throws -> ModifyPlan {
    let gathered = try transaction.gather(request, of: identity)
    var planner = ModifyPlanner(
      request, of: identity, at: now, gathered: gathered, quotas: quotas)
    let plan = planner.plan(using: &generator)
    // What was read for a rejected request counts too: otherwise it could be sent again at no cost.
    var storedBytes = gathered.storedBytes
    if case .perform(let writes) = plan { storedBytes += writes.storedBytes }
    guard storedBytes <= transaction.storedBytesLeft || isFirst else {
      throw TransactionIsFull()
    }
    transaction.spend(storedBytes: storedBytes)
    return plan
  }

  /// The operations that were denied in zones of other accounts, for the log: one per zone, so that a
  /// request cannot fill the log.
  private func refusals(
    of request: ModifyRequest, outcome: ModifyOutcome, by identity: SessionIdentity
  ) -> [ZoneRefusal] {
    var noted: Set<ZoneID> = []
    var refusals: [ZoneRefusal] = []
    for (group, results) in zip(request.groups, outcome.groups) {
      let zone = group.zone.resolved(for: identity.account)
      guard zone.owner != identity.account, !noted.contains(zone) else { continue }
      for case .failed(let error, _) in results where error.isDenial && noted.insert(zone).inserted
      {
        refusals.append(ZoneRefusal(zone: zone, error: error))
      }
    }
    return refusals
  }
}

extension StorageOperation {
  /// Whether the operation can add records or subscriptions. Such operations are refused while the disk is
  /// full.
  fileprivate var adds: Bool {
    switch self {
    case .modify(let request): request.adds
    case .saveSubscription, .invite: true
    default: false
    }
  }

  /// Whether the committer must check that the device is not revoked. Plans check this themselves, and the
  /// other operations write nothing for the device.
  fileprivate var needsPermission: Bool {
    switch self {
    case .deleteSubscription, .followNotifications, .offerAsset, .share, .account, .invite,
      .device:
      true
    case .modify, .acknowledge, .attach, .registerAsset, .saveSubscription: false
    }
  }
}

extension ModifyRequest {
  /// Whether the request saves anything. A request that only deletes frees room in the end.
  fileprivate var adds: Bool {
    groups.contains { group in
      group.operations.contains { operation in
        switch operation {
        case .save, .saveZone, .restoreZone: true
        case .delete, .deleteZone, .emptyTrash: false
        }
      }
    }
  }
}
