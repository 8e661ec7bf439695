// What somebody wants to be told: which changes, of what, and in what words. Saved by id; saving
// again replaces. Checked once, when it is stored, so that whatever is in the database can be put
// into the index; what a person gets wrong is told with the field, in a predicate with the column.

import Predicates
import Records

/// A wish to be told of changes.
package struct Subscription: Hashable, Sendable {
  /// Whose it is.
  package enum Owner: Hashable, Sendable {
    /// All devices of the account.
    case account
    /// One of them.
    case device(DeviceID)
  }

  /// What it looks at.
  package enum Kind: Hashable, Sendable {
    /// Records of a type for which a predicate holds, in one zone or in the whole database.
    case query(type: RecordType, predicate: Predicate, zone: ZoneID?)
    /// Everything in a zone, or everything of one type in it.
    case zone(ZoneID, type: RecordType?)
    /// Everything in the database, or everything of one type in it.
    case database(type: RecordType?)
  }

  /// Its name.
  package let id: SubscriptionID
  /// Whose it is.
  package let owner: Owner
  /// The database.
  package let database: DatabaseScope
  /// What it looks at.
  package let kind: Kind
  /// Which changes are told.
  package let options: FiringOptions
  /// Whether it is gone after it was told once.
  package let firesOnce: Bool
  /// Whether the device that made a change is told as well.
  package let includesOwnChanges: Bool
  /// What is told.
  package let notification: NotificationContent

  /// A subscription that keeps to the rules.
  /// - Throws: `invalidArguments` or `limitExceeded` with the field that breaks one.
  package init(
    id: SubscriptionID, owner: Owner = .account, database: DatabaseScope = .private, kind: Kind,
    options: FiringOptions = [.creation, .update, .deletion], firesOnce: Bool = false,
    includesOwnChanges: Bool = false, notification: NotificationContent = NotificationContent()
  ) throws(RecordsError) {
    guard !options.isEmpty, options.rawValue < 8 else {
      throw .invalid(
        "A subscription tells of records made, changed or deleted: say which.", field: "options")
    }
    if case .query(_, let predicate, _) = kind, predicate.usesNow {
      throw .invalid(
        "A subscription's predicate is asked at no particular moment, so now() has no meaning.",
        field: "predicate")
    }
    if database == .public {
      guard case .query(_, _, nil) = kind else {
        throw .invalid(
          "The public database has no zones and no feed: only queries can be subscribed to.",
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

  /// The predicate that decides: that of a query, or one that always holds.
  package var predicate: Predicate {
    if case .query(_, let predicate, _) = kind { predicate } else { .constant(true) }
  }

  /// The type of record it asks for; `nil` for every type.
  package var type: RecordType? {
    switch kind {
    case .query(let type, _, _): type
    case .zone(_, let type), .database(let type): type
    }
  }

  /// Where an index files it, for its owner's account.
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
