// What a device shows, read as JSON without types, so that new properties are compared without a change here.

import Foundation
import Processes
import Records

/// The lists of one device.
struct DeviceView: Equatable {
  /// The properties of a contact or a group, as text.
  typealias Row = [String: String]

  let contacts: [Row]
  let groups: [Row]
  let conflicts: [Row]

  /// Properties that differ between devices, or change by themselves.
  private static let own: Set = ["schema", "sortIndex", "synced", "found", "version"]

  /// Reads the lists of a device.
  /// - Throws: `networkUnavailable` if the agent has ended.
  init(of device: AgentRequests) async throws {
    var rows: [Row] = []
    var cursor = ""
    repeat {
      let page = try await Self.object(device, "contacts?limit=1000\(cursor)")
      rows += Self.rows(page["contacts"])
      cursor = (page["next"] as? String).map { "&cursor=\($0)" } ?? ""
    } while !cursor.isEmpty
    contacts = rows
    groups = Self.rows(try await Self.object(device, "groups")["groups"])
    conflicts = Self.rows(try await Self.object(device, "conflicts")["conflicts"])
      .sorted { $0["id", default: ""] < $1["id", default: ""] }
  }

  /// Returns the JSON object that an agent answers.
  static func object(_ device: AgentRequests, _ path: String) async throws -> [String: Any] {
    let answer = try await device.send("GET", path)
    let object = try JSONSerialization.jsonObject(with: answer.body) as? [String: Any]
    guard answer.status == 200, let object else {
      throw RecordsError(.internalError, "GET \(path) is answered with \(answer.status).")
    }
    return object
  }

  static func rows(_ value: Any?) -> [Row] {
    (value as? [[String: Any]] ?? []).map { object in
      var row: Row = [:]
      for (key, value) in object where !own.contains(key) { row[key] = text(value) }
      return row
    }
  }

  private static func text(_ value: Any) -> String {
    if let text = value as? String { return text }
    let data = try? JSONSerialization.data(
      withJSONObject: value, options: [.sortedKeys, .fragmentsAllowed])
    return data.map { String(decoding: $0, as: UTF8.self) } ?? "\(value)"
  }

  /// Returns the contacts with a last name.
  func contacts(named person: String) -> [Row] { contacts.filter { $0["lastName"] == person } }

  /// Returns the differences from another view of the same account, a sentence each.
  func differences(from other: DeviceView, _ names: (String, String)) -> [String] {
    Self.differences("contact", contacts, other.contacts, names)
      + Self.differences("group", groups, other.groups, names)
      + Self.differences(
        "conflict", conflicts.map(Self.seenByAll), other.conflicts.map(Self.seenByAll), names)
  }

  /// A conflict in the same form on every device. “Mine” is each device's own value, so the values are
  /// compared with what the contact shows.
  private static func seenByAll(_ conflict: Row) -> Row {
    var row = conflict
    let shown = row["shown", default: "theirs"]
    let other = shown == "mine" ? "theirs" : "mine"
    for (side, name) in [(shown, "kept"), (other, "other")] {
      row[name] = conflict[side]
      row["\(name)By"] = conflict["\(side)By"]
    }
    for key in ["mine", "theirs", "mineBy", "theirsBy", "shown"] { row[key] = nil }
    return row
  }

  static func differences(
    _ what: String, _ left: [Row], _ right: [Row], _ names: (String, String)
  ) -> [String] {
    // A contact that a fault shows in two groups has one id.
    let id = { (row: Row) in
      row["id", default: "?"] + (row["group"].map { " in group \($0)" } ?? "")
    }
    let ids = { (rows: [Row]) in rows.map(id) }
    var sentences: [String] = []
    for id in ids(left).filter({ !ids(right).contains($0) }) {
      sentences.append("\(what) \(id) is on \(names.0) only")
    }
    for id in ids(right).filter({ !ids(left).contains($0) }) {
      sentences.append("\(what) \(id) is on \(names.1) only")
    }
    for row in left {
      guard let same = right.first(where: { id($0) == id(row) }), same != row else { continue }
      let keys = Set(row.keys).union(same.keys).filter { row[$0] != same[$0] }.sorted()
      let parts = keys.map { "\($0) “\(row[$0] ?? "")” and “\(same[$0] ?? "")”" }
      sentences.append(
        "\(what) \(id(row)) differs on \(names.0) and \(names.1): "
          + parts.joined(separator: ", "))
    }
    // Contacts of one name stand in any order.
    let places = { (rows: [Row]) in rows.map { $0["sortName"] ?? id($0) } }
    if sentences.isEmpty, places(left) != places(right) {
      sentences.append("\(what)s stand in another order on \(names.0) and \(names.1)")
    }
    return sentences
  }

  /// The contacts of a shared group, with the properties that both accounts see.
  func shared(_ group: String) -> [Row] {
    contacts.filter { $0["group", default: ""].hasSuffix(group) }
      .map { row in
        var row = row
        row["id"] = row["lastName"]
        for key in ["group", "modifiedBy", "modified", "created"] { row[key] = nil }
        return row
      }
      .sorted { $0["id", default: ""] < $1["id", default: ""] }
  }

  /// The ids that occur more than once.
  var doubledIDs: [String] {
    Dictionary(grouping: contacts) { $0["id", default: "?"] }
      .filter { $0.value.count > 1 }.map(\.key).sorted()
  }
}
