// The notifications that devices of an account should receive, computed from the commits: every change is
// tested against every subscription by a few lines of Swift, without the index (I10).

import BrokerCore
import DeviceStore
import Records

/// The expected notifications of every device, in order.
struct DeliveryHistory {
  /// One notification of one subscription for one device.
  struct Notification: Hashable {
    let subscription: SubscriptionID
    let reason: MatchReason
    let record: RecordID
    let tag: Revision
  }

  /// The expected notifications. `order` is the number of the request. The notifications of one request are
  /// in the order of its revisions within a zone; between zones they have no order.
  private(set) var expected: [DeviceID: [(notification: Notification, order: Int)]] = [:]
  /// When each subscription was last replaced or deleted. Its earlier notifications may not have arrived.
  private(set) var changed: [SubscriptionID: Int] = [:]
  /// For a subscription that a device deleted and saved again before the broker learned of it: until when the
  /// device did not have it. The device may have ignored notifications up to then.
  private var unwanted: [Wanting: Int] = [:]
  private var withdrawn: Set<Wanting> = []
  private var forms: [SubscriptionID: SubscriptionForm] = [:]
  private var receivers: Set<DeviceID> = []
  private var newest: [RecordID: Change] = [:]
  private var order = 0
  /// One-time subscriptions that a request in several zones matched. Zones have no order, so the first change
  /// in any of the zones may be the one that the broker reported.
  private var spent: [SubscriptionID: ZoneID] = [:]
  private var once: Set<Once> = []

  private struct Once: Hashable {
    let subscription: SubscriptionID
    let order: Int
  }

  private struct Wanting: Hashable {
    let device: Int
    let subscription: SubscriptionID
  }

  /// Records that a device deleted a subscription. The broker may not learn of it.
  mutating func withdraw(_ id: SubscriptionID, device: Int) {
    withdrawn.insert(Wanting(device: device, subscription: id))
  }

  /// Records that a device saved a subscription, which it may have deleted before.
  mutating func want(_ id: SubscriptionID, device: Int) {
    let wanting = Wanting(device: device, subscription: id)
    if withdrawn.remove(wanting) != nil { unwanted[wanting] = order }
  }

  /// Whether the device may have ignored the notification, because it did not have the subscription then.
  func mayBeUnwanted(_ notification: Notification, _ order: Int, device: Int) -> Bool {
    let wanting = Wanting(device: device, subscription: notification.subscription)
    return withdrawn.contains(wanting) || unwanted[wanting] ?? 0 >= order
  }

  /// Whether the subscription reports only one of its matches in this request.
  func isReportedOnce(_ notification: Notification, _ order: Int) -> Bool {
    once.contains(Once(subscription: notification.subscription, order: order))
  }

  /// Records what the store did for a request, in commit order.
  mutating func take(_ request: StorageRequest, _ result: StorageResult) throws {
    order += 1
    switch (request, result) {
    case (.client(.modify, _), .client(.modified(_, let effects), _)):
      try take(effects)
    case (.maintain(.cascades), .maintained(let result)):
      if let effects = result.effects(of: .cascades) { try take(effects) }
    case (
      .client(.saveSubscription(let form), let context),
      .client(.answered(.subscriptionSaved, _), _)
    ):
      receivers.insert(context.identity.device)
      guard forms[form.id] != form else { return }
      forms[form.id] = form
      changed[form.id] = order
    case (.client(.deleteSubscription(let id), _), .client(.answered(.subscriptionDeleted, _), _)):
      guard forms.removeValue(forKey: id) != nil else { return }
      changed[id] = order
    case (.client(.followNotifications, let context), .client(.following, _)):
      receivers.insert(context.identity.device)
    default: break
    }
  }

  private mutating func take(_ effects: CommitEffects) throws {
    for commit in effects.zones {
      for change in commit.changes {
        try notify(change, in: commit.zone.id, by: change.modified.origin.device)
      }
    }
    for id in spent.keys { forms[id] = nil }
    spent = [:]
  }

