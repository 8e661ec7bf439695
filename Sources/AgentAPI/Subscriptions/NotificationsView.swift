/// A page of notifications, in order.
package struct NotificationsView: Codable, Hashable, Sendable {
  package var schema = 1
  package var notifications: [NotificationItem]
  /// The number of the oldest notification that is kept.
  package var oldest: Int64
  /// The number of the newest notification.
  package var last: Int64
  /// The number of unseen notifications that count in the badge.
  package var badge: Int

  package init(notifications: [NotificationItem], oldest: Int64, last: Int64, badge: Int) {
    self.notifications = notifications
    self.oldest = oldest
    self.last = last
    self.badge = badge
  }

  /// The key of the list, for joining pages without decoding them.
  package static let listKey = CodingKeys.notifications.stringValue
}

extension AgentPath {
  /// The notifications of this device.
  package static let notifications = AgentPath("notifications")
  /// The stream of notifications.
  package static let notificationEvents = AgentPath("notifications", "events")
  /// The marking of notifications as seen.
  package static let seenNotifications = AgentPath("notifications", "seen")
}

extension AgentEvent {
  /// A notification; the content is a `SingleView<NotificationItem>`.
  package static let notification = "notification"
}
