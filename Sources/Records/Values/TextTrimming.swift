// Blanks around a text never count.

extension StringProtocol {
  /// The text without the blanks (spaces, tabs, line ends) around it.
  ///
  /// Looks at scalars: one character may have hundreds of thousands of them.
  package func trimmingBlanks() -> String {
    let scalars = unicodeScalars
    guard let start = scalars.firstIndex(where: { !$0.properties.isWhitespace }),
      let last = scalars.lastIndex(where: { !$0.properties.isWhitespace })
    else { return "" }
    return String(self[start..<scalars.index(after: last)])
  }
}
