// Where in a text something is wrong: the text, and a caret under the place. A long one is cut around
// the place, so that the caret stands under it on any terminal.

/// A part of a text with a mark.
enum TextExcerpt {
  private static let columnsMax = 72

  /// Two lines.
  /// - Parameter column: the place, counted in characters from 1; one behind the end is its end.
  static func lines(of text: String, column: Int) -> [String] {
    let characters = text.map { PlainText.clean(String($0)) }
    let place = min(max(column - 1, 0), characters.count)
    var start = 0
    if TextWidth.columns(of: characters[..<place].joined()) > columnsMax - 10 {
      start = max(0, place - columnsMax / 2)
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
