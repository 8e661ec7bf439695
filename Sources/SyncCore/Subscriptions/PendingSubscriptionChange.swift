// Sends subscriptions that were saved or deleted on this device. A change is sent until it is answered, and the
// subscription's next change only after that, so the broker receives the newest change of a subscription last. A
// change that is sent twice has the same effect, because the subscription has an id.

import Records

/// A subscription that was saved or deleted on this device and that the broker has not confirmed.
package struct PendingSubscriptionChange: Hashable, Sendable {
  /// The subscription.
  package let id: SubscriptionID
  /// The subscription to save; `nil` to delete it.
  package let form: SubscriptionForm?
  /// Distinguishes the change from a later one of the same subscription.
  package let generation: Int64

  package init(id: SubscriptionID, form: SubscriptionForm?, generation: Int64) {
    self.id = id
    self.form = form
    self.generation = generation
  }

  var message: ClientMessage {
    form.map { .saveSubscription($0) } ?? .deleteSubscription(id)
  }
}

/// The pending changes that were sent and not answered.
struct SubscriptionRequests: Sendable {
  /// The maximum number of unanswered changes. More would only wait at the broker instead of on this device.
  static let underWayMaximum = 16

  /// The unanswered changes, by the correlation numbers of their messages.
  var underWay: [UInt64: PendingSubscriptionChange] = [:]
  /// Whether the store may have changes that were not sent.
  var mayHaveMore = true
  /// Whether the broker rejected a change for a temporary reason, or does not support subscriptions.
  var isHoldingBack = false
  var backoff = Backoff()

  /// Forgets the unanswered changes, because the connection ended.
  mutating func reset() {
    underWay = [:]
    mayHaveMore = true
    isHoldingBack = false
  }
}

extension SyncMachine {
  /// Whether pending subscription changes can be sent now, and the store may have some.
  package var looksForSubscriptionChanges: Bool {
    conversation.isReady && subscriptions.mayHaveMore && !subscriptions.isHoldingBack
      && subscriptions.underWay.count < SubscriptionRequests.underWayMaximum
  }

  /// The maximum number of changes to load from the store. Unanswered ones may be among them.
  package static let subscriptionChangesPerLook = 2 * SubscriptionRequests.underWayMaximum

  /// Records that a subscription was saved or deleted on this device.
  package mutating func subscriptionsChanged() {
    subscriptions.mayHaveMore = true
  }

  /// Sends pending changes, oldest first. Unanswered ones may be among them and are skipped.
  package mutating func send(_ changes: [PendingSubscriptionChange]) -> [SyncStep] {
    guard looksForSubscriptionChanges else { return [] }
    var busy = Set(subscriptions.underWay.values.map(\.id))
    var steps: [SyncStep] = []
    for change in changes where busy.insert(change.id).inserted {
      guard subscriptions.underWay.count < SubscriptionRequests.underWayMaximum else { break }
      let id = freshID()
      subscriptions.underWay[id] = change
      steps.append(.send(id: id, change.message))
    }
    subscriptions.mayHaveMore = false
    return steps
  }

  /// Handles the confirmation of a change.
  mutating func confirmedSubscriptionChange(_ replyTo: UInt64) -> [SyncStep] {
    guard let change = subscriptions.underWay.removeValue(forKey: replyTo) else { return [] }
    subscriptions.mayHaveMore = true
    subscriptions.backoff.reset()
    return [.store(.subscriptionAccepted(change))]
  }

  /// Handles the rejection of a change. Returns `nil` if the broker rejected another message.
  mutating func refusedSubscriptionChange(
    _ error: RecordsError, replyTo: UInt64, using generator: inout some RandomNumberGenerator
  ) -> [SyncStep]? {
    guard let change = subscriptions.underWay.removeValue(forKey: replyTo) else { return nil }
    subscriptions.mayHaveMore = true
    switch error.code {
    case .notAuthenticated: return hangUp(because: error, using: &generator)
    case .internalError: return deferSubscriptionChanges(error, using: &generator)
    case _ where error.code.isTransient: return deferSubscriptionChanges(error, using: &generator)
    default: return [.store(.subscriptionRejected(change, error))]
    }
  }

  private mutating func deferSubscriptionChanges(
    _ error: RecordsError, using generator: inout some RandomNumberGenerator
  ) -> [SyncStep] {
    subscriptions.isHoldingBack = true
    let drawn = subscriptions.backoff.nextMilliseconds(using: &generator)
    let asked = (error.retryAfterSeconds ?? 0) * 1000
    return [.wait(.subscriptions, milliseconds: max(drawn, asked))]
  }

  /// Returns the subscription with the id that its zone has on this device.
  func relative(_ form: SubscriptionForm) -> SubscriptionForm {
    let kind: SubscriptionForm.Kind =
      switch form.kind {
      case .query(let type, let predicate, let zone):
        .query(type: type, predicate: predicate, zone: zone.map(relative))
      case .zone(let zone, let type): .zone(relative(zone), type: type)
      case .database: form.kind
      }
    return SubscriptionForm(
      id: form.id, device: form.device, database: form.database, kind: kind,
      options: form.options, firesOnce: form.firesOnce,
      includesOwnChanges: form.includesOwnChanges, notification: form.notification)
  }
}
