// Notifications of subscriptions. A device stores the number of the last notification it has
// applied and acknowledges it. At each connection the broker resends all higher ones in order. The
// device skips numbers it has applied, so each notification takes effect once.

/// A change of one record, for one device, with the subscriptions that it matched.
package struct ChangeNotification: Hashable, Sendable {
  /// The notification's number. Numbers rise across all changes of the broker, so one device's
  /// numbers have gaps.
  package let number: NotificationNumber
  /// The number of the device's previous notification; zero for its first. A different number shows
  /// that a notification was lost.
  package let predecessor: NotificationNumber
  /// The database that contains the record.
  package let database: DatabaseScope
  /// The changed record.
  package let record: RecordID
  /// The record's type.
  package let type: RecordType
  /// The record's change tag. A record fetched with this tag or a higher one contains the change.
  package let tag: Revision
  /// The time and the request of the change.
  package let modified: Stamp
  /// The matching subscriptions, each once.
  package let firings: [Firing]

  package init(
    number: NotificationNumber, predecessor: NotificationNumber, database: DatabaseScope,
    record: RecordID, type: RecordType, tag: Revision, modified: Stamp, firings: [Firing]
  ) {
    self.number = number
    self.predecessor = predecessor
    self.database = database
    self.record = record
    self.type = type
    self.tag = tag
    self.modified = modified
    self.firings = firings
  }
}

/// The number of a notification, and the position after it. It defines an order and says nothing about time. A program saves
/// the number of the last notification that it has handled, in one transaction with the results.
public struct NotificationNumber: Hashable, Comparable, Sendable {
  /// The position before the first notification.
  public static let none = NotificationNumber(0)

  /// The number, never negative.
  package let value: Int64

  /// Creates a position.
  /// - Precondition: `value` is not negative.
  package init(_ value: Int64) {
    precondition(value >= 0, "The number of a notification is not negative: \(value).")
    self.value = value
  }

  /// Returns whether `left` is the earlier position.
  public static func < (left: Self, right: Self) -> Bool { left.value < right.value }
}

extension NotificationNumber: Codable {
  /// Decodes a number that `encode(to:)` wrote.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let value = try container.decode(Int64.self)
    guard value >= 0 else {
      throw DecodingError.dataCorruptedError(
        in: container, debugDescription: "No notification has a negative number.")
    }
    self.init(value)
  }

  /// Encodes the position as an integer.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(value)
  }
}

/// The content of a notification for one subscription.
package struct Firing: Hashable, Sendable {
  /// The subscription.
  package let subscription: SubscriptionID
  /// Why the subscription matched.
  package let reason: MatchReason
  /// The texts with field values inserted, and the display options.
  package let content: NotificationForm
  /// The desired fields that fit the size limit. If the record was deleted or no longer matches,
  /// these are its fields before the change.
  package let fields: EncodedRecord
  /// Whether desired fields were omitted for size.
  package let isPruned: Bool

  package init(
    subscription: SubscriptionID, reason: MatchReason, content: NotificationForm,
    fields: EncodedRecord, isPruned: Bool
  ) {
    self.subscription = subscription
    self.reason = reason
    self.content = content
    self.fields = fields
    self.isPruned = isPruned
  }
}

/// A summary of notifications that were collapsed because the device's backlog exceeded its limit.
package struct CollapsedNotifications: Hashable, Sendable {
  /// The subscription.
  package let subscription: SubscriptionID
  /// For each affected zone, its position before the first collapsed change.
  package let zones: [ZonePosition]
  /// The number of the first collapsed notification.
  package let first: NotificationNumber
  /// The number of the last collapsed notification.
  package let last: NotificationNumber
  /// The number of collapsed notifications; 0 if unknown.
  package let count: Int64

  package init(
    subscription: SubscriptionID, zones: [ZonePosition], first: NotificationNumber,
    last: NotificationNumber, count: Int64
  ) {
    self.subscription = subscription
    self.zones = zones
    self.first = first
    self.last = last
    self.count = count
  }
}

/// A page of a device's notifications.
package struct NotificationPage: Hashable, Sendable {
  /// The notifications, by ascending number.
  package let notifications: [ChangeNotification]
  /// Collapsed notifications; their numbers precede those of `notifications`.
  package let collapsed: [CollapsedNotifications]
  /// Whether the device has now been sent all its notifications.
  package let isLevel: Bool

  package init(
    notifications: [ChangeNotification], collapsed: [CollapsedNotifications] = [], isLevel: Bool
  ) {
    self.notifications = notifications
    self.collapsed = collapsed
    self.isLevel = isLevel
  }
}
