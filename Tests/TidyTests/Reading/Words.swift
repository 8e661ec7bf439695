// Whole words in code, as opposed to parts of longer names.

extension String {
  /// Whether this line contains `text`, not inside a name or after a dot: `print(` is not in `fingerprint(`.
  /// A text that begins with a dot or another sign may be anywhere.
  func containsWord(_ text: String) -> Bool {
    guard let initial = text.first, initial.isLetter else { return contains(text) }
    return ranges(of: text).contains { range in
      guard range.lowerBound > startIndex else { return true }
      let before = self[index(before: range.lowerBound)]
      return !before.isLetter && !before.isNumber && before != "_" && before != "."
    }
  }
}
