// The writer's in-memory copy of the active subscriptions, indexed so that a change finds the matching ones.
// It always agrees with the table: it is loaded at the start and changed in the same transactions. After a
// rollback the subscriptions that the transaction changed are read again. A new subscription therefore
// matches later changes of its own transaction, and one that was rolled back matches nothing.

import BrokerCore
import Matching
import Predicates
import Records
import SQLConnections

/// The active subscriptions in memory.
final class SubscriptionBook {
  /// The part of a subscription that matching and notifying need.
  struct Entry {
    /// The row of the subscription's version.
    let key: StoreKey
    let container: StoreKey
    let account: StoreKey
    /// The only device to notify; `nil` for all of the account's.
    let device: StoreKey?
    let firesOnce: Bool
    let includesOwnChanges: Bool
    let collapses: Bool
    /// The fields that its notifications contain.
    let fields: [FieldKey]
    let byteCount: Int
    fileprivate let number: SubscriptionNumber
  }

  /// An account in one container.
  struct Owner: Hashable {
    let container: StoreKey
    let account: StoreKey
  }

  private var indexes: [StoreKey: SubscriptionIndex] = [:]
  /// By container, then by number in the container's index.
  private var entries: [StoreKey: [Entry?]] = [:]
  /// The numbers of each account's subscriptions.
  private var owned: [Owner: Set<SubscriptionNumber>] = [:]
  /// The container and number of each row.
  private var locations: [StoreKey: (container: StoreKey, number: SubscriptionNumber)] = [:]
  /// The encoded size of all subscriptions.
  private(set) var allBytes = 0
  /// The rows inserted or removed by the current transaction.
  private(set) var changedKeys: Set<StoreKey> = []
  /// The rows that other brokers have changed since they were read.
  var staleKeys: Set<StoreKey> = []
  /// The evaluation steps that each account may still cause in the current transaction.
  private var stepsLeft: [StoreKey: Int] = [:]
  /// The evaluation steps of all changes of the current transaction.
  private(set) var stepsUsed = 0
  private var matchList = MatchList()

  var isEmpty: Bool { locations.isEmpty }

  /// Returns the subscription with this row, if it is active.
  func entry(_ key: StoreKey) -> Entry? {
    locations[key].flatMap { entries[$0.container]?[Int($0.number.value)] }
  }

  // MARK: Inserting and removing

  /// Inserts a subscription.
  /// - Parameter wasAccepted: Whether the subscription was active before, so that limits do not apply.
  /// - Throws: `RecordsError` if its predicate is invalid or the account is at a limit of the scope.
  func insert(
    _ version: SubscriptionTable.Version, wasAccepted: Bool = false
  ) throws(RecordsError) {
    let owner = version.owner
    let subscription = try CompiledSubscription(version.form)
    let index = indexes[owner.container] ?? SubscriptionIndex()
    let number = try index.insert(
      subscription.predicate, scope: subscription.scope(for: version.accountID),
      type: subscription.type, options: subscription.options, of: version.accountID,
      wasAccepted: wasAccepted)
    indexes[owner.container] = index
    let content = subscription.notification
    let entry = Entry(
      key: version.key, container: owner.container, account: owner.account,
      device: version.device, firesOnce: subscription.firesOnce,
      includesOwnChanges: subscription.includesOwnChanges, collapses: content.collapseKey != nil,
      fields: (content.title?.keys ?? []) + (content.body?.keys ?? []) + content.desiredKeys,
      byteCount: version.byteCount, number: number)
    // NB: removed from the dictionary first, so that the array is not copied.
    var ofContainer = entries.removeValue(forKey: owner.container) ?? []
    while ofContainer.count <= Int(number.value) { ofContainer.append(nil) }
    ofContainer[Int(number.value)] = entry
    entries[owner.container] = ofContainer
    locations[version.key] = (owner.container, number)
    owned[owner, default: []].insert(number)
    allBytes += version.byteCount
    changedKeys.insert(version.key)
  }

