// A list of things with ids, for people: the columns that they read come first, the short ids last.

/// Rows with an id each, for a terminal.
struct IdentifiedTable {
  private let table: TextTable

  /// Creates a table of rows whose columns at `ids` contain ids. Those in `leading` are moved to the
  /// beginning of the line, those in `ids` are shortened and moved to its end.
  init(_ rows: [[String]], ids: [Int] = [0], leading: [Int] = []) {
    let columns = rows.map(\.count).max() ?? 0
    let short = ShortIDs(
      rows.flatMap { row in ids.filter(row.indices.contains).map { row[$0] } })
    let others = (0..<columns).filter { !ids.contains($0) && !leading.contains($0) }
    let shown = rows.map { row in
      let cells = (leading + others).map { index in
        row.indices.contains(index) ? LocalTime.shown(PlainText.clean(row[index])) : ""
      }
      return cells
        + ids.map { row.indices.contains($0) ? PlainText.clean(short[row[$0]]) : "" }
    }
    let first = max(0, columns - ids.count)
    table = TextTable(shown, whole: Set(first..<first + ids.count))
  }

  /// Returns the lines, none wider than `limit` columns if possible.
  func lines(limit: Int) -> [String] { table.lines(limit: limit) }
}
