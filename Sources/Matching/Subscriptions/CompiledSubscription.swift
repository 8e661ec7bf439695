// A subscription is validated once, when it is saved, so that any stored subscription can be inserted into
// the index. Errors name the field and, within a predicate or template, the column.

import Predicates
import Records

/// A request to be notified of matching changes.
package struct CompiledSubscription: Hashable, Sendable {
  /// The devices that receive a subscription's notifications.
  package enum Owner: Hashable, Sendable {
    /// All devices of the account.
    case account
    /// One device of the account.
    case device(DeviceID)
  }

  /// The records that a subscription matches.
  package enum Kind: Hashable, Sendable {
    /// The records of a type that match a predicate, in one zone or in the whole database.
    case query(type: RecordType, predicate: Predicate, zone: ZoneID?)
    /// All records in a zone, or all of one type.
    case zone(ZoneID, type: RecordType?)
    /// All records in the database, or all of one type.
    case database(type: RecordType?)
  }

  /// The id, by which saving a subscription replaces an earlier one.
  package let id: SubscriptionID
  /// The devices that are notified.
  package let owner: Owner
  /// The database of the records.
  package let database: DatabaseScope
  /// The records that match.
  package let kind: Kind
  /// The kinds of changes that match.
  package let options: FiringOptions
  /// Whether the subscription is deleted after its first notification.
  package let firesOnce: Bool
  /// Whether the device that made a change is also notified of it.
  package let includesOwnChanges: Bool
  /// The content of the notifications.
  package let notification: NotificationTemplates

  /// Creates a valid subscription.
  /// - Throws: `invalidArguments` or `limitExceeded` with the invalid field.
  package init(
    id: SubscriptionID, owner: Owner = .account, database: DatabaseScope = .private, kind: Kind,
    options: FiringOptions = [.creation, .update, .deletion], firesOnce: Bool = false,
    includesOwnChanges: Bool = false, notification: NotificationTemplates = NotificationTemplates()
  ) throws(RecordsError) {
    guard !options.isEmpty, options.rawValue < 8 else {
      throw .invalid(
        "Select at least one of the changes to notify about: creation, update, deletion.",
        field: "options")
    }
    if case .query(_, let predicate, _) = kind, predicate.usesNow {
      throw .invalid(
        "A subscription's predicate cannot use now(), because it is not evaluated at a fixed time.",
        field: "predicate")
    }
    if database == .public {
      guard case .query(_, _, nil) = kind else {
        throw .invalid(
          "In the public database, a subscription must be a query subscription without a zone.",
          field: "kind")
      }
    }
    try notification.validate()
    self.id = id
    self.owner = owner
    self.database = database
    self.kind = kind
    self.options = options
    self.firesOnce = firesOnce
    self.includesOwnChanges = includesOwnChanges
    self.notification = notification
  }

  /// The predicate to evaluate: that of a query, otherwise one that is always true.
  package var predicate: Predicate {
    if case .query(_, let predicate, _) = kind { predicate } else { .constant(true) }
  }

  /// The record type that matches; `nil` for every type.
  package var type: RecordType? {
    switch kind {
    case .query(let type, _, _): type
    case .zone(_, let type), .database(let type): type
    }
  }

  /// Returns the scope in which to insert the subscription into an index, if it belongs to `account`.
  package func scope(for account: AccountID) -> SubscriptionScope {
    switch kind {
    case .query(_, _, let zone?), .zone(let zone, _): .zone(zone.resolved(for: account))
    case .query, .database:
      switch database {
      case .private: .privateDatabase(account)
      case .shared: .sharedDatabase(account)
      case .public: .publicDatabase
      }
    }
  }
}
