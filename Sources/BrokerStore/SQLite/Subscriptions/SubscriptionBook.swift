// The subscriptions in force, in memory, filed so that a change finds those that are told. It says
// what the table says: loaded from it at the start, changed with it in every transaction, and where a
// transaction is undone, read from it again for what that transaction touched. So a subscription sees
// what is changed later in its own transaction, and one that was undone sees nothing.

import BrokerCore
import GRDB
import Matching
import Predicates
import Records

/// What the writer knows of the subscriptions in force.
final class SubscriptionBook {
  /// A subscription in force, as far as telling needs it.
  struct Entry {
    /// The row of its wording.
    let key: StoreKey
    let container: StoreKey
    let account: StoreKey
    /// The device it belongs to; `nil` for all of the account's.
    let device: StoreKey?
    let firesOnce: Bool
    let includesOwnChanges: Bool
    let collapses: Bool
    /// The fields it speaks of.
    let fields: [FieldKey]
    let byteCount: Int
    fileprivate let number: SubscriptionNumber
  }

  /// Whose, and in which application.
  struct Owner: Hashable {
    let container: StoreKey
    let account: StoreKey
  }

  private var indexes: [StoreKey: SubscriptionIndex] = [:]
  /// By application, then by the index's number.
  private var entries: [StoreKey: [Entry?]] = [:]
  /// The index's numbers of those that an account has.
  private var owned: [Owner: Set<SubscriptionNumber>] = [:]
  private var places: [StoreKey: (container: StoreKey, number: SubscriptionNumber)] = [:]
  /// What all of them weigh.
  private(set) var allBytes = 0
  /// Wordings that the present transaction put in or took out.
  private var touched: Set<StoreKey> = []
  /// What accounts have left in the present transaction to have their changes asked of subscriptions.
  private var stepsLeft: [StoreKey: Int] = [:]
  /// What all changes of the present transaction took together.
  private(set) var stepsUsed = 0
  private var list = MatchList()

  /// Whether there is none: then a change costs nothing.
  var isEmpty: Bool { places.isEmpty }

  /// The subscription of this wording, if it is in force.
  func entry(_ key: StoreKey) -> Entry? {
    places[key].flatMap { entries[$0.container]?[Int($0.number.value)] }
  }

  // MARK: Coming and going

  /// Puts in a subscription.
  /// - Parameter wasAccepted: whether it was in force before, so that there is room for it.
  /// - Throws: `RecordsError` where its words cannot be read, or the account has no room in its scope.
  func insert(
    _ form: SubscriptionForm, key: StoreKey, device: StoreKey?, byteCount: Int, of owner: Owner,
    _ account: AccountID, wasAccepted: Bool = false
  ) throws(RecordsError) {
    let subscription = try Subscription(form)
    let index = indexes[owner.container] ?? SubscriptionIndex()
    let number = try index.insert(
      subscription.predicate, scope: subscription.scope(for: account), type: subscription.type,
      options: subscription.options, of: account, wasAccepted: wasAccepted)
    indexes[owner.container] = index
    let content = subscription.notification
    let entry = Entry(
      key: key, container: owner.container, account: owner.account, device: device,
      firesOnce: subscription.firesOnce, includesOwnChanges: subscription.includesOwnChanges,
      collapses: content.collapseKey != nil,
      fields: (content.title?.keys ?? []) + (content.body?.keys ?? []) + content.desiredKeys,
      byteCount: byteCount, number: number)
    var filed = entries.removeValue(forKey: owner.container) ?? []
    while filed.count <= Int(number.value) { filed.append(nil) }
    filed[Int(number.value)] = entry
    entries[owner.container] = filed
    places[key] = (owner.container, number)
    owned[owner, default: []].insert(number)
    allBytes += byteCount
    touched.insert(key)
  }

  /// Takes a subscription out, if it is in force.
  func remove(_ key: StoreKey) {
    guard let entry = entry(key) else { return }
    indexes[entry.container]?.remove(entry.number)
    let owner = Owner(container: entry.container, account: entry.account)
    owned[owner]?.remove(entry.number)
    if owned[owner]?.isEmpty == true { owned[owner] = nil }
    entries[entry.container]?[Int(entry.number.value)] = nil
    places[key] = nil
    allBytes -= entry.byteCount
    touched.insert(key)
  }

  // MARK: Matching

  /// Finds the subscriptions that a change matches, with the reason, and those whose predicates could not
  /// be evaluated; in no order.
  /// - Parameters:
  ///   - writer: the account that made the change. What it has left in this transaction pays for it.
  ///   - account: the only one that may hear of it, where not all may.
  func match(
    _ event: RecordEvent, container: StoreKey, by writer: StoreKey, only account: StoreKey?,
    told: (Entry, MatchReason) -> Void, unknown: (Entry) -> Void
  ) {
    guard let index = indexes[container], let filed = entries[container] else { return }
    let only = account.map { owned[Owner(container: container, account: $0)] ?? [] }
    let before = stepsLeft[writer] ?? PredicateLimits.stepsPerCommit
    let most = min(before, PredicateLimits.stepsPerEvent)
    index.match(event, among: only, stepsMaximum: most, into: &list)
    stepsLeft[writer] = before - (most - list.stepsLeft)
    stepsUsed += most - list.stepsLeft
    for match in list.matches {
      if let entry = filed[Int(match.number)] { told(entry, match.reason) }
    }
    for number in list.unknown {
      if let entry = filed[Int(number.value)] { unknown(entry) }
    }
  }

  // MARK: Transactions

  /// The transaction is durable.
  func committed() {
    if !touched.isEmpty { touched = [] }
    if !stepsLeft.isEmpty { (stepsLeft, stepsUsed) = ([:], 0) }
  }

  /// The transaction was undone: what it touched is as the table says.
  func undone(in db: Database) throws {
    (stepsLeft, stepsUsed) = ([:], 0)
    guard !touched.isEmpty else { return }
    let keys = touched
    for key in keys { remove(key) }
    for key in keys { try load(key, in: db) }
    touched = []
  }

  /// Reads all subscriptions in force. One that cannot be read is switched off and says why.
  func load(in db: Database) throws {
    let keys = try StoreKey.fetchAll(
      db.cachedStatement(sql: "SELECT key FROM subscription WHERE state = 0 AND failure IS NULL"))
    for key in keys { try load(key, in: db) }
    touched = []
  }

  private func load(_ key: StoreKey, in db: Database) throws {
    do {
      guard let row = try SubscriptionTable(db: db).wording(key), row.failure == nil
      else { return }
      try insert(
        row.form, key: key, device: row.device, byteCount: row.byteCount, of: row.owner,
        row.accountID, wasAccepted: true)
    } catch let error as RecordsError {
      try SubscriptionTable(db: db).fail(key, because: error.message)
    }
  }
}
