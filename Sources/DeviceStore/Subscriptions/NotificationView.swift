// One thing that one subscription told, as callers of the device get it.

import Records

/// What a subscription told.
package struct NotificationView: Hashable, Sendable {
  /// What it was told of.
  package enum Subject: Hashable, Sendable {
    /// A change of a record.
    case record(Change)
    /// More changes than the broker keeps for a device that is away: how many, 0 where nobody knows.
    case fold(count: Int64)
    /// Somebody asks for access to a group of this account's; no subscription told it.
    case access(Access)
  }

  /// Somebody who asks for access.
  package struct Access: Hashable, Sendable {
    /// The group.
    package let zone: ZoneID
    /// Who asks.
    package let account: AccountID
    /// What people call it.
    package let name: String
  }

  /// The change that was told.
  package struct Change: Hashable, Sendable {
    /// The database the record is in.
    package let database: DatabaseScope
    /// The record.
    package let record: RecordID
    /// Its type.
    package let type: RecordType
    /// The record's change tag: what is here at this tag or above holds the change.
    package let tag: Revision
    /// What people call it, where it is here; else empty.
    package let title: String
    /// Why the subscription told it.
    package let reason: MatchReason
    /// Who changed it and when.
    package let modified: Stamp
    /// Whether this device did.
    package let isOwn: Bool
    /// The fields that were asked for; of what was deleted or left, those before.
    package let fields: Fields
    /// Whether some of them did not fit.
    package let isPruned: Bool
  }

  /// Counted from 1 without gaps; survives restarts.
  package let sequence: Int64
  /// The subscription.
  package let subscription: SubscriptionID
  /// What was told.
  package let subject: Subject
  /// The texts and marks.
  package let content: NotificationForm
  /// When it came, by this device's clock.
  package let time: Timestamp
  /// Whether a person has looked at it.
  package let isSeen: Bool

  /// The change, where it tells one.
  package var change: Change? {
    if case .record(let change) = subject { change } else { nil }
  }

  /// Whether a person is to be disturbed by it: it says something, or stands for such as would have,
  /// and this device did not cause it.
  package var isAlert: Bool {
    guard let change else { return !content.isContentAvailable }
    return !change.isOwn && (content.title != nil || content.body != nil)
  }
}
