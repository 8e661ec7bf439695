// What a person changed in a text, as the changes the agent is sent: only those, so that what
// another device changed beside them stays. And whether two people changed the same, which is theirs
// to decide.

import Contacts
import Records

/// Changes from one state of a contact to another.
struct ContactDifference {
  /// The changed properties as `PATCH` takes them.
  private(set) var changes: [String: FormValue] = [:]
  /// The places that differ: `firstName`, `phones/ENTRY`.
  private(set) var places: Set<String> = []

  /// What is only told of a contact, and cannot be typed.
  static let told: Set = [
    "schema", "id", "name", "language", "sortName", "sectionKey", "sortIndex", "created",
    "modified", "modifiedBy",
    "synced", "photo", "other", "uid",
  ]

  /// Whether nothing differs.
  var isEmpty: Bool { changes.isEmpty }

  /// What `edited` says otherwise than `base`. A property that `edited` does not name was taken
  /// out, and is empty.
  init(from base: FormValue, to edited: FormValue) {
    guard case .object(let old) = base, case .object(let new) = edited else { return }
    for name in Set(old.keys).union(new.keys).subtracting(Self.told) {
      let before = old[name] ?? .null
      let after = new[name] ?? .null
      guard !Self.same(before, after) else { continue }
      if let list = ContactList(rawValue: name) {
        compare(before.items, after.items, in: list)
      } else if name != "group" || !after.isEmpty {
        changes[name] = after
        places.insert(name)
      }
    }
  }

  private mutating func compare(
    _ old: [FormValue], _ new: [FormValue], in list: ContactList
  ) {
    var entries: [FormValue] = []
    let kept = Set(new.compactMap { $0["id"]?.text })
    for entry in old {
      guard let id = entry["id"]?.text, !kept.contains(id) else { continue }
      entries.append(.object(["id": .text(id), "removed": .flag(true)]))
      places.insert("\(list.rawValue)/\(id)")
    }
    for entry in new where !Self.isBlank(entry) {
      let before = old.first { $0["id"] != nil && $0["id"] == entry["id"] }
      guard let change = Self.change(from: before, to: entry) else { continue }
      entries.append(change)
      if let id = entry["id"]?.text { places.insert("\(list.rawValue)/\(id)") }
    }
    guard !entries.isEmpty else { return }
    changes[list.rawValue] = .list(entries)
    if places.isEmpty { places.insert(list.rawValue) }
  }

  private static func change(from old: FormValue?, to new: FormValue) -> FormValue? {
    guard case .object(let after) = new else { return new }
    guard case .object(let before) = old else { return new }
    var changed: [String: FormValue] = [:]
    for name in Set(before.keys).union(after.keys) where name != "id" {
      let value = after[name] ?? .null
      if !same(before[name] ?? .null, value) { changed[name] = value }
    }
    guard !changed.isEmpty else { return nil }
    changed["id"] = after["id"]
    return .object(changed)
  }

  /// An entry of the template that nobody filled in: at most a label.
  private static func isBlank(_ entry: FormValue) -> Bool {
    guard case .object(let properties) = entry else { return entry.isEmpty }
    return properties["id"] == nil
      && properties.allSatisfy { $0.key == "label" || $0.value.isEmpty }
  }

  /// Whether two values say the same to people: empty is absent, blanks around do not count.
  private static func same(_ left: FormValue, _ right: FormValue) -> Bool {
    if left.isEmpty && right.isEmpty { return true }
    if let left = left.text, let right = right.text {
      return left.trimmingBlanks() == right.trimmingBlanks()
    }
    guard left.isList, right.isList, left.items.count == right.items.count else {
      return left == right
    }
    return zip(left.items, right.items).allSatisfy { same($0, $1) }
  }
}
