// Aligned columns that fit the terminal. If a line would wrap, the widest columns are truncated first, with
// an ellipsis; columns with ids never are. A table that still does not fit is wrapped by the terminal,
// because a truncated id is useless.

/// Rows of columns for a terminal.
struct TextTable {
  /// The minimum width of a truncated column.
  private static let narrowest = 8
  private static let gap = 2

  private let rows: [[String]]
  private let whole: Set<Int>

  /// Creates a table of clean texts. The columns in `whole`, and those with ids only, are never truncated.
  init(_ rows: [[String]], whole: Set<Int> = []) {
    self.rows = rows
    self.whole = whole.union(Self.identifierColumns(of: rows))
  }

  private static func identifierColumns(of rows: [[String]]) -> [Int] {
    (0..<(rows.map(\.count).max() ?? 0)).filter { index in
      let cells = rows.compactMap { index < $0.count && !$0[index].isEmpty ? $0[index] : nil }
      return !cells.isEmpty && cells.allSatisfy(isIdentifier)
    }
  }

  /// 32 hexadecimal digits, with or without hyphens.
  private static func isIdentifier(_ text: String) -> Bool {
    var digits = 0
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"):
        digits += 1
      case UInt8(ascii: "-"): continue
      default: return false
      }
    }
    return digits == 32
  }

  /// The width of the table without truncation.
  var columns: Int {
    let widths = naturalWidths.filter { $0 > 0 }
    return widths.reduce(0, +) + Self.gap * max(0, widths.count - 1)
  }

  /// Returns the part of `limit` that remains for the columns that may be truncated.
  func roomForFlexible(limit: Int) -> Int {
    let widths = naturalWidths
    let fixed = whole.filter { $0 < widths.count }.reduce(0) { $0 + widths[$1] }
    return limit - fixed - Self.gap * max(0, widths.count - 1)
  }

  /// Returns the lines, none wider than `limit` columns if possible.
  func lines(limit: Int) -> [String] {
    let widths = widths(limit: limit)
    return rows.map { row in
      var line = ""
      for (index, text) in row.enumerated() { line += Self.padded(text, to: widths[index]) }
      return Self.trimmed(line)
    }
  }

  /// The width that is left to a sentence, if the columns before it can be truncated.
  private static let narrowestSentence = 40

  /// Returns lines in which the last value of each row is not truncated: it continues below itself. None is
  /// wider than `limit` columns if possible.
  func wrappedLines(limit: Int) -> [String] {
    let leading = TextTable(rows.map { $0.dropLast() }, whole: whole)
    let sentence = rows.map { TextWidth.columns(of: $0.last ?? "") }.max() ?? 0
    let widths = leading.widths(limit: limit - Self.gap - min(sentence, Self.narrowestSentence))
    return rows.flatMap { row in
      let lead = zip(row.dropLast(), widths).reduce("") { line, cell in
        line + Self.padded(cell.0, to: cell.1)
      }
      return TextWidth.lines(of: row.last ?? "", after: lead, limit: limit).map(Self.trimmed)
    }
  }

  /// Returns `text` in a column of this width with the gap after it; nothing for a column without values.
  private static func padded(_ text: String, to width: Int) -> String {
    guard width > 0 else { return "" }
    let shown = TextWidth.cut(text, to: width)
    return shown
      + String(repeating: " ", count: width - TextWidth.columns(of: shown) + gap)
  }

  private static func trimmed(_ line: String) -> String {
    String(line.reversed().drop { $0 == " " }.reversed())
  }

  private var naturalWidths: [Int] {
    var widths: [Int] = []
    for row in rows {
      for (index, text) in row.enumerated() {
        if index == widths.count { widths.append(0) }
        widths[index] = max(widths[index], TextWidth.columns(of: text))
      }
    }
    return widths
  }

  private func widths(limit: Int) -> [Int] {
    var widths = naturalWidths
    var excess = columns - limit
    let flexible = widths.indices.filter { !whole.contains($0) && widths[$0] > Self.narrowest }
    while excess > 0 {
      // The widest column shrinks to the width of the next, so that columns are truncated evenly.
      guard let widest = flexible.max(by: { widths[$0] < widths[$1] }),
        widths[widest] > Self.narrowest
      else { break }
      widths[widest] -= 1
      excess -= 1
    }
    return widths
  }
}
