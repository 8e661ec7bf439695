// What the broker needs of a database for subscriptions and what they tell. A change of a record, the
// question whom it is told, and the notification itself are one transaction; what absent devices leave
// behind is moved out of the way afterwards, a little at a time.

import BrokerCore
import Records

/// Reads about subscriptions, beside the transactions.
package protocol SubscriptionStore: Sendable {
  /// The account's subscriptions behind an id, by id, some at a time.
  func subscriptions(
    after id: SubscriptionID?, of identity: SessionIdentity
  ) throws -> (states: [SubscriptionState], isWhole: Bool)

  /// A page of a device's notifications.
  func notifications(_ read: NotificationRead) throws -> NotificationBatch
}

/// Changes to subscriptions and notifications, inside a transaction.
package protocol SubscriptionTransaction {
  /// What saving a subscription comes to.
  func plan(
    _ form: SubscriptionForm, of identity: SessionIdentity
  ) throws -> SubscriptionPlan

  /// Saves a subscription in the place of what was kept under its id. It sees the changes that
  /// follow, also those of the same transaction.
  func save(
    _ form: SubscriptionForm, of identity: SessionIdentity, at now: Timestamp
  ) throws -> CommitEffects

  /// Notes that the device wants to be told what its subscriptions tell from here on.
  func receive(_ identity: SessionIdentity, at now: Timestamp) throws -> CommitEffects

  /// Deletes a subscription, if there is one. What it told and was not delivered goes with it.
  func delete(_ id: SubscriptionID, of identity: SessionIdentity) throws -> CommitEffects

  /// Notes up to where the device has its notifications, and says from where it is read on.
  func follow(
    from position: NotificationNumber, as identity: SessionIdentity, at now: Timestamp
  ) throws -> NotificationStart
}
