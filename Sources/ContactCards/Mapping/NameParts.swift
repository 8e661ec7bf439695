// A whole name and its parts: files often have only the one, and lists are sorted by the others.

import Contacts
import Records

extension ContactDraft {
  /// Whether any part of a person's name is there.
  var hasNameParts: Bool {
    let parts: [ContactText] = [.lastName, .firstName, .middleName, .namePrefix, .nameSuffix]
    return !parts.allSatisfy { self[$0].isEmpty }
  }

  /// Gives a person who has only a whole name parts: “Last, First”, or the last word and those before
  /// it. A company has none, and what is shown anyway is left alone.
  mutating func splitDisplayName() {
    let whole = self[.displayName]
    guard !hasNameParts, self[.company].isEmpty, formattedName != whole else { return }
    let words = whole.split(whereSeparator: \.isWhitespace).map { String($0) }
    if let comma = whole.firstIndex(of: ",") {
      self[.lastName] = String(whole[..<comma]).trimmingBlanks()
      self[.firstName] = String(whole[whole.index(after: comma)...]).trimmingBlanks()
    } else if words.count > 1 {
      self[.firstName] = words.dropLast().joined(separator: " ")
      self[.lastName] = words.last ?? ""
    } else {
      self[.firstName] = whole
    }
  }

  /// Leaves out a whole name that says no more than the parts.
  ///
  /// NB: only one that they give back may go; see `formattedName`.
  mutating func dropDisplayNameOfParts() {
    if formattedName == self[.displayName] { self[.displayName] = "" }
  }
}
