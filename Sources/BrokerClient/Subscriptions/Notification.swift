// The notifications of a device, by ascending number. The program acknowledges the notifications that it has
// handled. After a crash or a restart the broker delivers the remaining ones again.

import FoundationEssentials
import Records

/// A notification about changes that match the account's subscriptions. CloudKit: `CKNotification`.
///
/// CloudKit delivers a notification at most once, and in any order. The broker delivers notifications in
/// order, each at least once, and again until the program acknowledges it.
public enum Notification: Hashable, Sendable {
  /// A record changed. CloudKit: `CKQueryNotification`.
  case changed(RecordNotification)
  /// The broker replaced several notifications by this one, because too many were pending.
  case collapsed(CollapsedNotifications)

  /// The number to acknowledge after this notification and all earlier ones were handled.
  public var number: NotificationNumber {
    switch self {
    case .changed(let notification): notification.number
    case .collapsed(let notifications): notifications.last
    }
  }
}

/// A notification about one change of one record.
public struct RecordNotification: Hashable, Sendable {
  /// The notification's number. The broker numbers the notifications of all devices together, so one
  /// device's numbers rise with gaps.
  public let number: NotificationNumber
  /// The id of the changed record. Fetching it returns the state after this change or a later one.
  public let recordID: RecordID
  /// The database of the record. CloudKit: `databaseScope`.
  public let database: DatabaseScope
  /// The type of the record.
  public let recordType: String
  /// The time of the change.
  public let date: Date
  /// The user that made the change.
  public let userID: UserID
  /// The device that made the change, 32 hexadecimal digits.
  public let device: String
  /// The subscriptions that matched the change, each once.
  public let firings: [Firing]

  init(_ stored: ChangeNotification, account: AccountID) throws(RecordsError) {
    number = stored.number
    recordID = RecordID(
      recordName: stored.record.name.text,
      zoneID: ZoneID(stored.record.zone, seenBy: account))
    database = stored.database
    recordType = stored.type.text
    date = Date(stored.modified.time)
    userID = UserID(stored.modified.origin.account)
    device = stored.modified.origin.device.description
    var firings: [Firing] = []
    for firing in stored.firings { firings.append(try Firing(firing)) }
    self.firings = firings
  }
}

/// A subscription that matched a change, and the content that it adds to the notification.
public struct Firing: Hashable, Sendable {
  /// How the record matched before and after the change. CloudKit: `CKQueryNotification.Reason`.
  public enum Reason: String, Hashable, Sendable {
    /// The record was created and matches.
    case created
    /// The record was changed, and matched before and after.
    case updated
    /// The record was changed and matches now, but did not before.
    case entered
    /// The record was changed and no longer matches.
    case left
    /// The record was deleted and matched before.
    case deleted
  }

  /// The id of the subscription.
  public let subscriptionID: String
  /// How the record matched.
  public let reason: Reason
  /// The subscription's content, with the record's values in place of field names.
  public let content: NotificationContent
  /// The subscription's desired fields. For the reasons `deleted` and `left`, their values before the
  /// change.
  public let recordFields: [String: Value]
  /// Whether desired fields are missing because they exceeded the size limit.
  public let isPruned: Bool

  init(_ stored: Records.Firing) throws(RecordsError) {
    subscriptionID = stored.subscription.text
    reason =
      switch stored.reason {
      case .created: .created
      case .updated: .updated
      case .entered: .entered
      case .left: .left
      case .deleted: .deleted
      }
    content = NotificationContent(stored.content)
    recordFields = try [String: Value](stored.fields)
    isPruned = stored.isPruned
  }
}

/// One notification that replaces several of one subscription, without the changed records.
///
/// The broker collapses notifications when more than 1,000 are pending for a device, when the device has
/// acknowledged none for 90 days, or when a predicate is too slow for a record. To get the changes, read each
/// of the `zones` from its token, or run the subscription's query again.
public struct CollapsedNotifications: Hashable, Sendable {
  /// The id of the subscription.
  public let subscriptionID: String
  /// The position in each zone's feed before the first collapsed change; `nil` means the start. If it is
  /// empty, run the subscription's query again. It is empty for the public database, which has no feed, and
  /// if there are too many zones.
  public let zones: [ZoneID: ChangeToken?]
  /// The number of the first collapsed notification.
  public let first: NotificationNumber
  /// The number of the last collapsed notification.
  public let last: NotificationNumber
  /// The number of collapsed notifications; 0 if it is unknown.
  public let count: Int

  init(_ stored: Records.CollapsedNotifications, account: AccountID) {
    subscriptionID = stored.subscription.text
    zones = Dictionary(
      stored.zones.map {
        (ZoneID($0.zone, seenBy: account), $0.token)
      }, uniquingKeysWith: { first, _ in first })
    first = stored.first
    last = stored.last
    count = Int(stored.count)
  }
}
