extension String {
  /// Returns the longest prefix of complete characters that fits into `count` bytes of UTF-8; empty
  /// if the first character is longer. The cost depends on the prefix alone, even for hostile text
  /// with thousands of accents on one letter.
  package func cut(toBytes count: Int) -> String {
    guard utf8.count > count else { return self }
    var end = utf8.index(startIndex, offsetBy: count)
    while end.samePosition(in: unicodeScalars) == nil { end = utf8.index(before: end) }
    var beginning = self[..<end]
    if end.samePosition(in: self) == nil { beginning.removeLast() }
    return String(beginning)
  }
}
