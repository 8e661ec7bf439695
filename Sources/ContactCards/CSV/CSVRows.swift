// Rows of a table. A quote that is never closed must not swallow the rows after it, so a row of several lines counts only
// if its quoted field ends as such a field does.

/// Splits lines into rows, and rows into contacts.
struct CSVRows: Sendable {
  private struct Line: Sendable {
    let bytes: [UInt8]
    let number: Int
    let isCut: Bool
  }

  private var columns: [CSVColumn]?
  private var separator = UInt8(ascii: ",")
  /// The lines of the row whose quoted field is still open.
  private var lines: [Line] = []
  private var byteCount = 0
  private var fields: CSVFields?
  private var contacts: [ImportedContact] = []
  /// The unknown columns that had a value. Each is reported once, not for every row.
  private var reported: Set<Int> = []

  mutating func takeContacts() -> [ImportedContact] {
    defer { contacts = [] }
    return contacts
  }

  mutating func take(_ bytes: [UInt8], _ number: Int, _ isCut: Bool) {
    let line = Line(bytes: bytes, number: number, isCut: isCut)
    if columns == nil, lines.isEmpty { separator = Self.separator(of: bytes) }
    // NB: Moved out before it is changed; otherwise each line would copy the fields.
    var fields = self.fields ?? CSVFields(separator: separator)
    self.fields = nil
    let progress = fields.take(bytes)
    lines.append(line)
    byteCount += bytes.count
    switch progress {
    case .complete: end(fields)
    case .open where isCut || byteCount > CardLimits.cardBytes: split()
    case .open: self.fields = fields
    case .contradiction:
      lines.removeLast()
      split()
      take(bytes, number, isCut)
    }
  }

  mutating func finish() {
    guard !lines.isEmpty else { return }
    // The end of the file may be missing. Then the lines are a text, and none of them is a row.
    guard var fields, lines.count > 1, !lines.dropFirst().contains(where: isRow) else {
      return split()
    }
    fields.endOpen()
    end(fields)
  }

  /// Whether a line alone has a field for each column.
  private func isRow(_ line: Line) -> Bool {
    CSVFields.fields(line.bytes, separator).count == columns?.count
  }

  /// Ends a row whose lines belong together.
  private mutating func end(_ fields: CSVFields) {
    let row = lines
    lines = []
    byteCount = 0
    add(fields, row)
  }

  /// Reads each line as a row of its own, because the quote in the first one is never closed.
  private mutating func split() {
    let rows = lines
    lines = []
    byteCount = 0
    for row in rows {
      var fields = CSVFields(separator: separator, isOneLine: true)
      _ = fields.take(row.bytes)
      if let columns { fields.joinUnclosed(columnCount: columns.count) }
      add(fields, [row])
    }
  }

  private mutating func add(_ fields: CSVFields, _ lines: [Line]) {
    let isBlank = lines.allSatisfy { $0.bytes.allSatisfy { $0.isBlank || $0 == separator } }
    guard !isBlank else { return }
    guard let columns else {
      let names = fields.all.map { TextDecoder.decode($0, charset: nil).text }
      columns = CSVColumn.columns(names)
      return
    }
    var converter = CSVRowConverter(columns: columns, line: lines[0].number, reported: reported)
    converter.read(
      fields.all, isCut: lines.contains(where: \.isCut), isUnclosed: fields.isUnclosed)
    reported = converter.reported
    contacts.append(converter.contact)
  }

  /// Returns the separator of a first row: the one that occurs most.
  static func separator(of header: [UInt8]) -> UInt8 {
    let candidates = [UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: "\t"), UInt8(ascii: "|")]
    return candidates.max { left, right in
      header.count { $0 == left } < header.count { $0 == right }
    } ?? UInt8(ascii: ",")
  }
}
