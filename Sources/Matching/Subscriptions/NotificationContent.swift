// What a notification says. The broker fills templates with the record's fields, so that a device
// can show an alert before it has fetched anything; a person's text stays text, whatever is in it.

import Records

/// The words and marks of a subscription's notifications.
package struct NotificationContent: Hashable, Sendable {
  /// The heading, or `nil` for none.
  package var title: NotificationTemplate?
  /// The text, or `nil` for none. Without title and text a notification is silent.
  package var body: NotificationTemplate?
  /// Whether the number of unseen notifications is raised.
  package var raisesBadge = false
  /// The sound's name, or `nil` for none.
  package var sound: String?
  /// The kind of notification, by which a program chooses what can be done with it.
  package var category: String?
  /// The fields sent along, as far as they fit `NotificationLimits.desiredBytes`.
  package var desiredKeys: [FieldKey] = []
  /// Whether the program is woken without a person seeing anything.
  package var isContentAvailable = false
  /// Notifications with the same key replace each other while they wait.
  package var collapseKey: String?

  /// Nothing but the fact.
  package init() {}

  /// Whether a person sees it.
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

/// The bounds of notifications.
package enum NotificationLimits {
  /// A title or a body as written. Longer → `limitExceeded`.
  package static let textBytes = 1024
  /// A collapse key, as Apple's push service has it. Longer → `limitExceeded`.
  package static let collapseKeyBytes = 64
  /// The keys asked for. More → `limitExceeded`.
  package static let desiredKeys = 64
  /// The values of desired keys in one notification. More → the rest is left out, and the
  /// notification says that it was pruned.
  package static let desiredBytes = 16 << 10
  /// A title or a body once filled. Longer → cut at a character.
  package static let filledBytes = 4096
}
