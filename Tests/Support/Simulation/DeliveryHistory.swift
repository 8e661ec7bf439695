// What subscriptions ought to tell, worked out afresh from what was committed: every change is asked of
// every subscription that holds at that moment, by a few lines of Swift and not by the index. What the
// devices were told is compared with it (I10).

import BrokerCore
import DeviceStore
import Records

/// What every device is to be told, in order.
struct DeliveryHistory {
  /// One thing that one subscription tells one device.
  struct Told: Hashable {
    let subscription: SubscriptionID
    let reason: MatchReason
    let record: RecordID
    let tag: Revision
  }

  /// `order` is that of the requests. What one request did is told in the order of its revisions
  /// within a zone; between its zones there is none.
  private(set) var expected: [DeviceID: [(told: Told, order: Int)]] = [:]
  /// When a subscription was last replaced or deleted: what it told before may not have come.
  private(set) var changed: [SubscriptionID: Int] = [:]
  /// Until when a device did not want a subscription that it then saved again, so that the broker
  /// never heard of it: what came meanwhile was for nobody.
  private var unwanted: [Wanting: Int] = [:]
  private var withdrawn: Set<Wanting> = []
  private var forms: [SubscriptionID: SubscriptionForm] = [:]
  private var receivers: Set<DeviceID> = []
  private var newest: [RecordID: Change] = [:]
  private var order = 0
  /// Subscriptions for once that a request in several zones met: between zones there is no order, so
  /// any of the first changes that each zone has for it may be the one that it told.
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

  /// A device no longer wants a subscription; whether the broker hears of it shows later.
  mutating func withdraw(_ id: SubscriptionID, device: Int) {
    withdrawn.insert(Wanting(device: device, subscription: id))
  }

  /// A device wants a subscription, which it may have withdrawn before.
  mutating func want(_ id: SubscriptionID, device: Int) {
    let wanting = Wanting(device: device, subscription: id)
    if withdrawn.remove(wanting) != nil { unwanted[wanting] = order }
  }

  /// Whether a device may have left out what was told then, because it did not want it.
  func mayBeUnwanted(_ told: Told, _ order: Int, device: Int) -> Bool {
    let wanting = Wanting(device: device, subscription: told.subscription)
    return withdrawn.contains(wanting) || unwanted[wanting] ?? 0 >= order
  }

  /// Whether of all that a subscription was to tell of this request only one thing is told.
  func isToldOnce(_ told: Told, _ order: Int) -> Bool {
    once.contains(Once(subscription: told.subscription, order: order))
  }

