// The difference between two states of a contact, as a request to the agent. It contains only changed
// properties, so that changes of other devices are not overwritten. The places tell whether two people
// changed the same property, which the user has to resolve.

import AgentAPI
import Contacts
import Records

/// The changes from one state of a contact to another.
struct ContactDifference {
  /// The changed properties in the form of `PATCH`.
  private(set) var changes: [String: FormValue] = [:]
  /// The properties that differ: `firstName`, `phones/ENTRY`.
  private(set) var places: Set<String> = []

  /// Read-only keys of a contact.
  static let readOnly = ContactItem.Key.readOnly.union([
    ContactItem.Key.photo.name, ContactItem.Key.other.name, ContactText.uid.rawValue,
    ContactsView.languageKey,
  ])

  /// Whether there are no changes.
  var isEmpty: Bool { changes.isEmpty }

  /// Compares `edited` with `base`. A property that `edited` does not contain was removed.
  init(from base: FormValue, to edited: FormValue) {
    guard case .object(let old) = base, case .object(let new) = edited else { return }
    for name in Set(old.keys).union(new.keys).subtracting(Self.readOnly) {
      let before = old[name] ?? .null
      let after = new[name] ?? .null
      guard !Self.same(before, after) else { continue }
      if let list = ContactList(rawValue: name) {
        compare(before.items, after.items, in: list)
      } else if name != ContactItem.Key.group.name || !after.isEmpty {
        changes[name] = after
        places.insert(name)
      }
    }
  }

  private mutating func compare(
    _ old: [FormValue], _ new: [FormValue], in list: ContactList
  ) {
    var entries: [FormValue] = []
    let kept = Set(new.compactMap { $0[.id]?.text })
    for entry in old {
      guard let id = entry[.id]?.text, !kept.contains(id) else { continue }
      entries.append(.entry([.id: .text(id), .removed: .flag(true)]))
      places.insert("\(list.rawValue)/\(id)")
    }
    for entry in new where !Self.isBlank(entry) {
      let before = old.first { $0[.id] != nil && $0[.id] == entry[.id] }
      guard let change = Self.change(from: before, to: entry) else { continue }
      entries.append(change)
      if let id = entry[.id]?.text { places.insert("\(list.rawValue)/\(id)") }
    }
    guard !entries.isEmpty else { return }
    changes[list.rawValue] = .list(entries)
    if places.isEmpty { places.insert(list.rawValue) }
  }

  private static func change(from old: FormValue?, to new: FormValue) -> FormValue? {
    guard case .object(let after) = new else { return new }
    guard case .object(let before) = old else { return new }
    var changed: [String: FormValue] = [:]
    for name in Set(before.keys).union(after.keys) where name != ContactItem.Key.id.name {
      let value = after[name] ?? .null
      if !same(before[name] ?? .null, value) { changed[name] = value }
    }
    guard !changed.isEmpty else { return nil }
    changed[.id] = after[.id]
    return .object(changed)
  }

  /// Whether an entry of the template was left empty: it has at most a label.
  private static func isBlank(_ entry: FormValue) -> Bool {
    guard case .object(let properties) = entry else { return entry.isEmpty }
    return properties[.id] == nil
      && properties.allSatisfy { $0.key == ContactItem.Key.label.name || $0.value.isEmpty }
  }

  /// Whether two values are equal for people: empty is absent, surrounding blanks are ignored.
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
