// Folding of facts for comparison: case, diacritics and width are ignored. Searches fold words differently
// (Collation): there a word may have several forms, here two texts are equal or not.

import Foundation

extension String {
  /// Returns the text in lower case without accents, independent of the locale. Most facts are ASCII, which
  /// takes a fast path.
  func foldedFact() -> String {
    if utf8.allSatisfy({ $0 < 0x80 }) { return lowercased() }
    return folding(
      options: [.caseInsensitive, .diacriticInsensitive, .widthInsensitive], locale: nil)
  }
}
