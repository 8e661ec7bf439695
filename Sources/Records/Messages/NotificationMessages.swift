// What subscriptions told. A device keeps the number of the last notification that is safe with it
// and says so; whatever is above is sent again, in order, at every connection, so that each is
// applied once although it may come twice.

/// One change of one record, for one device, with the subscriptions that fired.
package struct ChangeNotification: Hashable, Sendable {
  /// Rises over all changes of the broker, with gaps for what concerns others.
  package let number: NotificationNumber
  /// The device's notification before this one; zero for its first. A gap shows.
  package let predecessor: NotificationNumber
  /// The database the record is in.
  package let database: DatabaseScope
  /// The record.
  package let record: RecordID
  /// Its type.
  package let type: RecordType
  /// Its change tag: a record fetched at this tag or above holds the change.
  package let tag: Revision
  /// Who changed it and when.
  package let modified: Stamp
  /// The subscriptions that fired, each once.
  package let firings: [Firing]

  /// A notification.
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

/// A place in the broker's sequence of notifications. Orders them; says nothing of time.
package struct NotificationNumber: Hashable, Comparable, Sendable {
  /// Before the first.
  package static let none = NotificationNumber(0)

  /// The number, never negative.
  package let value: Int64

  /// The notification of this number.
  /// - Precondition: not negative.
  package init(_ value: Int64) {
    precondition(value >= 0, "The number of a notification is not negative: \(value).")
    self.value = value
  }

  package static func < (left: Self, right: Self) -> Bool { left.value < right.value }
}

/// A subscription that fired, and what it says.
package struct Firing: Hashable, Sendable {
  /// The subscription.
  package let subscription: SubscriptionID
  /// Why.
  package let reason: MatchReason
  /// The texts, filled in, and the marks.
  package let content: NotificationForm
  /// The desired fields that fitted; of what was deleted or left, those before the change.
  package let fields: EncodedRecord
  /// Whether some did not fit.
  package let isPruned: Bool

  /// A firing.
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

/// Notifications that were folded because more waited than the broker keeps for a device.
package struct CollapsedNotifications: Hashable, Sendable {
  /// The subscription that told them.
  package let subscription: SubscriptionID
  /// Where each zone stood before the first change that was folded.
  package let zones: [ZonePosition]
  /// The number of the first.
  package let first: NotificationNumber
  /// The number of the last.
  package let last: NotificationNumber
  /// How many there were.
  package let count: Int64

  /// A fold.
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

/// A stretch of a device's notifications.
package struct NotificationPage: Hashable, Sendable {
  /// By rising number.
  package let notifications: [ChangeNotification]
  /// What was folded; its numbers come before those above.
  package let collapsed: [CollapsedNotifications]
  /// Whether the device has been sent all there is.
  package let isLevel: Bool

  /// A stretch.
  package init(
    notifications: [ChangeNotification], collapsed: [CollapsedNotifications] = [], isLevel: Bool
  ) {
    self.notifications = notifications
    self.collapsed = collapsed
    self.isLevel = isLevel
  }
}
