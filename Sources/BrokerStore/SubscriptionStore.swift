import BrokerCore
import Records

/// Reads of subscriptions and notifications, which run concurrently with the transactions.
package protocol SubscriptionStore: Sendable {
  /// Returns the account's subscriptions after an id, by id. A page is limited in number and bytes; `isWhole`
  /// says that nothing follows.
  func subscriptions(
    after id: SubscriptionID?, of identity: SessionIdentity
  ) throws -> (states: [SubscriptionState], isWhole: Bool)

  /// Returns a page of a device's notifications.
  func notifications(_ read: NotificationRead) throws -> NotificationBatch
}

/// Changes to subscriptions, inside a transaction. Matching subscriptions are notified in the transaction
/// that changes the record.
package protocol SubscriptionTransaction {
  /// Decides whether a subscription can be saved.
  func plan(
    _ form: SubscriptionForm, of identity: SessionIdentity
  ) throws -> SubscriptionPlan

  /// Saves a subscription and replaces the one with the same id. It is notified of all later changes,
  /// including those of the same transaction.
  func save(
    _ form: SubscriptionForm, of identity: SessionIdentity, at now: Timestamp
  ) throws -> CommitEffects

  /// Registers the device for notifications, if it is not registered. It receives those that follow.
  func receive(_ identity: SessionIdentity, at now: Timestamp) throws -> CommitEffects

  /// Deletes a subscription, if it exists, and its pending notifications.
  func delete(_ id: SubscriptionID, of identity: SessionIdentity) throws -> CommitEffects

  /// Acknowledges the device's notifications up to `position`. Returns where delivery starts.
  func follow(
    from position: NotificationNumber, as identity: SessionIdentity, at now: Timestamp
  ) throws -> NotificationStart
}
