// Reduces a change to what the user typed. For example, a phone number that was added is sent with the whole list of
// numbers. If the device may no longer store the list, it may still store the added number.

import Records

extension FieldChanges {
  /// Returns the changes without the content of `base`. A list of entries contains only the new entries, and the
  /// scalars that differ in changed ones.
  package func typed(beside base: Fields) -> FieldChanges {
    var typed = FieldChanges(removed: removed)
    for field in set.all {
      guard case .entries(let entries) = field.value, case .entries(let former)? = base[field.key]
      else {
        typed.set[field.key] = field.value
        continue
      }
      let known = Dictionary(former.map { ($0.id, $0) }) { first, _ in first }
      let own = entries.compactMap { Self.typed($0, beside: known[$0.id]) }
      if !own.isEmpty { typed.set[field.key] = .entries(own) }
    }
    return typed
  }

  private static func typed(_ entry: Entry, beside former: Entry?) -> Entry? {
    guard let former else { return entry }
    let fields = entry.fields.all.filter { former.fields[$0.key] != $0.value }
    guard !fields.isEmpty else { return nil }
    return Entry(id: entry.id, position: entry.position, fields: Fields(sorted: fields))
  }
}
