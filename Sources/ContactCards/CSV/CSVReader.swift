// Reads tables of other programs: rows of fields separated by commas, semicolons, tabs or bars; fields that contain
// a separator or a line break are in quotes. The first row names the columns; CSVColumn.swift defines their
// meaning. Unknown columns are stored under their names.

import Contacts
import Records

/// Reads tables.
struct CSVReader: Sendable {
  private var lines = LineReader(lineBytesMax: CardLimits.cardBytes)
  private var rows = CSVRows()

  /// Reads a chunk and returns the contacts that it completes.
  mutating func feed(_ chunk: some Collection<UInt8>) -> [ImportedContact] {
    var rows = rows
    self.rows = CSVRows()
    lines.feed(chunk) { line, number, isCut in rows.take(line, number, isCut) }
    defer { self.rows = rows }
    return rows.takeContacts()
  }

  /// Ends the table, and returns the last contact.
  mutating func finish() -> [ImportedContact] {
    var rows = rows
    self.rows = CSVRows()
    lines.finish { line, number, isCut in rows.take(line, number, isCut) }
    rows.finish()
    defer { self.rows = rows }
    return rows.takeContacts()
  }

  /// The columns of the table, complete at its end.
  var columns: [TableColumn] { rows.summaries }

  /// Returns the problems of lines that are no rows, each once.
  mutating func takeFindings() -> [CardFinding] { rows.takeFindings() }

  /// Whether `lines`, the first ones of a file, are probably a table of people.
  /// - Parameter areAll: Whether these are all lines that are examined. Before that, only the names of columns show a table:
  ///   values may be followed by a line that is no row.
  static func isTable(_ lines: [[UInt8]], areAll: Bool) -> Bool {
    let named = lines.first.flatMap(CSVRows.namedSeparator)
    let lines = named == nil ? lines[...] : lines.dropFirst()
    guard let first = lines.first, !isCard(first) else { return false }
    let separator = named ?? CSVRows.separator(of: first)
    let rows = lines.map { CSVFields.fields($0, separator) }
    let header = CSVHeader(rows[0])
    // One word is a table only if nothing else begins with it, or if it is a note before the row of names.
    if rows[0].count == 1 {
      if hasNamesAfterNotes(lines) { return true }
      return header.columns[0].isAddressable || areAll && rows.allSatisfy { isEmail($0) }
    }
    if header.isTable { return true }
    let isEven = areAll && rows.allSatisfy { $0.count == rows[0].count }
    return isEven
      && rows.contains { row in row.contains { CSVContent.kind(header.text(of: $0).text) != nil } }
  }

  private static func hasNamesAfterNotes(_ lines: ArraySlice<[UInt8]>) -> Bool {
    for line in lines.prefix(CSVRows.notesMaximum + 1) {
      if isCard(line) { return false }
      let fields = CSVFields.fields(line, CSVRows.separator(of: line))
      if fields.count > 1 { return CSVHeader(fields).isTable }
    }
    return false
  }

  private static func isEmail(_ row: [[UInt8]]) -> Bool {
    row.count == 1 && CSVContent.isEmail(String(decoding: row[0], as: UTF8.self).trimmingBlanks())
  }

  private static func isCard(_ line: [UInt8]) -> Bool {
    String(decoding: line.prefix(6), as: UTF8.self).uppercased() == "BEGIN:"
  }
}