  private mutating func notify(_ change: Change, in zone: ZoneID, by writer: DeviceID) throws {
    let id = RecordID(zone: zone, name: change.name)
    let old = newest[id].flatMap { $0.kind == .saved ? $0 : nil }
    newest[id] = change
    let new = change.kind == .saved ? change : nil
    for form in forms.values where spent[form.id] != zone {
      guard let reason = try Self.reason(form, old, new), form.options.covers(reason) else {
        continue
      }
      let devices = receivers.filter {
        (form.device ?? $0) == $0 && (form.includesOwnChanges || $0 != writer)
      }
      let notification = Notification(
        subscription: form.id, reason: reason, record: id, tag: change.tag)
      for device in devices { expected[device, default: []].append((notification, order)) }
      guard form.firesOnce, !devices.isEmpty else { continue }
      spent[form.id] = zone
      once.insert(Once(subscription: form.id, order: order))
    }
  }

  private static func reason(
    _ form: SubscriptionForm, _ old: Change?, _ new: Change?
  ) throws -> MatchReason? {
    let before = try old.map { try SubscriptionSource.holds(form, for: $0) } ?? false
    let after = try new.map { try SubscriptionSource.holds(form, for: $0) } ?? false
    switch (old != nil, new != nil, before, after) {
    case (false, true, _, true): return .created
    case (true, true, true, true): return .updated
    case (true, true, false, true): return .entered
    case (true, true, true, false): return .left
    case (true, false, true, _): return .deleted
    default: return nil
    }
  }
}

extension FiringOptions {
  fileprivate func covers(_ reason: MatchReason) -> Bool {
    switch reason {
    case .created: contains(.creation)
    case .updated, .entered, .left: contains(.update)
    case .deleted: contains(.deletion)
    }
  }
}

/// The subscriptions in a simulated world: a few predicates, each with an equivalent closure.
enum SubscriptionSource {
  private static let contact = RecordType(stored: "Contact")

  private static let conditions: [(text: String, holds: @Sendable (Fields) -> Bool)] = [
    ("TRUEPREDICATE", { _ in true }),
    ("firstName BEGINSWITH '1'", { text($0, "firstName")?.hasPrefix("1") ?? false }),
    ("NOT company ENDSWITH '7'", { !(text($0, "company")?.hasSuffix("7") ?? false) }),
    (
      "lastName != nil AND firstName == nil",
      { $0["lastName"] != nil && $0["firstName"] == nil }
    ),
    (
      "company CONTAINS '2' OR lastName LIKE '0-*5'",
      { fields in
        let company = text(fields, "company")?.contains("2") ?? false
        let last = text(fields, "lastName")
        return company || (last.map { $0.hasPrefix("0-") && $0.hasSuffix("5") } ?? false)
      }
    ),
  ]

  private static func text(_ fields: Fields, _ key: FieldKey) -> String? {
    if case .string(let text) = fields[key] { text } else { nil }
  }

  /// Whether the subscription's condition holds for a saved record.
  static func holds(_ form: SubscriptionForm, for change: Change) throws -> Bool {
    switch form.kind {
    case .query(let type, let predicate, _):
      guard type == change.type,
        let condition = conditions.first(where: { $0.text == predicate.text })
      else { return false }
      return condition.holds(try change.record.fields())
    case .zone(_, let type), .database(let type): return type.map { $0 == change.type } ?? true
    }
  }

  /// Returns a random subscription.
  static func next(generator: inout SimulationGenerator) -> SubscriptionForm {
    let condition = conditions[generator.below(conditions.count)]
    let options: FiringOptions = [
      [.creation, .update, .deletion], [.creation], [.update], [.creation, .deletion],
    ][generator.below(4)]
    var notification = NotificationForm()
    notification.title = "{firstName}"
    notification.raisesBadge = generator.happens(percent: 50)
    return SubscriptionForm(
      id: SubscriptionID(stored: "s\(generator.below(5))"),
      kind: generator.happens(percent: 20)
        ? .database(type: generator.happens(percent: 50) ? nil : contact)
        : .query(type: contact, predicate: PredicateText(condition.text), zone: nil),
      options: options, firesOnce: generator.happens(percent: 15),
      includesOwnChanges: generator.happens(percent: 20), notification: notification)
  }
}

