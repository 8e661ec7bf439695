// Words in code, as opposed to parts of longer names.

import Glibc

extension StringProtocol {
  /// Whether `text` occurs here, compared byte by byte. The rules ask this for each line of the project, and the standard
  /// library's search is slow without optimization: with it, all rules together took more than twice as long.
  func contains(_ text: String) -> Bool {
    withCString { line in text.withCString { strstr(line, $0) != nil } }
  }
}

extension String {
  /// Whether this line contains `text`, not inside a name or after a dot: `print(` is not in `fingerprint(`.
  /// A text that begins with a dot or another sign may be anywhere.
  func containsWord(_ text: String) -> Bool {
    guard contains(text) else { return false }
    guard let initial = text.first, initial.isLetter else { return true }
    return ranges(of: text).contains { range in
      guard range.lowerBound > startIndex else { return true }
      let before = self[index(before: range.lowerBound)]
      return !before.isLetter && !before.isNumber && before != "_" && before != "."
    }
  }
}
