// The agent's responses about subscriptions and notifications, as subcommands print them.

import AgentAPI
import Records

extension SubscriptionError {
  /// What happened, and what to do.
  var text: String { hint.isEmpty ? message : "\(message) \(hint)" }
}

extension SubscriptionItem {
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

/// The JSON output about a deleted subscription.
struct DeletedSubscription: Encodable, Sendable {
  let schema = 1
  let id: String
  let isDeleted = true

  enum CodingKeys: String, CodingKey {
    case schema, id
    case isDeleted = "deleted"
  }
}

extension NotificationItem {
  /// The columns of the list. A request for access has no id for people: commands take the name.
  var row: [String] {
    let id = reason == "requested" ? "" : id ?? ""
    let collapsed = "\(count > 0 ? "\(count)" : "some") changes while this device was offline"
    return [
      String(seq), time.description, subscription, reason, type ?? "", id, name ?? "",
      title ?? (reason == "collapsed" ? collapsed : ""), alert ?? "",
    ]
  }
}