  /// Removes the subscription with this row, if it is active.
  func remove(_ key: StoreKey) {
    guard let entry = entry(key) else { return }
    indexes[entry.container]?.remove(entry.number)
    let owner = Owner(container: entry.container, account: entry.account)
    owned[owner]?.remove(entry.number)
    if owned[owner]?.isEmpty == true { owned[owner] = nil }
    entries[entry.container]?[Int(entry.number.value)] = nil
    locations[key] = nil
    allBytes -= entry.byteCount
    changedKeys.insert(key)
  }

  // MARK: Matching

  /// Finds the subscriptions that match a change. Passes them to `matched` with the reason, and those whose
  /// predicates could not be evaluated within the step limits to `unknown`, in no particular order.
  /// - Parameters:
  ///   - writer: The account that made the change. The evaluation uses up its steps of this transaction.
  ///   - account: The only account to notify; `nil` if there is no such restriction.
  func match(
    _ event: RecordEvent, container: StoreKey, by writer: StoreKey, only account: StoreKey?,
    matched: (Entry, MatchReason) -> Void, unknown: (Entry) -> Void
  ) {
    guard let index = indexes[container], let ofContainer = entries[container] else { return }
    let only = account.map { owned[Owner(container: container, account: $0)] ?? [] }
    let before = stepsLeft[writer] ?? PredicateLimits.stepsPerCommit
    let maximum = min(before, PredicateLimits.stepsPerEvent)
    index.match(event, among: only, stepsMaximum: maximum, into: &matchList)
    stepsLeft[writer] = before - (maximum - matchList.stepsLeft)
    stepsUsed += maximum - matchList.stepsLeft
    for match in matchList.matches {
      if let entry = ofContainer[Int(match.number)] { matched(entry, match.reason) }
    }
    for number in matchList.unknown {
      if let entry = ofContainer[Int(number.value)] { unknown(entry) }
    }
  }

  // MARK: Transactions

  /// The transaction was committed.
  func committed() {
    if !changedKeys.isEmpty { changedKeys = [] }
    if !stepsLeft.isEmpty { (stepsLeft, stepsUsed) = ([:], 0) }
  }

  /// The transaction was rolled back. Reads the subscriptions that it changed from the table.
  func undone(in db: any SQLConnection) throws {
    (stepsLeft, stepsUsed) = ([:], 0)
    guard !changedKeys.isEmpty else { return }
    try readAgain(changedKeys, in: db)
  }

  /// Reads the subscriptions that other brokers have changed. Must be called before the transaction's own changes.
  func readStale(in db: any SQLConnection) throws {
    guard !staleKeys.isEmpty else { return }
    try readAgain(staleKeys, in: db)
    staleKeys = []
  }

  private func readAgain(_ keys: Set<StoreKey>, in db: any SQLConnection) throws {
    for key in keys { remove(key) }
    let table = SubscriptionTable(db: db)
    for key in keys {
      guard let version = try table.activeVersion(key), version.failure == nil else { continue }
      if let failure = insertionFailure(of: version) { try table.setFailure(failure, of: key) }
    }
    changedKeys = []
  }

  /// Reads all active subscriptions. Switches off those whose predicate is no longer valid, with the reason.
  func load(in db: any SQLConnection) throws {
    let table = SubscriptionTable(db: db)
    var failures: [StoreKey: String] = [:]
    try table.visitVersionsInForce { failures[$0.key] = insertionFailure(of: $0) }
    for (key, failure) in failures { try table.setFailure(failure, of: key) }
    changedKeys = []
  }

  /// Inserts a subscription of the table. Returns why it is not possible.
  private func insertionFailure(of version: SubscriptionTable.Version) -> String? {
    do {
      try insert(version, wasAccepted: true)
      return nil
    } catch {
      return error.message
    }
  }
}
