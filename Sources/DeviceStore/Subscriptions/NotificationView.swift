// A notification of one subscription, as readers of the device receive it.

import Records

/// A notification of one subscription.
package struct NotificationView: Hashable, Sendable {
  /// The event that a notification reports.
  package enum Subject: Hashable, Sendable {
    /// A change of a record.
    case record(Change)
    /// Changes that the broker collapsed, because it stores a limited number for an offline device. The count is 0 if
    /// it is unknown.
    case fold(count: Int64)
    /// A request for access to a group of this account. No subscription caused the notification.
    case access(Access)
    /// An account has joined a group that this account manages, by a link. No subscription caused the notification.
    case join(Access)
    /// This account can now read a group of another one, and this device was not asked to join it. No subscription
    /// caused the notification.
    case gain(ZoneID, title: String)
    /// This account can no longer read a group of another one, because its owner ended that. No subscription caused the
    /// notification.
    case loss(ZoneID, title: String)
    /// The broker rejected the deletion of a group on this device, because others had changed the group since. No
    /// subscription caused the notification.
    case rejectedDeletion(ZoneID, title: String)
  }

  /// An account that requests or has access.
  package struct Access: Hashable, Sendable {
    /// The group.
    package let zone: ZoneID
    /// The account.
    package let account: AccountID
    /// The display name of the account.
    package let name: String
  }

  /// A change of a record.
  package struct Change: Hashable, Sendable {
    /// The database of the record.
    package let database: DatabaseScope
    /// The record.
    package let record: RecordID
    /// Its type.
    package let type: RecordType
    /// The change tag of the record. A local state with this tag or a higher one includes the change.
    package let tag: Revision
    /// The title of the record; empty if the device does not have it.
    package let title: String
    /// The reason why the subscription matched.
    package let reason: MatchReason
    /// The time and author of the change.
    package let modified: Stamp
    /// Whether this device made the change.
    package let isOwn: Bool
    /// The desired fields; for a record that was deleted or no longer matches, their earlier values.
    package let fields: Fields
    /// Whether some of the fields were omitted because of their size.
    package let isPruned: Bool
  }

  /// The sequence number, counted from 1 without gaps, also across restarts.
  package let sequence: Int64
  /// The subscription.
  package let subscription: SubscriptionID
  /// The reported event.
  package let subject: Subject
  /// The texts and options.
  package let content: NotificationForm
  /// The time of arrival, by this device's clock.
  package let time: Timestamp
  /// Whether the user has seen the notification.
  package let isSeen: Bool

  /// The reported change of a record, if there is one.
  package var change: Change? {
    if case .record(let change) = subject { change } else { nil }
  }

  /// Whether the notification alerts the user: it has a text, or replaces notifications that may have one, and this
  /// device did not cause it.
  package var isAlert: Bool {
    guard let change else { return !content.isContentAvailable }
    return !change.isOwn && (content.title != nil || content.body != nil)
  }
}
