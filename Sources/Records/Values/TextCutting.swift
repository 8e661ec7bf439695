// Texts that somebody else wrote have no length that one could count on. Where there is room for so many
// bytes only, what stands there must still be text; and a text made to be awkward, with thousands of
// accents on one letter, must not take longer than another.

extension String {
  /// The beginning of at most `count` bytes of UTF-8, cut at a character: empty where the first one
  /// is longer. Costs a look at what is kept.
  package func cut(toBytes count: Int) -> String {
    guard utf8.count > count else { return self }
    var end = utf8.index(startIndex, offsetBy: count)
    while end.samePosition(in: unicodeScalars) == nil { end = utf8.index(before: end) }
    var beginning = self[..<end]
    if end.samePosition(in: self) == nil { beginning.removeLast() }
    return String(beginning)
  }
}
