extension StringProtocol {
  /// Returns the text without leading and trailing whitespace.
  ///
  /// Examines scalars rather than characters, because one character may have hundreds of thousands
  /// of scalars.
  package func trimmingBlanks() -> String {
    let scalars = unicodeScalars
    guard let start = scalars.firstIndex(where: { !$0.properties.isWhitespace }),
      let last = scalars.lastIndex(where: { !$0.properties.isWhitespace })
    else { return "" }
    return String(self[start..<scalars.index(after: last)])
  }
}
