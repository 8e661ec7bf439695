// Group commit: everything that waited while the last transaction was made durable goes into the
// next one, request by request, because a later request may depend on an earlier one. One fsync
// pays for all of them. When a transaction fails, each half of its requests gets one of its own, and
// so on, so that the one at fault fails alone and costs the others few more transactions. The stored
// records that a transaction reads and writes are bounded in bytes: a request that does not fit begins
// the next one.

import BrokerCore
import Records
import SQLiteFile

/// Carries out storage requests on a store. Owned by the storage thread.
package struct Committer<Generator: RandomNumberGenerator> {
  private static var expensiveShare: Double { 0.2 }

  private let store: any RecordStore
  private var generator: Generator
  private let quotas: QuotaPolicy
  private let report: FailureReport
  private let hasDiskRoom: @Sendable () -> Bool
  private var mayAdd = true
  /// The place in the last transaction of the request that took most of it, if one took a fifth or more
  /// of what a transaction may do; else of the last one, if together they took all of it.
  package private(set) var mostExpensive: Int?
  /// Whether the request at hand is the first of its transaction, which fits however large it is.
  private var isFirst = true

  /// A committer that draws new names from `generator`, takes no more than `quotas` lets in, and
  /// gives `report` what made a request fail, once, where its client gets another sentence. While
  /// `hasDiskRoom`, asked before each transaction, returns false, the committer refuses saves and new
  /// devices.
  package init(
    store: any RecordStore, generator: Generator, quotas: QuotaPolicy = QuotaPolicy(),
    report: @escaping FailureReport = { _ in },
    hasDiskRoom: @escaping @Sendable () -> Bool = { true }
  ) {
    self.hasDiskRoom = hasDiskRoom
    self.quotas = quotas
    self.report = report
    self.store = store
    self.generator = generator
  }

  /// Carries out `requests` in order at the broker's time `now`. When this returns, what the
  /// results say is durable. Never throws: a failure is the result of the request that met it.
  package mutating func perform(_ requests: [StorageRequest], at now: Timestamp) -> [StorageResult]
  {
    performAll(requests[...], at: now)
  }

  /// Carries out the first of `requests`, as many as fit in one transaction and at least one. Returns
  /// their results; the others are unchanged and wait for the next call.
  package mutating func performFirst(
    of requests: ArraySlice<StorageRequest>, at now: Timestamp
  ) -> [StorageResult] {
    mayAdd = hasDiskRoom()
    if let results = try? performTogether(requests, at: now) { return results }
    defer { mostExpensive = nil }
    return performHalves(of: requests, at: now)
  }

  private mutating func performAll(
    _ requests: ArraySlice<StorageRequest>, at now: Timestamp
  ) -> [StorageResult] {
    var results: [StorageResult] = []
    while results.count < requests.count {
      results += performFirst(of: requests.dropFirst(results.count), at: now)
    }
    return results
  }

  private mutating func performTogether(
    _ requests: ArraySlice<StorageRequest>, at now: Timestamp
  ) throws -> [StorageResult] {
    try store.transact { transaction in
      var results: [StorageResult] = []
      var most = Self.expensiveShare
      var spent = 0.0
      mostExpensive = nil
      results.reserveCapacity(requests.count)
      for request in requests where results.isEmpty || spent < 1 {
        isFirst = results.isEmpty
        do {
          results.append(try perform(request, in: transaction, at: now))
        } catch is TransactionIsFull {
          break
        }
        let before = spent
        spent = transaction.spent
        guard spent - before > most else { continue }
        most = spent - before
        mostExpensive = results.count - 1
      }
      // Many small ones are mostly those of one account.
      if spent >= 1, mostExpensive == nil { mostExpensive = results.count - 1 }
      return results
    }
  }

  /// Carries out requests of which one at least made their common transaction fail.
  ///
  /// NB: each half begins with the memory that the store restored when it undid the whole. A savepoint
  /// around each request would undo rows only.
  private mutating func performHalves(
    of requests: ArraySlice<StorageRequest>, at now: Timestamp
  ) -> [StorageResult] {
    guard requests.count > 1 else { return requests.map { performAlone($0, at: now) } }
    let middle = requests.startIndex + requests.count / 2
    return [requests[..<middle], requests[middle...]].flatMap { half in
      half.count > 1 ? performAll(half, at: now) : performHalves(of: half, at: now)
    }
  }

  private mutating func performAlone(
    _ request: StorageRequest, at now: Timestamp
  ) -> StorageResult {
    do {
      isFirst = true
      return try store.transact { try perform(request, in: $0, at: now) }
    } catch {
      if let signedIn = signInReading(request, at: now, because: error) { return signedIn }
      let refusal = refusal(of: error)
      return refusal.code.isTransient
        ? request.failed(refusal) : refuseForGood(request, because: refusal)
    }
  }

  /// Signs a known device in without writing anything, where the disk is full: it can read.
  private mutating func signInReading(
    _ request: StorageRequest, at now: Timestamp, because error: any Error
  ) -> StorageResult? {
    guard case .signIn(let connection, let request) = request,
      (error as? StoreError)?.kind == .full
    else { return nil }
    let signedIn = try? store.transact { transaction -> SignedIn? in
      let gathered = try transaction.gather(request, using: &generator)
      guard case .known(let device) = SignInPlan(request, gathered: gathered) else { return nil }
      return try transaction.admit(device, request)
    }
    return signedIn.flatMap(\.self).map { .signedIn(connection, $0) }
  }

  /// What the client is told; an error that it is not told as it is goes to the log.
  private func refusal(of error: any Error) -> RecordsError {
    let refusal = RecordsError(writing: error)
    if refusal != error as? RecordsError { report(error) }
    return refusal
  }

  /// A request that the store cannot carry out for a reason that will not go away uses its number
  /// and is refused, or the device would send it for ever and nothing behind it would move.
  private mutating func refuseForGood(
    _ request: StorageRequest, because refusal: RecordsError
  ) -> StorageResult {
    guard
      case .modify(let connection, let replyTo, let identity, let modify, let byteCount) = request
    else { return request.failed(refusal) }
    do {
      let writes = modify.refused(because: refusal)
      let applied = try store.transact { try $0.apply(writes, of: identity) }
      return .modified(
        connection, replyTo: replyTo, applied.outcome, applied.effects, byteCount: byteCount)
    } catch {
      report(error)
      return request.failed(.unwritable)
    }
  }

  // MARK: One request

  private mutating func perform(
    _ request: StorageRequest, in transaction: any StoreTransaction, at now: Timestamp
  ) throws -> StorageResult {
    if let identity = request.writer, try transaction.isRevoked(identity) {
      return request.failed(revoked)
    }
    if !mayAdd, request.adds { return request.failed(.diskIsFull) }
    return switch request {
    case .signIn(let connection, let request):
      try signIn(request, of: connection, in: transaction, at: now)
    case .modify(let connection, let replyTo, let identity, let request, let byteCount):
      try modify(
        connection, replyTo, request, of: identity, byteCount: byteCount, in: transaction, at: now)
    case .acknowledge(let connection, let identity, let number):
      try acknowledged(number, of: identity, connection, in: transaction)
    case .attach(let connection, let identity, let positions):
      .attached(connection, try transaction.zones(at: positions, of: identity))
    case .offerAsset(let connection, let replyTo, let identity, let asset):
      .assetOffered(
        connection, replyTo: replyTo, asset,
        try transaction.offered(asset, by: identity, at: now))
    case .keepAsset(let connection, let replyTo, let id, let asset):
      try kept(asset, id, for: connection, replyTo: replyTo, in: transaction, at: now)
    case .noteAssets(let lost, let found):
      .notedAssets(
        lost: try transaction.noteAssets(lost: lost, found: found, at: now), found: found)
    case .saveSubscription(let connection, let replyTo, let identity, let form, let byteCount):
      switch try transaction.plan(form, of: identity) {
      case .refuse(let error): .refused(connection, replyTo, error, byteCount: byteCount)
      case .unchanged:
        .answered(
          connection, replyTo: replyTo, .subscriptionSaved,
          try transaction.receive(identity, at: now), byteCount: byteCount)
      case .save:
        try saved(
          form, of: identity, connection, replyTo: replyTo, byteCount: byteCount, in: transaction,
          at: now)
      }
    case .deleteSubscription(let connection, let replyTo, let identity, let id):
      .answered(
        connection, replyTo: replyTo, .subscriptionDeleted,
        try transaction.delete(id, of: identity), byteCount: 0)
    case .followNotifications(let connection, let replyTo, let identity, let position):
      try followed(position, of: identity, connection, replyTo: replyTo, in: transaction, at: now)
    case .share(let connection, let replyTo, let identity, let order, let linkDigest):
      .shared(
        connection, replyTo: replyTo, identity, wasTry: order.isTry,
        try transaction.perform(order, linkDigest: linkDigest, of: identity, at: now))
    case .account(let connection, let replyTo, let identity, let order):
      try carriedOut(order, of: identity, connection, replyTo: replyTo, in: transaction)
    case .administer(let connection, let replyTo, let order):
      .administered(
        connection, replyTo: replyTo,
        try carriedOut(order, in: transaction, at: now))
    case .sweepNotifications(let sweep):
      .sweptNotifications(try transaction.sweep(sweep, at: now))
    case .removeLeft:
      .removedLeft(try transaction.removeLeft(at: now, using: &generator))
    case .reapCascades:
      .reapedCascades(try reapCascades(in: transaction, at: now))
    case .runErrands: .ranErrands(try transaction.runErrands())
    }
  }

  /// What a device may not have carried out that was revoked while its request waited (I24).
  private var revoked: RecordsError {
    RecordsError(
      .notAuthenticated, "This device was revoked.", reason: "revoked")
  }

  private mutating func modify(
    _ connection: ConnectionID, _ replyTo: UInt64, _ request: ModifyRequest,
    of identity: SessionIdentity, byteCount: Int, in transaction: any StoreTransaction,
    at now: Timestamp
  ) throws -> StorageResult {
    switch try plan(request, of: identity, in: transaction, at: now) {
    case .perform(let writes):
      try modified(
        connection, replyTo, writes, request, of: identity, byteCount: byteCount, in: transaction)
    case .replay(let outcome):
      .modified(connection, replyTo: replyTo, outcome, CommitEffects(), byteCount: byteCount)
    case .refuse(let error):
      .modifyRefused(connection, replyTo: replyTo, error, byteCount: byteCount)
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
    // What was read for a request that is refused counts too, or it could be sent again for nothing.
    var storedBytes = gathered.storedBytes
    if case .perform(let writes) = plan { storedBytes += writes.storedBytes }
    guard storedBytes <= transaction.storedBytesLeft || isFirst else {
      throw TransactionIsFull()
    }
    transaction.spend(storedBytes: storedBytes)
    return plan
  }

  private func reapCascades(
    in transaction: any StoreTransaction, at now: Timestamp
  ) throws -> CommitEffects {
    guard transaction.storedBytesLeft > 0 || isFirst else { throw TransactionIsFull() }
    return try transaction.reapCascades(at: now)
  }

  /// Carries out a plan, and notes what it refused: for each zone once, or one request would fill the
  /// journal.
  private func modified(
    _ connection: ConnectionID, _ replyTo: UInt64, _ writes: ModifyWrites,
    _ request: ModifyRequest, of identity: SessionIdentity, byteCount: Int,
    in transaction: any StoreTransaction
  ) throws -> StorageResult {
    let applied = try transaction.apply(writes, of: identity)
    var effects = applied.effects
    var noted: Set<ZoneID> = []
    for (group, results) in zip(request.groups, writes.outcome.groups) {
      let zone = group.zone.resolved(for: identity.account)
      guard !noted.contains(zone) else { continue }
      for case .failed(let error, _) in results
      where error.isDenial && zone.owner != identity.account && noted.insert(zone).inserted {
        effects.refusals.append(ZoneRefusal(zone: zone, error: error))
      }
    }
    return .modified(
      connection, replyTo: replyTo, applied.outcome, effects, byteCount: byteCount)
  }

  /// What an order came to; one that is refused has changed nothing and holds nobody else up.
  private mutating func carriedOut(
    _ order: AdministrativeRequest, in transaction: any StoreTransaction, at now: Timestamp
  ) throws -> Result<AdministrationOutcome, RecordsError> {
    do {
      let identifiers = NewIdentifiers(using: &generator)
      return .success(
        try transaction.administer(order, identifiers: identifiers, at: now))
    } catch let error as RecordsError {
      return .failure(error)
    }
  }

  private func acknowledged(
    _ number: RequestNumber, of identity: SessionIdentity, _ connection: ConnectionID,
    in transaction: any StoreTransaction
  ) throws -> StorageResult {
    try transaction.acknowledge(number, of: identity)
    return .acknowledged(connection)
  }

  private func carriedOut(
    _ order: AccountRequest, of identity: SessionIdentity, _ connection: ConnectionID,
    replyTo: UInt64, in transaction: any StoreTransaction
  ) throws -> StorageResult {
    let (profiles, effects) = try transaction.perform(order, of: identity)
    return .answered(
      connection, replyTo: replyTo, .accounts(profiles, isWhole: true), effects, byteCount: 0)
  }

  /// NB: a subscription for which there is no room in the index is refused before anything is
  /// written, so the transaction goes on.
  private func saved(
    _ form: SubscriptionForm, of identity: SessionIdentity, _ connection: ConnectionID,
    replyTo: UInt64, byteCount: Int, in transaction: any StoreTransaction, at now: Timestamp
  ) throws -> StorageResult {
    do {
      transaction.spend(storedBytes: BrokerLimits.storedBytesPerSubscription)
      return .answered(
        connection, replyTo: replyTo, .subscriptionSaved,
        try transaction.save(form, of: identity, at: now), byteCount: byteCount)
    } catch let error as RecordsError {
      return .refused(connection, replyTo, error, byteCount: byteCount)
    }
  }

  private func followed(
    _ position: NotificationNumber, of identity: SessionIdentity, _ connection: ConnectionID,
    replyTo: UInt64, in transaction: any StoreTransaction, at now: Timestamp
  ) throws -> StorageResult {
    do {
      return .following(connection, try transaction.follow(from: position, as: identity, at: now))
    } catch let error as RecordsError {
      return .refused(connection, replyTo, error)
    }
  }

  private func kept(
    _ asset: Asset, _ id: UploadID, for connection: ConnectionID, replyTo: UInt64,
    in transaction: any StoreTransaction, at now: Timestamp
  ) throws -> StorageResult {
    try transaction.keep(asset, id, at: now)
    return .assetKept(connection, replyTo: replyTo, id, nil)
  }

  private mutating func signIn(
    _ request: SignInRequest, of connection: ConnectionID, in transaction: any StoreTransaction,
    at now: Timestamp
  ) throws -> StorageResult {
    let gathered = try transaction.gather(request, using: &generator)
    let identifiers = NewIdentifiers(using: &generator)
    switch SignInPlan(request, gathered: gathered) {
    case .refuse(let error): return .refused(connection, error)
    case .known(let device):
      return .signedIn(
        connection,
        try transaction.enter(device, request, identifiers: identifiers, at: now))
    case .register where !mayAdd: return .refused(connection, .diskIsFull)
    case .register(let account):
      let device = try transaction.register(
        account, request, identifiers: identifiers, at: now)
      return .signedIn(
        connection,
        try transaction.enter(device, request, identifiers: identifiers, at: now))
    }
  }
}

/// Thrown before anything of a request is written: the transaction has no room for it.
private struct TransactionIsFull: Error {}

extension StorageRequest {
  /// Whether records or subscriptions may come of it.
  fileprivate var adds: Bool {
    switch self {
    case .modify(_, _, _, let request, _): request.adds
    case .saveSubscription: true
    default: false
    }
  }

  /// Whose standing is asked before anything is done; `nil` where a plan asks for itself, and where
  /// nothing is written for anybody.
  fileprivate var writer: SessionIdentity? {
    switch self {
    case .deleteSubscription(_, _, let identity, _), .followNotifications(_, _, let identity, _),
      .offerAsset(_, _, let identity, _), .share(_, _, let identity, _, _),
      .account(_, _, let identity, _):
      identity
    case .signIn, .modify, .acknowledge, .attach, .keepAsset, .noteAssets, .saveSubscription,
      .sweepNotifications, .removeLeft, .reapCascades, .runErrands, .administer:
      nil
    }
  }
}

extension ModifyRequest {
  /// Whether it saves anything; a request that only deletes makes room in the end.
  fileprivate var adds: Bool {
    groups.contains { group in
      group.operations.contains { operation in
        switch operation {
        case .save, .saveZone: true
        case .delete, .deleteZone, .emptyTrash: false
        }
      }
    }
  }

  /// The plan that refuses everything in the request.
  fileprivate func refused(because refusal: RecordsError) -> ModifyWrites {
    let outcome = ModifyOutcome(
      number: number,
      groups: groups.map { group in
        group.operations.map { _ in .failed(refusal, serverRecord: nil) }
      })
    return ModifyWrites(
      outcome: outcome, fingerprint: fingerprint, acknowledged: acknowledged, writes: [])
  }
}
