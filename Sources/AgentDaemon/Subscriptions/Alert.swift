// The text of desktop notifications: the content of a single notification, or the number of several. This
// file only chooses the words; DesktopNotifier handles markup and display.

import Contacts
import DeviceStore
import Records

/// A desktop notification.
struct Alert: Hashable, Sendable {
  /// The maximum number of lines in the text; further ones are counted.
  private static let linesMax = 5
  /// The maximum length of a line, more than desktops show.
  private static let lineCharactersMax = 200

  /// The heading.
  let title: String
  /// The text; may be empty.
  let body: String
  /// The name of a sound, if requested.
  let sound: String?
  /// Of alerts with the same key only the latest is visible.
  let collapseKey: String?

  /// Creates the alert for a batch of notifications; `nil` if none of them alerts the user.
  init?(_ notifications: [NotificationView]) {
    let alerts = notifications.filter(\.isAlert)
    guard let latest = alerts.last else { return nil }
    sound = alerts.last { $0.content.sound != nil }?.content.sound
    let subjects = Self.latestBySubject(alerts)
    guard subjects.count > 1 || latest.isFold else {
      let body = latest.content.body ?? ""
      title = Self.line(latest.content.title ?? latest.change?.title ?? "", or: "Contacts")
      self.body = Self.clean(body)
      collapseKey = latest.content.collapseKey
      return
    }
    title = Self.title(of: subjects)
    body = Self.lines(of: subjects).filter { !$0.isEmpty }.joined(separator: "\n")
    collapseKey = nil
  }

  /// Returns the number and kind of the notifications.
  private static func title(of subjects: [NotificationView]) -> String {
    let folded = folded(subjects)
    let singles = subjects.filter { !$0.isFold }
    let count = Int64(singles.count) + folded
    guard count > 0 else { return "Changes" }
    guard !subjects.contains(where: \.isOfSharing) else {
      let areRequests = subjects.allSatisfy(\.isRequest)
      return areRequests ? "\(count) requests for access" : "\(count) notifications"
    }
    let isContacts = singles.allSatisfy { $0.change?.type == ContactRecord.type }
    let noun =
      singles.count < subjects.count
      ? "changes" : isContacts ? "contacts changed" : "records changed"
    return "\(count) \(count == 1 ? "change" : noun)"
  }

  private static func lines(of subjects: [NotificationView]) -> [String] {
    let singles = subjects.filter { !$0.isFold }
    var lines = singles.prefix(linesMax).map { view in
      let text =
        view.isOfSharing ? view.content.body : view.content.title ?? view.content.body
      return line(text ?? "", or: view.change?.title ?? "")
    }
    if singles.count > linesMax { lines.append("and \(singles.count - linesMax) more") }
    if singles.count < subjects.count {
      let folded = folded(subjects)
      lines.append("\(folded > 0 ? "\(folded)" : "some") changes while this device was offline")
    }
    return lines
  }

  private static func folded(_ subjects: [NotificationView]) -> Int64 {
    subjects.reduce(Int64(0)) { sum, view in
      if case .fold(let count) = view.subject { sum + count } else { sum }
    }
  }

  /// Returns the latest notification of each record, in the order of the first ones, and all collapsed ones.
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

  /// Removes control characters, which a terminal or a desktop could interpret.
  private static func clean(_ text: String) -> String {
    String(
      String.UnicodeScalarView(
        text.unicodeScalars.filter {
          $0 == "\n" || $0.properties.generalCategory != .control
        }))
  }
}

extension NotificationView {
  fileprivate var isFold: Bool {
    if case .fold = subject { true } else { false }
  }

  fileprivate var isRequest: Bool {
    if case .access = subject { true } else { false }
  }

  /// Whether no subscription caused it. Its title is that of a group; its text says what happened.
  fileprivate var isOfSharing: Bool {
    switch subject {
    case .access, .join, .gain, .loss, .rejectedDeletion: true
    case .record, .fold: false
    }
  }
}
