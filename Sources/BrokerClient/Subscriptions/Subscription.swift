// Wishes to be told of changes: of records for which a predicate holds, of a zone, of a database.

import Records

/// A wish to be told of changes. CloudKit: `CKQuerySubscription`, `CKRecordZoneSubscription` and
/// `CKDatabaseSubscription`, as one type.
public struct Subscription: Hashable, Sendable, Identifiable {
  /// What it looks at.
  public enum Kind: Hashable, Sendable {
    /// Records of a type for which a predicate holds, in one zone or, with `nil`, in the whole
    /// database. `now()` is refused in it. CloudKit: `CKQuerySubscription`.
    case query(Query, inZone: ZoneID?)
    /// Everything in a zone, or everything of one type. CloudKit: `CKRecordZoneSubscription`.
    case zone(ZoneID, recordType: String?)
    /// Everything in the database, or everything of one type. CloudKit: `CKDatabaseSubscription`.
    case database(recordType: String?)
  }

  /// Which changes are told; at least one.
  public struct Options: OptionSet, Hashable, Sendable {
    /// The bits.
    public let rawValue: UInt8

    /// The options of these bits.
    public init(rawValue: UInt8) {
      self.rawValue = rawValue
    }

    /// A record that matches is made.
    public static let firesOnRecordCreation = Options(rawValue: 1)
    /// A record that matches, or did before, is changed.
    public static let firesOnRecordUpdate = Options(rawValue: 2)
    /// A record that matches is deleted.
    public static let firesOnRecordDeletion = Options(rawValue: 4)
    /// All three.
    public static let all: Options = [
      .firesOnRecordCreation, .firesOnRecordUpdate, .firesOnRecordDeletion,
    ]
  }

  /// Its name among the account's. Saving another of the same name replaces it. CloudKit:
  /// `subscriptionID`.
  public var id: String
  /// What it looks at.
  public var kind: Kind
  /// Which changes are told.
  public var options: Options
  /// Whether it is gone after it was told once.
  public var firesOnce = false
  /// Whether the device that made a change is told of it as well; CloudKit has no such choice.
  public var includesOwnChanges = false
  /// Whether it is for the device that saves it alone, and not for all of the account's.
  public var belongsToThisDevice = false
  /// What is told.
  public var notification = NotificationContent()
  /// Why the broker switched it off, until it is saved again; `nil` while it works.
  public private(set) var failure: RecordError?

  /// A subscription; it works once it is saved.
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
    failure = state.failure.map { RecordError($0) }
  }

  func form(in scope: DatabaseScope, device: DeviceID) throws(RecordError) -> SubscriptionForm {
    SubscriptionForm(
      id: try Self.checkedID(id), device: belongsToThisDevice ? device : nil,
      database: scope.stored, kind: try kind.stored(in: scope),
      options: FiringOptions(rawValue: options.rawValue), firesOnce: firesOnce,
      includesOwnChanges: includesOwnChanges, notification: try notification.form())
  }

  static func checkedID(_ id: String) throws(RecordError) -> SubscriptionID {
    try RecordError.translating { () throws(RecordsError) in try SubscriptionID(id) }
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
  ) throws(RecordError) -> SubscriptionForm.Kind {
    switch self {
    case .query(let query, let zone):
      return .query(
        type: try RecordType(checking: query.recordType), predicate: try query.predicateText(),
        zone: scope == .public && zone == .standard ? nil : zone?.stored)
    case .zone(let zone, let type): return .zone(zone.stored, type: try Self.checked(type))
    case .database(let type): return .database(type: try Self.checked(type))
    }
  }

  private static func checked(_ type: String?) throws(RecordError) -> RecordType? {
    guard let type else { return nil }
    return try RecordType(checking: type)
  }
}
