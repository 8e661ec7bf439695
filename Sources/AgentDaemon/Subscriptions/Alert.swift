// What a person reads of notifications: one by itself in its own words, several that came together as
// how many there are. Words are chosen here, markup and the desktop are somebody else's business.

import Contacts
import DeviceStore
import Records

/// A desktop notification.
struct Alert: Hashable, Sendable {
  /// Lines of the text; more are counted.
  private static let linesMax = 5
  /// What a desktop shows of one line, and more.
  private static let lineCharactersMax = 200

  /// The heading.
  let title: String
  /// The text; may be empty.
  let body: String
  /// The sound's name, where one is asked for.
  let sound: String?
  /// Of those with the same key a person sees the latest only.
  let collapseKey: String?

  /// The alert for notifications that came together; `nil` when none of them is for a person.
  init?(_ notifications: [NotificationView]) {
    let alerts = notifications.filter(\.isAlert)
    guard let latest = alerts.last else { return nil }
    sound = alerts.last { $0.content.sound != nil }?.content.sound
    let subjects = Self.latestBySubject(alerts)
    guard subjects.count > 1 || latest.change == nil else {
      let body = latest.content.body ?? ""
      title = Self.line(latest.content.title ?? latest.change?.title ?? "", or: "Contacts")
      self.body = Self.clean(body)
      collapseKey = latest.content.collapseKey
      return
    }
    let folded = alerts.reduce(Int64(0)) { sum, view in
      if case .fold(let count) = view.subject { sum + count } else { sum }
    }
    let records = subjects.filter { $0.change != nil }
    let isContacts = records.allSatisfy { $0.change?.type == ContactRecord.type }
    let count = Int64(records.count) + folded
    let hasFold = subjects.count > records.count
    let noun = hasFold ? "changes" : isContacts ? "contacts changed" : "records changed"
    title = count == 0 ? "Changes" : "\(count) \(count == 1 ? "change" : noun)"
    var lines = records.prefix(Self.linesMax).map { view in
      Self.line(view.content.title ?? view.content.body ?? "", or: view.change?.title ?? "")
    }
    if records.count > Self.linesMax { lines.append("and \(records.count - Self.linesMax) more") }
    if hasFold { lines.append("\(folded > 0 ? "\(folded)" : "some") while this device was away") }
    body = lines.filter { !$0.isEmpty }.joined(separator: "\n")
    collapseKey = nil
  }

  /// The latest of each record, in the order they came first, and all folds.
  private static func latestBySubject(_ alerts: [NotificationView]) -> [NotificationView] {
    var places: [RecordID: Int] = [:]
    var latest: [NotificationView] = []
    for alert in alerts {
      if let record = alert.change?.record {
        if let place = places[record] {
          latest[place] = alert
          continue
        }
        places[record] = latest.count
      }
      latest.append(alert)
    }
    return latest
  }

  private static func line(_ text: String, or other: String) -> String {
    let line = clean(text).replacing("\n", with: " ")
    return line.isEmpty
      ? String(clean(other).prefix(lineCharactersMax))
      : String(line.prefix(lineCharactersMax))
  }

  /// Without what a terminal or a desktop could take for a command.
  private static func clean(_ text: String) -> String {
    String(
      String.UnicodeScalarView(
        text.unicodeScalars.filter {
          $0 == "\n" || $0.properties.generalCategory != .control
        }))
  }
}
