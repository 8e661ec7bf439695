// What of a contact a search looks at. Phones are found in any written form, so their digits stand
// beside what was typed: “(555) 010-0199” is found by 5550100199, 0100199 and 010-0199.

/// The texts of a contact that searching reads.
package enum ContactSearch {
  /// Every text of the contact, folded, one a line, and the bare digits of each phone.
  package static func text(of contact: Contact) -> String {
    var lines = [contact.firstName, contact.lastName, contact.company]
    for entry in contact.phones + contact.emails { lines += [entry.label, entry.value] }
    lines += contact.phones.map { digits(of: $0.value) }
    return lines.filter { !$0.isEmpty }.map { $0.folded() }.joined(separator: "\n")
  }

  /// The words of what a person typed, folded. All of them must be found. A word that can only be
  /// a written phone number is reduced to its digits.
  package static func words(of query: String) -> [String] {
    let trimmed = query.trimmingBlanks()
    if isPhoneNumber(trimmed) { return [digits(of: trimmed)] }
    return trimmed.split(whereSeparator: \.isWhitespace).map { String($0).folded() }
  }

  /// Whether `text`, as `text(of:)` made it, answers the `words`.
  package static func matches(_ words: [String], text: String) -> Bool {
    words.allSatisfy { text.contains($0) }
  }

  private static func digits(of text: String) -> String {
    text.compactMap(\.wholeNumberValue).map { String($0) }.joined()
  }

  private static func isPhoneNumber(_ text: String) -> Bool {
    var digitCount = 0
    for character in text {
      if character.wholeNumberValue != nil {
        digitCount += 1
      } else if !"+-()./ ".contains(character) {
        return false
      }
    }
    return digitCount >= 3
  }
}
