// The letters in brackets behind a comparison, `[c]`, `[d]` and `[cd]`: which differences between
// two texts do not count. Without them texts are compared byte by byte.

import Records

/// Which differences between texts a comparison overlooks.
package struct TextOptions: OptionSet, Hashable, Sendable {
  /// The bits; at most 3.
  package let rawValue: UInt8

  /// The options with these bits.
  package init(rawValue: UInt8) {
    self.rawValue = rawValue & 3
  }

  /// `[c]`: upper and lower case are the same.
  package static let caseInsensitive = TextOptions(rawValue: 1)
  /// `[d]`: accents and other marks on letters do not count.
  package static let diacriticInsensitive = TextOptions(rawValue: 2)

  /// What stands in the brackets: `cd`; empty for none.
  package var letters: String {
    (contains(.caseInsensitive) ? "c" : "") + (contains(.diacriticInsensitive) ? "d" : "")
  }
}
