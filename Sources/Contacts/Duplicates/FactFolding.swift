// How facts are made comparable: case, accents and width off. Words of a search are folded otherwise
// (Collation): there one word may have several forms, here two texts are the same or they are not.

import Foundation

extension String {
  /// The text in lower case without accents, the same on every machine. Most facts are ASCII, so
  /// that way is short.
  func foldedFact() -> String {
    if utf8.allSatisfy({ $0 < 0x80 }) { return lowercased() }
    return folding(
      options: [.caseInsensitive, .diacriticInsensitive, .widthInsensitive], locale: nil)
  }
}
