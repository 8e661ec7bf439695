// The order in which entries are shown: the preferred ones first. They are stored in the order in which they were added.

/// An entry of a list that may be preferred to the others.
package protocol PreferableEntry {
  /// From 1, the most preferred, to 100; `nil` for no preference.
  var preferenceNumber: Int? { get }
}

extension Array where Element: PreferableEntry {
  /// The entries with the preferred ones first; others keep their order.
  package var preferredFirst: [Element] {
    guard count > 1, contains(where: { $0.preferenceNumber != nil }) else { return self }
    // NB: Swift's sort keeps the order of equal elements.
    return sorted { ($0.preferenceNumber ?? .max) < ($1.preferenceNumber ?? .max) }
  }
}

extension LabeledValue: PreferableEntry {
  package var preferenceNumber: Int? { details.preference }
}

extension PostalAddress: PreferableEntry {
  package var preferenceNumber: Int? { details.preference }
}

extension ContactDraft.DraftEntry: PreferableEntry {
  package var preferenceNumber: Int? { Int(self[.preference]) }
}
