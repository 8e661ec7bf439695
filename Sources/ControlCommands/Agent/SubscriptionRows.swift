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

  /// Returns lines for a terminal of this width: a heading with the id and the state, and below it what the
  /// subscription is about, its texts, and why it does not work.
  func lines(columns: Int) -> [String] {
    let heading = [id, state, type ?? "", on.joined(separator: ",")].filter { !$0.isEmpty }
    let texts = [title, alert].compactMap(\.self).filter { !$0.isEmpty }
    let below = [predicate ?? "", texts.joined(separator: ": "), error?.text ?? ""]
    return ([heading.joined(separator: "  ")] + below.filter { !$0.isEmpty }.map { "  " + $0 })
      .flatMap { line in
        let lead = String(line.prefix { $0 == " " })
        return TextWidth.lines(
          of: PlainText.clean(String(line.dropFirst(lead.count))), after: lead, limit: columns)
      }
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
  /// Returns the columns of the list. An account has no id for people: commands take the name. A
  /// terminal shows the number, the time and the sentence.
  func row(in style: Printer.Style) -> [String] {
    guard style != .terminal else { return [String(seq), time.description, sentence] }
    let id = ["requested", "joined"].contains(reason) ? "" : id ?? ""
    return [
      String(seq), time.description, subscription, reason, type ?? "", id, name ?? "",
      title ?? (reason == "collapsed" ? collapsedChanges : ""), alert ?? "",
    ]
  }

  /// The texts of the subscription; without any, what happened to which contact.
  var sentence: String {
    let texts = [title, alert].compactMap(\.self).filter { !$0.isEmpty }
    guard texts.isEmpty else { return texts.joined(separator: ": ") }
    let subject = [name, id].compactMap(\.self).first { !$0.isEmpty } ?? "A record"
    return switch reason {
    case "created", "updated", "deleted": "\(subject) was \(reason)."
    case "entered": "\(subject) matches the subscription now."
    case "left": "\(subject) no longer matches the subscription."
    case "requested": "\(name ?? "Someone") asks for access."
    case "joined": "\(name ?? "Someone") joined a group of yours."
    case "gained": "The group “\(subject)” is now shared with you."
    case "lost": "The group “\(subject)” is no longer shared with you."
    case "kept": "The group “\(subject)” was not deleted."
    case "collapsed": "\(collapsedChanges)."
    default: "\(subject): \(reason)"
    }
  }

  private var collapsedChanges: String {
    "\(count > 0 ? "\(count)" : "some") changes while this device was offline"
  }
}
