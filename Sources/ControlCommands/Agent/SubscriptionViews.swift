// The agent's JSON about subscriptions and notifications, as far as subcommands print it, and the bodies of
// requests.

import Records

/// The body that saves a subscription; absent keys have default values.
struct SubscriptionBody: Encodable, Sendable {
  let id: String?
  let type: String?
  let predicate: String?
  let group: String?
  let database: String?
  let on: [String]?
  let once: Bool
  let thisDevice: Bool
  let echo: Bool
  let silent: Bool
  let title: String?
  let alert: String?
  let badge: Bool
  let keys: [String]?
  let command: String?

  enum CodingKeys: String, CodingKey {
    case id, type, group, database, on, once, thisDevice, echo, silent, title, alert, badge, keys
    case predicate = "where"
    case command = "run"
  }
}

/// A subscription.
struct SubscriptionView: Decodable, Sendable {
  /// Why it is inactive.
  struct Reason: Decodable, Sendable {
    let message: String
    let hint: String

    var text: String { hint.isEmpty ? message : "\(message) \(hint)" }
  }

  let id: String
  let type: String?
  let predicate: String?
  let group: String?
  let database: String
  let on: [String]
  let once: Bool
  let device: String?
  let echo: Bool
  let silent: Bool
  let title: String?
  let alert: String?
  let keys: [String]
  let command: String?
  let state: String
  let error: Reason?

  enum CodingKeys: String, CodingKey {
    case id, type, group, database, on, once, device, echo, silent, title, alert, keys, state, error
    case predicate = "where"
    case command = "run"
  }

  /// The columns of the list.
  var row: [String] {
    [id, state, type ?? "", on.joined(separator: ","), predicate ?? "", title ?? "", alert ?? ""]
  }

  /// All properties, one in each line.
  var details: [[String]] {
    let marks = [("once", once), ("echo", echo), ("silent", silent)].filter(\.1).map(\.0)
    let rows = [
      ("id", id), ("state", state), ("why", error?.text ?? ""), ("type", type ?? ""),
      ("where", predicate ?? ""), ("group", group ?? ""), ("database", database),
      ("on", on.joined(separator: ",")), ("device", device ?? ""),
      ("marks", marks.joined(separator: ",")), ("title", title ?? ""), ("alert", alert ?? ""),
      ("keys", keys.joined(separator: ",")), ("run", command ?? ""),
    ]
    return rows.filter { !$0.1.isEmpty }.map { [$0.0, $0.1] }
  }
}

/// The subscriptions.
struct SubscriptionsView: Decodable, Sendable {
  let subscriptions: [SubscriptionView]
}

/// A deleted subscription.
struct UnsubscribedView: Encodable, Sendable {
  let schema = 1
  let id: String
  let isDeleted = true

  enum CodingKeys: String, CodingKey {
    case schema, id
    case isDeleted = "deleted"
  }
}

/// A notification.
struct NotificationView: Decodable, Sendable {
  let seq: Int64
  let subscription: String
  let reason: String
  let count: Int64
  let type: String?
  let id: String?
  let name: String?
  let title: String?
  let alert: String?
  let time: String

  /// The columns of the list.
  var row: [String] {
    let folded = "\(count > 0 ? "\(count)" : "some") changes while this device was offline"
    return [
      String(seq), time, subscription, reason, type ?? "", id ?? "", name ?? "",
      title ?? (reason == "collapsed" ? folded : ""), alert ?? "",
    ]
  }
}

/// A page of notifications.
struct NotificationsView: Decodable, Sendable {
  let notifications: [NotificationView]
}

/// The number up to which notifications were seen.
struct SeenForm: Encodable, Sendable {
  let through: Int64
}

/// The user's answer about a permission.
struct PermissionView: Decodable, Sendable {
  let state: String
}

/// The body that sets a permission.
struct PermissionForm: Encodable, Sendable {
  let state: String
}
