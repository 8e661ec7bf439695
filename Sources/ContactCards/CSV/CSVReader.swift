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

  /// Whether `line` is probably the first row of a table of people.
  static func isHeader(_ line: [UInt8]) -> Bool {
    let separator = CSVRows.separator(of: line)
    let columns = CSVFields.fields(line, separator).map {
      CSVColumn(name: TextDecoder.decode($0, charset: nil).text)
    }
    // One word is a table only if nothing else begins with it.
    guard columns.count > 1 else { return columns[0].isAddressable }
    return columns.count(where: \.isKnown) >= 2
  }
}
