// Blanks around a text never count.

extension String {
  /// The text without the blanks (spaces, tabs, line ends) around it.
  package func trimmingBlanks() -> String {
    guard let first = first, let last = last, first.isWhitespace || last.isWhitespace else {
      return self
    }
    let start = self.drop { $0.isWhitespace }
    guard let end = start.lastIndex(where: { !$0.isWhitespace }) else { return "" }
    return String(start[...end])
  }
}
