// Words in code, told from the same letters inside longer names.

extension String {
  /// Whether `text` stands in this line and does not begin inside a name or behind a dot: `print(`
  /// is not in `fingerprint(`. A text that begins with a dot or a sign stands anywhere.
  func containsWord(_ text: String) -> Bool {
    guard let initial = text.first, initial.isLetter else { return contains(text) }
    return ranges(of: text).contains { range in
      guard range.lowerBound > startIndex else { return true }
      let before = self[index(before: range.lowerBound)]
      return !before.isLetter && !before.isNumber && before != "_" && before != "."
    }
  }
}
