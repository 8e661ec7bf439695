// Rows of a table. A quote that is never closed must not swallow the rows after it, so a row of several lines counts only
// if its quoted field ends as such a field does. The first rows wait until the meaning of all columns is known.

import Contacts
import Records

/// Splits lines into rows, and rows into contacts.
struct CSVRows: Sendable {
  private struct Line: Sendable {
    let bytes: [UInt8]
    let number: Int
    let isCut: Bool
  }

  /// A row of fields and its lines.
  private struct Row: Sendable {
    let fields: CSVFields
    let lines: [Line]
  }

  private var header: CSVHeader?
  /// Lines that may be notes before the row of names, as LinkedIn writes them; `nil` once that is decided.
  private var notes: [Row]? = []
  /// The problems of lines that are no rows.
  private var findings: [CardFinding] = []
  private var separator: UInt8?
  /// The lines of the row whose quoted field is still open.
  private var lines: [Line] = []
  private var byteCount = 0
  private var fields: CSVFields?
  /// The rows that wait for the meaning of the columns.
  private var waiting: [CSVRow] = []
  private var waitingBytes = 0
  private var isSettled = false
  private var contacts: [ImportedContact] = []
  private var columns = CSVColumnSamples()

  mutating func takeContacts() -> [ImportedContact] {
    defer { contacts = [] }
    return contacts
  }

  /// Returns the problems of lines that are no rows, each once.
  mutating func takeFindings() -> [CardFinding] {
    defer { findings = [] }
    return findings
  }

  /// The columns of the table, with some of their values. It is complete at the end of the table.
  var summaries: [TableColumn] { header.map { columns.summaries(of: $0.columns) } ?? [] }

  mutating func take(_ bytes: [UInt8], _ number: Int, _ isCut: Bool) {
    let line = Line(bytes: bytes, number: number, isCut: isCut)
    if header == nil, lines.isEmpty {
      // Excel reads a first line that names the separator.
      if separator == nil, let named = Self.namedSeparator(bytes) {
        separator = named
        return
      }
      separator = separator ?? (bytes.allSatisfy(\.isBlank) ? nil : Self.separator(of: bytes))
    }
    // NB: Moved out before it is changed; otherwise each line would copy the fields.
    var fields = self.fields ?? CSVFields(separator: comma)
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

  private var comma: UInt8 { separator ?? UInt8(ascii: ",") }

  mutating func finish() {
    defer {
      restoreNotes()
      settle()
    }
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
    CSVFields.fields(line.bytes, comma).count == header?.columns.count
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
      var fields = CSVFields(separator: comma, isOneLine: true)
      _ = fields.take(row.bytes)
      if let header { fields.joinUnclosed(columnCount: header.columns.count) }
      add(fields, [row])
    }
  }

  private mutating func add(_ fields: CSVFields, _ lines: [Line]) {
    let isBlank = lines.allSatisfy { $0.bytes.allSatisfy { $0.isBlank || $0 == comma } }
    guard !isBlank else { return }
    if header == nil {
      let first = CSVHeader(fields.all)
      guard !mayBeNote(fields, first) else {
        notes?.append(Row(fields: fields, lines: lines))
        separator = nil
        return
      }
      if first.isTable { reportNotes() } else { restoreNotes() }
      if header == nil {
        header = first
        if first.hasNames { return }
      }
    }
    waiting.append(
      CSVRow(
        fields: fields.all, line: lines[0].number, isCut: lines.contains(where: \.isCut),
        isUnclosed: fields.isUnclosed))
    waitingBytes += lines.reduce(0) { $0 + $1.bytes.count }
    let isEnough =
      waiting.count >= CSVContent.rowsMaximum || waitingBytes >= CSVContent.bytesMaximum
    if isSettled || isEnough || header?.needsRows == false { settle() }
  }

  /// Whether a row can be a note before the row of names: it has one field, which names no column and is no value.
  private func mayBeNote(_ fields: CSVFields, _ header: CSVHeader) -> Bool {
    guard let notes, notes.count < Self.notesMaximum, fields.all.count == 1 else { return false }
    return header.hasNames && !header.columns[0].isKnown
  }

  /// The lines that can be notes.
  static let notesMaximum = 3

  /// Reports the notes, which are no part of the table.
  private mutating func reportNotes() {
    findings += (notes ?? []).map {
      CardFinding(
        line: $0.lines[0].number, outcome: .lost,
        "The line is before the names of the columns and was ignored.")
    }
    notes = nil
  }

  /// Reads the lines as rows, because no row of names followed.
  private mutating func restoreNotes() {
    let rows = notes ?? []
    notes = nil
    for row in rows { add(row.fields, row.lines) }
  }

  /// Converts the waiting rows.
  private mutating func settle() {
    if !isSettled {
      header?.recognize(from: waiting.map(\.fields))
      isSettled = true
    }
    guard let header else { return }
    for row in waiting {
      columns.note(row, header)
      var converter = CSVRowConverter(header: header, line: row.line, reported: columns.reported)
      converter.read(row)
      columns.reported = converter.reported
      contacts.append(converter.contact)
    }
    waiting = []
    waitingBytes = 0
  }

  /// Returns the separator that a line `sep=;` names.
  static func namedSeparator(_ line: [UInt8]) -> UInt8? {
    line.count == 5 && line.starts(with: Array("sep=".utf8)) ? line[4] : nil
  }

  /// Returns the separator of a first row: the one that occurs most.
  static func separator(of header: [UInt8]) -> UInt8 {
    let candidates = [UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: "\t"), UInt8(ascii: "|")]
    return candidates.max { left, right in
      header.count { $0 == left } < header.count { $0 == right }
    } ?? UInt8(ascii: ",")
  }
}

/// A row that was read.
struct CSVRow: Sendable {
  let fields: [[UInt8]]
  /// The line at which it begins.
  let line: Int
  /// Whether it is longer than a line may be.
  let isCut: Bool
  /// Whether a quote in it is never closed.
  let isUnclosed: Bool
}