extension World {
  /// Saves or deletes a subscription on a device.
  mutating func subscribe() throws {
    let index = generator.below(devices.count)
    let form = SubscriptionSource.next(generator: &generator)
    do {
      let isWanted = !generator.happens(percent: 20)
      let actions =
        isWanted
        ? try devices[index].replica.subscribe(
          form, forThisDevice: generator.happens(percent: 20), command: nil, now: now)
        : try devices[index].replica.unsubscribe(form.id, now: now)
      try perform(actions, of: index)
      if isWanted {
        delivery.want(form.id, device: index)
      } else {
        delivery.withdraw(form.id, device: index)
      }
    } catch let error as RecordsError {
      // The device has no subscription with this id.
      guard error.code == .unknownItem else { throw error }
    }
  }
}

extension Checkers {
  /// I10: a device received the notifications of its subscriptions, each once and in order. Only
  /// notifications that the account no longer wants or may no longer see can be missing.
  /// - Returns: the number of notifications received.
  func checkNotifications(_ device: SimulatedDevice, _ delivery: DeliveryHistory) throws -> Int {
    let list = try device.replica.reader.notifications(after: 0, limit: 10_000).notifications
    let received = try list.compactMap { view -> DeliveryHistory.Notification? in
      if case .rejectedDeletion = view.subject { return nil }
      guard let change = view.change else {
        throw InvariantViolation("I10", "device \(device.index) received a collapsed notification")
      }
      return DeliveryHistory.Notification(
        subscription: view.subscription, reason: change.reason,
        record: RecordID(zone: owned(change.record.zone), name: change.record.name),
        tag: change.tag)
    }
    let due = try device.replica.reader.status().device.flatMap { delivery.expected[$0] } ?? []
    let orders = Dictionary(
      due.map { ($0.notification, $0.order) }, uniquingKeysWith: { first, _ in first })
    var last = (order: 0, tags: [ZoneID: Revision]())
    for one in received {
      guard let order = orders[one] else {
        throw InvariantViolation(
          "I10", "device \(device.index) received \(one), which was not expected")
      }
      if order > last.order { last = (order, [:]) }
      guard order == last.order, one.tag >= last.tags[one.record.zone] ?? .zero else {
        throw InvariantViolation("I10", "device \(device.index) received \(one) out of order")
      }
      last.tags[one.record.zone] = one.tag
    }
    let oneTimeKeys = received.filter { delivery.isReportedOnce($0, orders[$0] ?? 0) }
      .map { "\($0.subscription) \(orders[$0] ?? 0)" }
    guard Set(received).count == received.count, Set(oneTimeKeys).count == oneTimeKeys.count else {
      throw InvariantViolation("I10", "device \(device.index) received a notification twice")
    }
    let distinct = Set(received)
    // A received notification may have been deleted since, like any other.
    let accountedFor = due.filter {
      distinct.contains($0.notification) || isForgotten($0.notification, $0.order, delivery)
    }
    for (one, order) in due
    where !distinct.contains(one) && !isForgotten(one, order, delivery)
      && !delivery.mayBeUnwanted(one, order, device: device.index)
    {
      let isReportedElsewhere = accountedFor.contains {
        $0.notification.subscription == one.subscription && $0.order == order
      }
      if isReportedElsewhere, delivery.isReportedOnce(one, order) { continue }
      throw InvariantViolation("I10", "device \(device.index) did not receive \(one)")
    }
    return received.count
  }

  /// Whether the notification may be missing: its subscription was replaced or deleted, its group was
  /// deleted, or what the device knew of the record was erased.
  private func isForgotten(
    _ notification: DeliveryHistory.Notification, _ order: Int, _ delivery: DeliveryHistory
  ) -> Bool {
    if delivery.changed[notification.subscription] ?? 0 > order { return true }
    if let through = history.deletedThrough[notification.record.zone], notification.tag <= through {
      return true
    }
    // A record whose tombstone expired may have been erased, because nothing says who deleted it.
    if history.hasExpiredTombstones,
      history.wasDeleted(notification.record, since: notification.tag)
    {
      return true
    }
    // Emptying the trash erases what the device knew of a record. This includes a record whose deletion on
    // the device lost to an edit elsewhere, so that the broker never deleted it.
    let erased = history.erased[notification.record.zone] ?? .zero
    if notification.tag <= erased { return true }
    // A device that deleted a record which another had deleted does not know the tag of that deletion. It takes the
    // lowest possible one, so that what was erased elsewhere does not stay here.
    return history.wasDeleted(notification.record, since: notification.tag)
      && history.wasSaved(notification.record, before: erased)
  }
}
