// Subscriptions that were saved or deleted here and that the broker has still to hear of. A wish is
// sent until it is answered, one at a time for each id, so the last word about an id is the last the
// broker hears; sent twice it means the same, because a subscription goes by its id.

import Records

/// Something the broker is to do with a subscription.
package struct SubscriptionWish: Hashable, Sendable {
  /// The subscription.
  package let id: SubscriptionID
  /// What is to be saved; `nil` deletes it.
  package let form: SubscriptionForm?
  /// Tells a wish from a later one about the same subscription.
  package let generation: Int64

  /// A wish.
  package init(id: SubscriptionID, form: SubscriptionForm?, generation: Int64) {
    self.id = id
    self.form = form
    self.generation = generation
  }

  var message: ClientMessage {
    form.map { .saveSubscription($0) } ?? .deleteSubscription(id)
  }
}

/// The wishes under way.
struct SubscriptionRequests: Sendable {
  /// As many are sent without an answer; more would wait at the broker instead of here.
  static let underWayMaximum = 16

  /// By the numbers of their messages.
  var underWay: [UInt64: SubscriptionWish] = [:]
  /// Whether the store may have wishes that are not under way.
  var mayHaveMore = true
  /// Whether the broker said “not now”, or does not know of subscriptions.
  var isHoldingBack = false
  var backoff = Backoff()

  /// The connection is gone, and with it the answers.
  mutating func reset() {
    underWay = [:]
    mayHaveMore = true
    isHoldingBack = false
  }
}

extension SyncMachine {
  /// Whether wishes can be sent now and there may be some.
  package var looksForWishes: Bool {
    conversation.isReady && subscriptions.mayHaveMore && !subscriptions.isHoldingBack
      && subscriptions.underWay.count < SubscriptionRequests.underWayMaximum
  }

  /// How many wishes to look for: those under way may be among them.
  package static let wishesPerLook = 2 * SubscriptionRequests.underWayMaximum

  /// Something was saved or deleted here.
  package mutating func wishesChanged() {
    subscriptions.mayHaveMore = true
  }

  /// These wait, the oldest first; those under way may be among them.
  package mutating func send(_ wishes: [SubscriptionWish]) -> [SyncStep] {
    guard looksForWishes else { return [] }
    var busy = Set(subscriptions.underWay.values.map(\.id))
    var steps: [SyncStep] = []
    for wish in wishes where busy.insert(wish.id).inserted {
      guard subscriptions.underWay.count < SubscriptionRequests.underWayMaximum else { break }
      let id = freshID()
      subscriptions.underWay[id] = wish
      steps.append(.send(id: id, wish.message))
    }
    subscriptions.mayHaveMore = false
    return steps
  }

  mutating func granted(_ replyTo: UInt64) -> [SyncStep] {
    guard let wish = subscriptions.underWay.removeValue(forKey: replyTo) else { return [] }
    subscriptions.mayHaveMore = true
    subscriptions.backoff.reset()
    return [.store(.subscriptionAccepted(wish))]
  }

  /// The broker refused a wish; `nil` when it was none.
  mutating func refusedWish(
    _ error: RecordsError, replyTo: UInt64, using generator: inout some RandomNumberGenerator
  ) -> [SyncStep]? {
    guard let wish = subscriptions.underWay.removeValue(forKey: replyTo) else { return nil }
    subscriptions.mayHaveMore = true
    switch error.code {
    case .notAuthenticated: return hangUp(because: error, using: &generator)
    case .incompatibleVersion:
      guard !subscriptions.isHoldingBack else { return [] }
      subscriptions.isHoldingBack = true
      return [.report("This broker does not support subscriptions; update the broker.")]
    case .internalError: return holdWishesBack(error, using: &generator)
    case _ where error.code.isTransient: return holdWishesBack(error, using: &generator)
    default: return [.store(.subscriptionRejected(wish, error))]
    }
  }

  private mutating func holdWishesBack(
    _ error: RecordsError, using generator: inout some RandomNumberGenerator
  ) -> [SyncStep] {
    subscriptions.isHoldingBack = true
    let drawn = subscriptions.backoff.nextMilliseconds(using: &generator)
    let asked = (error.retryAfterSeconds ?? 0) * 1000
    return [.wait(.subscriptions, milliseconds: max(drawn, asked))]
  }

  /// The subscription with its zone as this device calls it.
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
