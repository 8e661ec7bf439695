import Records

/// The differences between texts that a comparison ignores, written as `[c]`, `[d]` or `[cd]` after the
/// operator. Without options, texts are compared byte by byte.
package struct TextOptions: OptionSet, Hashable, Sendable {
  /// The bits, 0 to 3.
  package let rawValue: UInt8

  /// Creates the options with these bits; bits above the lowest two are ignored.
  package init(rawValue: UInt8) {
    self.rawValue = rawValue & 3
  }

  /// `[c]`: upper and lower case are equal.
  package static let caseInsensitive = TextOptions(rawValue: 1)
  /// `[d]`: accents and other marks on letters are ignored.
  package static let diacriticInsensitive = TextOptions(rawValue: 2)

  /// The letters in the brackets, such as `cd`; empty for no options.
  package var letters: String {
    (contains(.caseInsensitive) ? "c" : "") + (contains(.diacriticInsensitive) ? "d" : "")
  }
}
