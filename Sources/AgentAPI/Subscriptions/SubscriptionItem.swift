/// A subscription. `SubscribeForm` accepts the same JSON, so that it can be sent back.
package struct SubscriptionItem: Codable, Hashable, Sendable {
  enum CodingKeys: String, CodingKey, CaseIterable {
    case id, type
    case predicate = "where"
    case arguments, group, database, on, once, thisDevice, device, echo
    case title, alert, badge, silent, sound, category, collapseKey, keys
    case command = "run"
    case state, error
  }

  package var id: String
  /// The type of the records; `nil` for all types.
  package var type: String?
  /// The predicate; `nil` for all records.
  package var predicate: String?
  /// The value of each `%@` of the predicate.
  package var arguments: [ScalarItem]
  /// The id of the group; `nil` for the whole database.
  package var group: String?
  /// `private`, `shared` or `public`.
  package var database: String
  /// The kinds of changes: `created`, `updated`, `deleted`.
  package var on: [String]
  /// Whether it is deleted after its first notification.
  package var once: Bool
  /// Whether it notifies only this device.
  package var thisDevice: Bool
  /// The name of the device that it notifies; `nil` for all devices.
  package var device: String?
  /// Whether a device is also notified of its own changes.
  package var echo: Bool
  package var title: String?
  package var alert: String?
  /// Whether its notifications count in the badge.
  package var badge: Bool
  /// Whether its notifications are for programs only.
  package var silent: Bool
  package var sound: String?
  package var category: String?
  package var collapseKey: String?
  /// The fields in its notifications.
  package var keys: [String]
  /// The command that this device runs for each notification.
  package var command: String?
  /// `saving`, `saved`, `refused`, `off` or `unreadable`.
  package var state: String
  /// Why it is refused, off or unreadable, or why its last change was rejected.
  package var error: SubscriptionError?

  package init(
    id: String, type: String? = nil, predicate: String? = nil, arguments: [ScalarItem] = [],
    group: String? = nil, database: String, on: [String] = [], once: Bool = false,
    thisDevice: Bool = false, device: String? = nil, echo: Bool = false, title: String? = nil,
    alert: String? = nil, badge: Bool = false, silent: Bool = false, sound: String? = nil,
    category: String? = nil, collapseKey: String? = nil, keys: [String] = [],
    command: String? = nil, state: String, error: SubscriptionError? = nil
  ) {
    self.id = id
    self.type = type
    self.predicate = predicate
    self.arguments = arguments
    self.group = group
    self.database = database
    self.on = on
    self.once = once
    self.thisDevice = thisDevice
    self.device = device
    self.echo = echo
    self.title = title
    self.alert = alert
    self.badge = badge
    self.silent = silent
    self.sound = sound
    self.category = category
    self.collapseKey = collapseKey
    self.keys = keys
    self.command = command
    self.state = state
    self.error = error
  }
}
