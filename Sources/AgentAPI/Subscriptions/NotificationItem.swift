import Records

/// A notification. What it reports decides which keys it has: a change of a record has all; a request for access and a
/// new participant have an account as `id`, and `group`; a gained or lost group is `id` and `group`; several collapsed
/// ones have only their number.
package struct NotificationItem: Codable, Hashable, Sendable {
  /// The number of the notification on this device.
  package var seq: Int64
  /// The id of the subscription.
  package var subscription: String
  /// `created`, `updated`, `entered`, `left`, `deleted`, `collapsed`, `requested`, `joined`, `gained` or `lost`.
  package var reason: String
  /// The contact's id; for another record its name, for a request for access and a new participant the account's id,
  /// for a gained or lost group its id.
  package var id: String?
  /// The number of changes that it reports; 0 if unknown.
  package var count: Int64
  /// The type of the record, `AccessRequest`, `Participant` or `Group`.
  @Sparse package var type: String?
  /// The name of the record, account or group; empty if the record is not on this device.
  @Sparse package var name: String?
  /// The id of the group.
  @Sparse package var group: String?
  /// `private`, `shared` or `public`.
  @Sparse package var database: String?
  @Sparse package var by: AuthorView?
  /// Whether this device made the change.
  @Sparse package var local: Bool?
  /// When the change was made.
  @Sparse package var changed: Timestamp?
  /// The fields that the subscription names; of a deleted record, and of one that left, the former values.
  @Sparse package var fields: FieldTexts?
  /// Whether fields were omitted because of the size limit.
  @Sparse package var pruned: Bool?
  package var title: String?
  package var alert: String?
  /// Whether it counts in the badge.
  package var badge: Bool
  /// Whether it is for programs only.
  package var silent: Bool
  package var sound: String?
  package var category: String?
  package var collapseKey: String?
  /// When it arrived on this device.
  package var time: Timestamp
  package var seen: Bool

  /// Creates a notification without the properties of what it reports.
  package init(
    seq: Int64, subscription: String, reason: String, id: String? = nil, count: Int64 = 1,
    badge: Bool = false, silent: Bool = false, time: Timestamp, seen: Bool = false
  ) {
    self.seq = seq
    self.subscription = subscription
    self.reason = reason
    self.id = id
    self.count = count
    self.badge = badge
    self.silent = silent
    self.time = time
    self.seen = seen
  }
}
