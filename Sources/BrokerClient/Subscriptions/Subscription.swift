// A subscription to changes: of the records that match a predicate, of a zone, or of a database.

import Records

/// A subscription to changes. The broker notifies the account's devices of each matching change.
///
/// CloudKit: `CKQuerySubscription`, `CKRecordZoneSubscription` and `CKDatabaseSubscription`, as one type.
public struct Subscription: Hashable, Sendable, Identifiable {
  /// The records that a subscription covers.
  public enum Kind: Hashable, Sendable {
    /// The records that match a query, in one zone or, with `nil`, in the whole database. The predicate
    /// cannot use `now()`. CloudKit: `CKQuerySubscription`.
    case query(Query, inZone: ZoneID?)
    /// All records of a zone, or those of one type. CloudKit: `CKRecordZoneSubscription`.
    case zone(ZoneID, recordType: String?)
    /// All records of the database, or those of one type. CloudKit: `CKDatabaseSubscription`.
    case database(recordType: String?)
  }

  /// The kinds of changes that cause notifications, at least one.
  public struct Options: OptionSet, Hashable, Sendable {
    /// The options as bits.
    public let rawValue: UInt8

    /// Creates options from bits.
    public init(rawValue: UInt8) {
      self.rawValue = rawValue
    }

    /// A matching record is created.
    public static let firesOnRecordCreation = Options(rawValue: 1)
    /// A record that matches, or matched before, is changed.
    public static let firesOnRecordUpdate = Options(rawValue: 2)
    /// A matching record is deleted.
    public static let firesOnRecordDeletion = Options(rawValue: 4)
    /// All three options.
    public static let all: Options = [
      .firesOnRecordCreation, .firesOnRecordUpdate, .firesOnRecordDeletion,
    ]
  }

  /// The subscription's id, unique in the account. Saving a subscription replaces the one with the same
  /// id. CloudKit: `subscriptionID`.
  public var id: String
  /// The records that the subscription covers.
  public var kind: Kind
  /// The kinds of changes that cause notifications.
  public var options: Options
  /// Whether the broker deletes the subscription after its first notification.
  public var firesOnce = false
  /// Whether the device that made a change is notified too. CloudKit has no equivalent.
  public var includesOwnChanges = false
  /// Whether only the device that saves the subscription is notified, not all devices of the account.
  public var belongsToThisDevice = false
  /// The content of the notifications.
  public var notification = NotificationContent()
  /// The reason for which the broker switched the subscription off; `nil` while it is active. Save the
  /// subscription to activate it again.
  public private(set) var failure: RecordsError?

  /// Creates a subscription in memory. Save it to activate it.
  public init(id: String, _ kind: Kind, options: Options = .all) {
    self.id = id
    self.kind = kind
    self.options = options
  }

  init?(_ state: SubscriptionState, account: AccountID) {
    guard let form = state.form else { return nil }
    id = state.id.text
    kind = Kind(form.kind, account: account)
    options = Options(rawValue: form.options.rawValue)
    firesOnce = form.firesOnce
    includesOwnChanges = form.includesOwnChanges
    belongsToThisDevice = form.device != nil
    notification = NotificationContent(form.notification)
    failure = state.failure.map { $0 }
  }

  func form(in scope: DatabaseScope, device: DeviceID) throws(RecordsError) -> SubscriptionForm {
    SubscriptionForm(
      id: try Self.checkedID(id), device: belongsToThisDevice ? device : nil,
      database: scope, kind: try kind.stored(in: scope),
      options: FiringOptions(rawValue: options.rawValue), firesOnce: firesOnce,
      includesOwnChanges: includesOwnChanges, notification: try notification.form())
  }

  static func checkedID(_ id: String) throws(RecordsError) -> SubscriptionID {
    try SubscriptionID(id)
  }
}

extension Subscription.Kind {
  fileprivate init(_ stored: SubscriptionForm.Kind, account: AccountID) {
    switch stored {
    case .query(let type, let predicate, let zone):
      let query = Query(
        recordType: type.text, predicate: predicate.text,
        arguments: predicate.arguments.map { Value($0) })
      self = .query(query, inZone: zone.map { ZoneID($0, seenBy: account) })
    case .zone(let zone, let type):
      self = .zone(ZoneID(zone, seenBy: account), recordType: type?.text)
    case .database(let type): self = .database(recordType: type?.text)
    }
  }

  fileprivate func stored(
    in scope: DatabaseScope
  ) throws(RecordsError) -> SubscriptionForm.Kind {
    switch self {
    case .query(let query, let zone):
      return .query(
        type: try RecordType(checking: query.recordType), predicate: try query.predicateText(),
        zone: scope == .public && zone == .standard ? nil : zone?.stored)
    case .zone(let zone, let type): return .zone(zone.stored, type: try Self.checked(type))
    case .database(let type): return .database(type: try Self.checked(type))
    }
  }

  private static func checked(_ type: String?) throws(RecordsError) -> RecordType? {
    guard let type else { return nil }
    return try RecordType(checking: type)
  }
}