  /// Takes up what the store did for a request, in the order it did it.
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
        try tell(change, in: commit.zone.id, by: change.modified.origin.device)
      }
    }
    for id in spent.keys { forms[id] = nil }
    spent = [:]
  }

  private mutating func tell(_ change: Change, in zone: ZoneID, by writer: DeviceID) throws {
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
      let told = Told(subscription: form.id, reason: reason, record: id, tag: change.tag)
      for device in devices { expected[device, default: []].append((told, order)) }
      guard form.firesOnce, !devices.isEmpty else { continue }
      spent[form.id] = zone
      once.insert(Once(subscription: form.id, order: order))
    }
  }

  private static func reason(
    _ form: SubscriptionForm, _ old: Change?, _ new: Change?
  ) throws -> MatchReason? {
    let before = try old.map { try Wish.holds(form, for: $0) } ?? false
    let after = try new.map { try Wish.holds(form, for: $0) } ?? false
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

/// What people subscribe to in a simulated world: few conditions, each with its meaning beside it.
enum Wish {
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

  /// Whether the form's condition holds for a record that is there.
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

  /// A subscription somebody may want.
  static func next(dice: inout Dice) -> SubscriptionForm {
    let condition = conditions[dice.below(conditions.count)]
    let options: FiringOptions = [
      [.creation, .update, .deletion], [.creation], [.update], [.creation, .deletion],
    ][dice.below(4)]
    var notification = NotificationForm()
    notification.title = "{firstName}"
    notification.raisesBadge = dice.happens(percent: 50)
    return SubscriptionForm(
      id: SubscriptionID(stored: "s\(dice.below(5))"),
      kind: dice.happens(percent: 20)
        ? .database(type: dice.happens(percent: 50) ? nil : contact)
        : .query(type: contact, predicate: PredicateText(condition.text), zone: nil),
      options: options, firesOnce: dice.happens(percent: 15),
      includesOwnChanges: dice.happens(percent: 20), notification: notification)
  }
}

extension World {
  /// Somebody wants to be told of something, or no longer.
  mutating func subscribe() throws {
    let index = dice.below(devices.count)
    let form = Wish.next(dice: &dice)
    do {
      let isWanted = !dice.happens(percent: 20)
      let actions =
        isWanted
        ? try devices[index].replica.subscribe(
          form, forThisDevice: dice.happens(percent: 20), command: nil, now: now)
        : try devices[index].replica.unsubscribe(form.id, now: now)
      try perform(actions, of: index)
      if isWanted {
        delivery.want(form.id, device: index)
      } else {
        delivery.withdraw(form.id, device: index)
      }
    } catch let error as RecordsError {
      // There is none of that name.
      guard error.code == .unknownItem else { throw error }
    }
  }
}

extension Checkers {
  /// I10: what a device was told is what its subscriptions ask for, each once and in order, and
  /// nothing is left out but what nobody wants or may see any more.
  /// - Returns: how much it was told.
  func wasToldAll(_ device: SimulatedDevice, _ delivery: DeliveryHistory) throws -> Int {
    let list = try device.replica.reader.notifications(after: 0, limit: 10_000).notifications
    let told = try list.map { view -> DeliveryHistory.Told in
      guard let change = view.change else {
        throw InvariantViolation("I10", "device \(device.index) was told of a fold")
      }
      return DeliveryHistory.Told(
        subscription: view.subscription, reason: change.reason,
        record: RecordID(zone: owned(change.record.zone), name: change.record.name),
        tag: change.tag)
    }
    let due = try device.replica.reader.status().device.flatMap { delivery.expected[$0] } ?? []
    let orders = Dictionary(
      due.map { ($0.told, $0.order) }, uniquingKeysWith: { first, _ in first })
    var last = (order: 0, tags: [ZoneID: Revision]())
    for one in told {
      guard let order = orders[one] else {
        throw InvariantViolation("I10", "device \(device.index) was told \(one), which is not so")
      }
      if order > last.order { last = (order, [:]) }
      guard order == last.order, one.tag >= last.tags[one.record.zone] ?? .zero else {
        throw InvariantViolation("I10", "device \(device.index) was told \(one) too late")
      }
      last.tags[one.record.zone] = one.tag
    }
    let onces = told.filter { delivery.isToldOnce($0, orders[$0] ?? 0) }
      .map { "\($0.subscription) \(orders[$0] ?? 0)" }
    guard Set(told).count == told.count, Set(onces).count == onces.count else {
      throw InvariantViolation("I10", "device \(device.index) was told something twice")
    }
    let heard = Set(told)
    // What it told may have been forgotten since, like everything else.
    let toldOnce = due.filter {
      heard.contains($0.told) || isForgotten($0.told, $0.order, delivery)
    }
    for (one, order) in due
    where !heard.contains(one) && !isForgotten(one, order, delivery)
      && !delivery.mayBeUnwanted(one, order, device: device.index)
    {
      let isToldElse = toldOnce.contains {
        $0.told.subscription == one.subscription && $0.order == order
      }
      if isToldElse, delivery.isToldOnce(one, order) { continue }
      throw InvariantViolation("I10", "device \(device.index) was not told \(one)")
    }
    return told.count
  }

  /// Whether nobody needs to be told any more: the subscription is another one or gone, or the
  /// group is, or what is known of the record was erased.
  private func isForgotten(
    _ told: DeliveryHistory.Told, _ order: Int, _ delivery: DeliveryHistory
  ) -> Bool {
    if delivery.changed[told.subscription] ?? 0 > order { return true }
    if history.deletedZones.contains(told.record.zone) { return true }
    // A record found missing, with no tombstone left to say who deleted it, may have been erased.
    if history.hasReaped, history.wasDeleted(told.record, since: told.tag) { return true }
    // An emptied trash takes with it what was known of a record, on a device also of one whose
    // deletion there lost to an edit elsewhere, so that the broker never saw it deleted.
    return told.tag <= history.erased[told.record.zone] ?? .zero
  }
}
