// Full names and their parts. Files often contain only the full name, but lists are sorted by the parts.

import Contacts
import Records

extension ContactDraft {
  /// Whether the person's name has any part.
  var hasNameParts: Bool { !NameParts { self[$0] }.isEmpty }

  /// Splits the full name of a person without name parts: “Last, First”, or the last word and the words
  /// before it. The names of companies, and full names that are only a fallback, are unchanged.
  mutating func splitDisplayName() {
    let whole = self[.displayName]
    guard !hasNameParts, formattedName != whole else { return }
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

  /// Removes a full name that adds nothing to the parts. NB: Only if the parts produce the same full name
  /// again; see `formattedName`.
  mutating func dropDisplayNameOfParts() {
    if formattedName == self[.displayName] { self[.displayName] = "" }
  }
}
