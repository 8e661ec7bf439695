// What a person typed of a change, and nothing that stood there before. A phone that was added is
// sent with the list it stands in; where the list may no longer be kept, the one phone may.

import Records

extension FieldChanges {
  /// The changes with only what `base` did not say: of lists of entries the ones that are new, and
  /// of changed ones the scalars that differ.
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
