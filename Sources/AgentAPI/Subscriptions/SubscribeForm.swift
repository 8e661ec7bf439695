// Unknown keys are rejected, so that a mistyped one does not appear to be saved. Read-only keys are accepted and
// ignored, so that a response can be sent back.

import Records

/// The body that saves a subscription; `nil` has the default value.
package struct SubscribeForm: Hashable, Sendable {
  package var id: String?
  /// The type of the records; `nil` for all types.
  package var type: String?
  /// The predicate; `nil` for all records.
  package var predicate: String?
  /// The value of each `%@` of the predicate.
  package var arguments: [ScalarItem]?
  /// The id or title of the group; `nil` for the whole database.
  package var group: String?
  /// `private`, `shared` or `public`.
  package var database: String?
  /// The kinds of changes: `created`, `updated`, `deleted`; all by default.
  package var on: [String]?
  /// Whether it is deleted after its first notification.
  package var once: Bool?
  /// Whether it notifies only this device.
  package var thisDevice: Bool?
  /// Whether a device is also notified of its own changes.
  package var echo: Bool?
  package var title: String?
  package var alert: String?
  /// Whether its notifications count in the badge.
  package var badge: Bool?
  /// Whether its notifications are for programs only.
  package var silent: Bool?
  package var sound: String?
  package var category: String?
  package var collapseKey: String?
  /// The fields in its notifications.
  package var keys: [String]?
  /// The command that this device runs for each notification.
  package var command: String?

  /// Creates a subscription without properties.
  package init() {}
}

extension SubscribeForm: Codable {
  /// The key of a response that is not one of the subscription.
  private enum ResponseKeys: String, CodingKey {
    case schema
  }

  package init(from decoder: any Decoder) throws {
    try Self.checkKeys(decoder.container(keyedBy: JSONKey.self).allKeys)
    let container = try decoder.container(keyedBy: SubscriptionItem.CodingKeys.self)
    id = try container.decodeIfPresent(String.self, forKey: .id)
    type = try container.decodeIfPresent(String.self, forKey: .type)
    predicate = try container.decodeIfPresent(String.self, forKey: .predicate)
    arguments = try container.decodeIfPresent([ScalarItem].self, forKey: .arguments)
    group = try container.decodeIfPresent(String.self, forKey: .group)
    database = try container.decodeIfPresent(String.self, forKey: .database)
    on = try container.decodeIfPresent([String].self, forKey: .on)
    once = try container.decodeIfPresent(Bool.self, forKey: .once)
    thisDevice = try container.decodeIfPresent(Bool.self, forKey: .thisDevice)
    echo = try container.decodeIfPresent(Bool.self, forKey: .echo)
    title = try container.decodeIfPresent(String.self, forKey: .title)
    alert = try container.decodeIfPresent(String.self, forKey: .alert)
    badge = try container.decodeIfPresent(Bool.self, forKey: .badge)
    silent = try container.decodeIfPresent(Bool.self, forKey: .silent)
    sound = try container.decodeIfPresent(String.self, forKey: .sound)
    category = try container.decodeIfPresent(String.self, forKey: .category)
    collapseKey = try container.decodeIfPresent(String.self, forKey: .collapseKey)
    keys = try container.decodeIfPresent([String].self, forKey: .keys)
    command = try container.decodeIfPresent(String.self, forKey: .command)
  }

  private static func checkKeys(_ keys: [JSONKey]) throws {
    for key in keys.map(\.stringValue) where ResponseKeys(rawValue: key) == nil {
      guard SubscriptionItem.CodingKeys(rawValue: key) != nil else {
        let shown = String(key.prefix(40))
        throw RecordsError.invalid("A subscription has no property “\(shown)”.", field: shown)
      }
    }
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: SubscriptionItem.CodingKeys.self)
    try container.encodeIfPresent(id, forKey: .id)
    try container.encodeIfPresent(type, forKey: .type)
    try container.encodeIfPresent(predicate, forKey: .predicate)
    try container.encodeIfPresent(arguments, forKey: .arguments)
    try container.encodeIfPresent(group, forKey: .group)
    try container.encodeIfPresent(database, forKey: .database)
    try container.encodeIfPresent(on, forKey: .on)
    try container.encodeIfPresent(once, forKey: .once)
    try container.encodeIfPresent(thisDevice, forKey: .thisDevice)
    try container.encodeIfPresent(echo, forKey: .echo)
    try container.encodeIfPresent(title, forKey: .title)
    try container.encodeIfPresent(alert, forKey: .alert)
    try container.encodeIfPresent(badge, forKey: .badge)
    try container.encodeIfPresent(silent, forKey: .silent)
    try container.encodeIfPresent(sound, forKey: .sound)
    try container.encodeIfPresent(category, forKey: .category)
    try container.encodeIfPresent(collapseKey, forKey: .collapseKey)
    try container.encodeIfPresent(keys, forKey: .keys)
    try container.encodeIfPresent(command, forKey: .command)
  }
}
