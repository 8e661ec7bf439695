// How texts are made comparable: case and accents off, blanks trimmed. Nearly all names of nearly
// all address books are ASCII, so that way is short; the rest goes through Foundation's tables.

import Foundation

extension String {
  /// The text without the blanks (spaces, tabs, line ends) around it.
  package func trimmingBlanks() -> String {
    guard let first = first, let last = last, first.isWhitespace || last.isWhitespace else {
      return self
    }
    let start = self.drop { $0.isWhitespace }
    guard let end = start.lastIndex(where: { !$0.isWhitespace }) else { return "" }
    return String(start[...end])
  }

  /// The text in lower case without accents: “Émile” and “emile” fold to the same. The same on
  /// every machine, whatever its language.
  package func folded() -> String {
    if utf8.allSatisfy({ $0 < 0x80 }) { return lowercased() }
    return folding(
      options: [.caseInsensitive, .diacriticInsensitive, .widthInsensitive], locale: nil)
  }
}
