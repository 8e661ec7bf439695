import Records

/// The content of a subscription's notifications. The broker fills the templates with the record's
/// fields, so that a device can show an alert before it fetches the record.
package struct NotificationTemplates: Hashable, Sendable {
  /// The title, or `nil` for none.
  package var title: NotificationTemplate?
  /// The text, or `nil` for none. A notification without title and text is silent.
  package var body: NotificationTemplate?
  /// Whether the notification increments the badge, the number of unseen notifications.
  package var raisesBadge = false
  /// The name of the sound, or `nil` for none.
  package var sound: String?
  /// The name of the category, by which a program selects the actions that the notification offers.
  package var category: String?
  /// The fields whose values the notification contains, up to `NotificationLimits.desiredBytes`.
  package var desiredKeys: [FieldKey] = []
  /// Whether the program is woken without an alert to the user.
  package var isContentAvailable = false
  /// The collapse key. Of a device's pending notifications with the same key, only the latest is retained.
  package var collapseKey: String?

  /// Creates a silent notification without fields.
  package init() {}

  /// Whether the notification alerts the user.
  package var isAlert: Bool { title != nil || body != nil }

  func validate() throws(RecordsError) {
    try Self.check(sound, "sound", Limits.nameBytes)
    try Self.check(category, "category", Limits.nameBytes)
    try Self.check(collapseKey, "collapseKey", NotificationLimits.collapseKeyBytes)
    guard desiredKeys.count <= NotificationLimits.desiredKeys else {
      throw .limit(
        "Desired keys of a notification", limit: NotificationLimits.desiredKeys,
        actual: desiredKeys.count)
    }
  }

  private static func check(_ text: String?, _ field: String, _ limit: Int) throws(RecordsError) {
    guard let count = text?.utf8.count, count > limit else { return }
    var error = RecordsError.limit(
      "Bytes of a notification's \(field)", limit: limit, actual: count)
    error.field = field
    throw error
  }
}

/// The limits of notifications.
package enum NotificationLimits {
  /// The bytes of the template of a title or body. More → `limitExceeded`.
  package static let textBytes = 1024
  /// The bytes of a collapse key, as in Apple's push service. More → `limitExceeded`.
  package static let collapseKeyBytes = 64
  /// The number of desired keys. More → `limitExceeded`.
  package static let desiredKeys = 64
  /// The bytes of the desired keys' values in one notification. More → the other values are left out,
  /// and the notification is marked as pruned.
  package static let desiredBytes = 16 << 10
  /// The bytes of a filled title or body. More → truncated at a character.
  package static let filledBytes = 4096
}
