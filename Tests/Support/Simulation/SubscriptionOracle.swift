// What subscriptions have to tell, found out the slow way: every change is asked of every subscription
// in force, in the order of the commits, with the plain evaluator and no index. What devices were told
// is compared with it (I10).

import BrokerCore
import Matching
import Predicates
import Records

/// The subscriptions and records of one account, kept outside the broker.
struct SubscriptionOracle {
  /// One thing that one device has to be told.
  struct Telling: Hashable {
    let subscription: SubscriptionID
    /// Which wording of it.
    let wording: Int
    let collapseKey: String?
    let reason: MatchReason
    let record: RecordID
    let tag: Revision
  }

  private struct Wish {
    let form: SubscriptionForm
    let subscription: Subscription
    let wording: Int
  }

  private let account: AccountID
  private var wishes: [SubscriptionID: Wish] = [:]
  private var records: [RecordID: Change] = [:]
  private var listeners: Set<DeviceID> = []
  private var wordings = 0
  /// What each device has to be told, in order.
  private(set) var tellings: [DeviceID: [Telling]] = [:]
  /// Wordings that were deleted by hand: what they told need not arrive.
  private(set) var deleted: Set<Int> = []
  /// The ids that stand for a wording each.
  private var wordingsOf: [SubscriptionID: [Int]] = [:]

  init(account: AccountID) {
    self.account = account
  }

  /// The subscriptions in force.
  var inForce: [SubscriptionID: SubscriptionForm] { wishes.mapValues(\.form) }

  /// Takes in one request of a commit and what came of it.
  mutating func take(_ request: StorageRequest, _ result: StorageResult) throws {
    switch (request, result) {
    case (.client(.saveSubscription(let form), let context), .client(.answered(let answer, _), _)):
      guard answer == .subscriptionSaved else { return }
      listeners.insert(context.identity.device)
      guard wishes[form.id]?.form != form else { return }
      wordings += 1
      wishes[form.id] = Wish(
        form: form, subscription: try Subscription(form), wording: wordings)
      wordingsOf[form.id, default: []].append(wordings)
    case (.client(.deleteSubscription(let id), _), .client(.answered(let answer, _), _)):
      guard answer == .subscriptionDeleted, wishes.removeValue(forKey: id) != nil else { return }
      deleted.formUnion(wordingsOf[id] ?? [])
    case (.client(.followNotifications, let context), .client(.following, _)):
      listeners.insert(context.identity.device)
    case (.client(.modify, let context), .client(.modified(_, let effects), _)):
      for commit in effects.zones {
        for change in commit.changes {
          try take(change, in: commit.zone.id, by: context.identity.device)
        }
      }
    default: break
    }
  }

  private mutating func take(_ change: Change, in zone: ZoneID, by writer: DeviceID) throws {
    let id = RecordID(zone: zone, name: change.name)
    let before = records.updateValue(change, forKey: id)
    for wish in wishes.values.sorted(by: { $0.wording < $1.wording }) {
      guard try isInScope(wish, change, zone),
        let reason = reason(
          before: try holds(wish, before), after: try holds(wish, change),
          existed: before?.kind == .saved, exists: change.kind == .saved),
        wish.form.options.contains(reason.option)
      else { continue }
      let told = listeners.filter { device in
        (wish.form.device == nil || wish.form.device == device)
          && (wish.form.includesOwnChanges || device != writer)
      }
      for device in told {
        tellings[device, default: []].append(
          Telling(
            subscription: wish.form.id, wording: wish.wording,
            collapseKey: wish.form.notification.collapseKey, reason: reason, record: id,
            tag: change.tag))
      }
      if wish.form.firesOnce, !told.isEmpty { wishes[wish.form.id] = nil }
    }
  }

  private func isInScope(_ wish: Wish, _ change: Change, _ zone: ZoneID) throws -> Bool {
    if let type = wish.subscription.type, type != change.type { return false }
    return switch wish.subscription.scope(for: account) {
    case .zone(let wanted): wanted == zone
    case .privateDatabase(let owner): owner == zone.owner
    case .sharedDatabase, .publicDatabase: false
    }
  }

  private func holds(_ wish: Wish, _ change: Change?) throws -> Bool {
    guard let change, change.kind == .saved else { return false }
    var evaluator = try PredicateEvaluator(wish.subscription.predicate, now: nil)
    return try evaluator.matches(change.record, SystemFields(change))
  }

  private func reason(
    before: Bool, after: Bool, existed: Bool, exists: Bool
  ) -> MatchReason? {
    switch (existed, exists) {
    case (false, true): after ? .created : nil
    case (true, false): before ? .deleted : nil
    case (true, true): after ? before ? .updated : .entered : before ? .left : nil
    case (false, false): nil
    }
  }
}

extension MatchReason {
  /// The option that asks for it.
  fileprivate var option: FiringOptions {
    switch self {
    case .created: .creation
    case .updated, .entered, .left: .update
    case .deleted: .deletion
    }
  }
}
