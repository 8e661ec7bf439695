// A second implementation of subscriptions, for worlds of subscriptions.

import BrokerCore
import Matching
import Predicates
import Records

/// Computes the notifications of one account the slow way, outside the broker: every change is tested against
/// every active subscription, in commit order, with the plain evaluator and no index (I10).
struct SubscriptionOracle {
  /// A notification that one device must receive.
  struct ExpectedNotification: Hashable {
    let subscription: SubscriptionID
    /// The version of the subscription: a subscription that is saved again with other contents has a new one.
    let version: Int
    let collapseKey: String?
    let reason: MatchReason
    let record: RecordID
    let tag: Revision
  }

  private struct ActiveSubscription {
    let form: SubscriptionForm
    let subscription: CompiledSubscription
    let version: Int
  }

  private let account: AccountID
  private var subscriptions: [SubscriptionID: ActiveSubscription] = [:]
  private var records: [RecordID: Change] = [:]
  private var listeners: Set<DeviceID> = []
  private var versionCount = 0
  /// The expected notifications of each device, in order.
  private(set) var expectedNotifications: [DeviceID: [ExpectedNotification]] = [:]
  /// Versions of deleted subscriptions, whose notifications need not arrive.
  private(set) var deleted: Set<Int> = []
  /// The versions of each subscription.
  private var versions: [SubscriptionID: [Int]] = [:]

  init(account: AccountID) {
    self.account = account
  }

  /// The active subscriptions.
  var activeForms: [SubscriptionID: SubscriptionForm] { subscriptions.mapValues(\.form) }

  /// Replays one request of a commit with its result.
  mutating func take(_ request: StorageRequest, _ result: StorageResult) throws {
    switch (request, result) {
    case (.client(.saveSubscription(let form), let context), .client(.answered(let answer, _), _)):
      guard answer == .subscriptionSaved else { return }
      listeners.insert(context.identity.device)
      guard subscriptions[form.id]?.form != form else { return }
      versionCount += 1
      subscriptions[form.id] = ActiveSubscription(
        form: form, subscription: try CompiledSubscription(form), version: versionCount)
      versions[form.id, default: []].append(versionCount)
    case (.client(.deleteSubscription(let id), _), .client(.answered(let answer, _), _)):
      guard answer == .subscriptionDeleted, subscriptions.removeValue(forKey: id) != nil else {
        return
      }
      deleted.formUnion(versions[id] ?? [])
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
    for active in subscriptions.values.sorted(by: { $0.version < $1.version }) {
      guard try isInScope(active, change, zone),
        let reason = reason(
          before: try holds(active, before), after: try holds(active, change),
          existed: before?.kind == .saved, exists: change.kind == .saved),
        active.form.options.contains(reason.option)
      else { continue }
      let receivers = listeners.filter { device in
        (active.form.device == nil || active.form.device == device)
          && (active.form.includesOwnChanges || device != writer)
      }
      for device in receivers {
        expectedNotifications[device, default: []].append(
          ExpectedNotification(
            subscription: active.form.id, version: active.version,
            collapseKey: active.form.notification.collapseKey, reason: reason, record: id,
            tag: change.tag))
      }
      if active.form.firesOnce, !receivers.isEmpty { subscriptions[active.form.id] = nil }
    }
  }

  private func isInScope(_ active: ActiveSubscription, _ change: Change, _ zone: ZoneID) throws
    -> Bool
  {
    if let type = active.subscription.type, type != change.type { return false }
    return switch active.subscription.scope(for: account) {
    case .zone(let wanted): wanted == zone
    case .privateDatabase(let owner): owner == zone.owner
    case .sharedDatabase, .publicDatabase: false
    }
  }

  private func holds(_ active: ActiveSubscription, _ change: Change?) throws -> Bool {
    guard let change, change.kind == .saved else { return false }
    var evaluator = try PredicateEvaluator(active.subscription.predicate, now: nil)
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
  /// The option that requests this notification.
  fileprivate var option: FiringOptions {
    switch self {
    case .created: .creation
    case .updated, .entered, .left: .update
    case .deleted: .deletion
    }
  }
}
