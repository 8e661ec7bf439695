// Shows the position of an error in a text, with a caret below it. A long text is truncated on both sides of
// the position, so that the caret is at the right place on any terminal.

/// A part of a text with a mark.
enum TextExcerpt {
  private static let columnsMax = 72

  /// Returns two lines.
  /// - Parameter column: The position in characters from 1; one after the last means the end.
  static func lines(of text: String, column: Int) -> [String] {
    let characters = text.map { PlainText.clean(String($0)) }
    let place = min(max(column - 1, 0), characters.count)
    var start = 0
    if TextWidth.columns(of: characters[..<place].joined()) > columnsMax - 10 {
      start = place
      var width = 0
      while start > 0, width + TextWidth.columns(of: characters[start - 1]) <= columnsMax / 2 {
        start -= 1
        width += TextWidth.columns(of: characters[start])
      }
    }
    let lead = start > 0 ? "…" : ""
    let before = lead + characters[start..<place].joined()
    let whole = before + characters[place...].joined()
    return [
      "  " + TextWidth.cut(whole, to: columnsMax),
      "  " + String(repeating: " ", count: TextWidth.columns(of: before)) + "^",
    ]
  }
}
