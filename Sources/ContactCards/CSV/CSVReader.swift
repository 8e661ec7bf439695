// Reads tables of other programs: rows of fields separated by commas, semicolons or tabs; fields that contain
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
    let names = CSVRows.fields(line, separator).map { TextDecoder.decode($0, charset: nil).text }
    return names.count > 1 && names.filter { CSVColumn(name: $0).isKnown }.count >= 2
  }
}

/// Splits lines into rows, and rows into contacts.
struct CSVRows: Sendable {
  private var columns: [CSVColumn]?
  private var separator = UInt8(ascii: ",")
  private var row: [UInt8] = []
  private var rowLine = 0
  private var isCut = false
  private var quotes = 0
  private var contacts: [ImportedContact] = []
  /// The unknown columns that had a value. Each is reported once, not for every row.
  private var reported: Set<Int> = []

  mutating func takeContacts() -> [ImportedContact] {
    defer { contacts = [] }
    return contacts
  }

  mutating func take(_ line: [UInt8], _ number: Int, _ isCut: Bool) {
    if row.isEmpty && quotes == 0 {
      rowLine = number
    } else {
      row.append(UInt8(ascii: "\n"))
    }
    self.isCut = self.isCut || isCut
    if row.count + line.count <= CardLimits.cardBytes {
      row += line
    } else {
      self.isCut = true
    }
    quotes += line.count { $0 == UInt8(ascii: "\"") }
    // After an even number of quotes the row is complete. A row of a megabyte has an unmatched quote.
    if quotes.isMultiple(of: 2) || self.isCut { endRow() }
  }

  mutating func finish() {
    if !row.isEmpty { endRow() }
  }

  private mutating func endRow() {
    defer {
      row = []
      quotes = 0
      isCut = false
    }
    guard row.contains(where: { !$0.isBlank && $0 != separator }) else { return }
    guard let columns else {
      separator = Self.separator(of: row)
      let names = Self.fields(row, separator).map { TextDecoder.decode($0, charset: nil).text }
      columns = CSVColumn.columns(names)
      return
    }
    var converter = CSVRowConverter(columns: columns, line: rowLine, reported: reported)
    converter.read(Self.fields(row, separator), isCut: isCut)
    reported = converter.reported
    contacts.append(converter.contact)
  }

  /// Returns the separator of a first row: the one that occurs most.
  static func separator(of header: [UInt8]) -> UInt8 {
    let candidates = [UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: "\t")]
    return candidates.max { left, right in
      header.count { $0 == left } < header.count { $0 == right }
    } ?? UInt8(ascii: ",")
  }

  /// Returns the fields of a row. A quote within a field is literal.
  static func fields(_ row: [UInt8], _ separator: UInt8) -> [[UInt8]] {
    var fields: [[UInt8]] = []
    var field: [UInt8] = []
    var isQuoted = false
    var index = 0
    while index < row.count {
      let byte = row[index]
      if isQuoted {
        if byte != UInt8(ascii: "\"") {
          field.append(byte)
        } else if index + 1 < row.count, row[index + 1] == UInt8(ascii: "\"") {
          field.append(byte)
          index += 1
        } else {
          isQuoted = false
        }
      } else if byte == separator {
        fields.append(field)
        field = []
      } else if byte == UInt8(ascii: "\""), field.isEmpty {
        isQuoted = true
      } else {
        field.append(byte)
      }
      index += 1
    }
    return fields + [field]
  }
}

/// The conversion of one row.
private struct CSVRowConverter {
  let columns: [CSVColumn]
  let line: Int
  private var draft = ContactDraft()
  private var findings: [CardFinding] = []
  private var content = Fingerprint()
  private var groupTitle = ""
  /// Incomplete entries, by their list and number in the header.
  private var entries: [CSVColumn.Slot: ContactDraft.DraftEntry] = [:]
  private var slots: [CSVColumn.Slot] = []
  /// The unknown columns that were reported for this row or an earlier one.
  private(set) var reported: Set<Int>

  init(columns: [CSVColumn], line: Int, reported: Set<Int>) {
    self.columns = columns
    self.line = line
    self.reported = reported
  }

  var contact: ImportedContact {
    var contact = ImportedContact(line: line, draft: draft, content: content, findings: findings)
    contact.groupTitle = groupTitle
    return contact
  }

  mutating func read(_ fields: [[UInt8]], isCut: Bool) {
    if isCut { find("", .lost, "The row is too long, or a quote in it is never closed.") }
    for (index, bytes) in fields.enumerated() {
      let decoded = TextDecoder.decode(bytes, charset: nil)
      let text = CSVFormula.restored(decoded.text.trimmingBlanks())
      guard !text.isEmpty else { continue }
      guard index < columns.count else {
        find("", .lost, "The row has more fields than the header row.")
        break
      }
      if columns[index].meaning != .group {
        content.add(columns[index].name)
        content.add(text)
      }
      if let oddity = decoded.oddity { find(columns[index].name, .guessed, "\(oddity).") }
      if columns[index].meaning == .unknown, reported.insert(index).inserted {
        find(columns[index].name, .kept, "No field has this name; the column is kept unchanged.")
      }
      read(text, columns[index])
    }
    for slot in slots { settle(slot) }
    if draft == ContactDraft() { find("", .failed, "The row is empty.") }
    draft.splitDisplayName()
    draft.dropDisplayNameOfParts()
  }

  private mutating func read(_ text: String, _ column: CSVColumn) {
    switch column.meaning {
    case .text(let property):
      draft[property] = property.isDate ? date(text, column.name) : text
    case .entry(let slot, let property):
      if entries[slot] == nil { slots.append(slot) }
      var entry = entries[slot] ?? ContactDraft.DraftEntry(texts: [.label: column.label])
      let value = slot.list == .dates && property == .value ? date(text, column.name) : text
      entry[property] = [entry[property], value].filter { !$0.isEmpty }.joined(separator: "\n")
      entries[slot] = entry
    case .departments: draft.departments = [text]
    case .categories: draft.categories = CSVColumn.categories(text)
    case .group: groupTitle = text
    case .emergency: draft.isEmergency = ["true", "yes", "1"].contains(text.lowercased())
    case .nothing: break
    case .unknown:
      let name =
        "X-"
        + column.name.uppercased().map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "-" }
      draft[.other].append(.init(texts: [.name: name, .value: CardText.escaped(text)]))
    }
  }

  /// Splits several values in one field, as Google writes them, into entries.
  private mutating func settle(_ slot: CSVColumn.Slot) {
    guard var entry = entries[slot] else { return }
    if entry[.label].hasPrefix("* ") || entry[.label] == "*" {
      entry[.label] = String(entry[.label].dropFirst(2))
      entry[.preference] = "1"
    }
    for var one in Self.entries(entry) {
      one[.label] = CSVColumn.label(one[.label])
      guard slot.list.substance.contains(where: { !one[$0].isEmpty }) else { continue }
      draft[slot.list].append(one)
    }
  }

  /// Returns the entries that share one column. Each part contains the parts of all entries, but a common
  /// label may occur once.
  private static func entries(_ entry: ContactDraft.DraftEntry) -> [ContactDraft.DraftEntry] {
    let pieces = entry.texts.mapValues(CSVColumn.pieces)
    let count = pieces.values.map(\.count).max() ?? 1
    guard count > 1 else { return [entry] }
    return (0..<count).map { number in
      var one = entry
      for (part, texts) in pieces {
        let isShared = texts.count == 1 && (part == .label || part == .preference)
        one[part] = isShared ? texts[0] : number < texts.count ? texts[number] : ""
      }
      return one
    }
  }

  /// Parses dates of tables. Dates with slashes have the American order, as in Outlook.
  private mutating func date(_ text: String, _ column: String) -> String {
    if let read = CardDate.read(text, omittedYear: nil), read.isExact {
      return read.date.description
    }
    let separator = text.first { !$0.isNumber } ?? " "
    let numbers = text.split(separator: separator).compactMap { Int($0) }
    if numbers.count == 3, numbers.allSatisfy({ $0 == 0 }) { return "" }
    let parts: (month: Int, day: Int)? =
      switch (separator, numbers.count) {
      case ("/", 3): (numbers[0], numbers[1])
      case (".", 3): (numbers[1], numbers[0])
      default: nil
      }
    guard let parts, numbers[2] > 99,
      let date = PartialDate(year: numbers[2], month: parts.month, day: parts.day)
    else {
      find(column, .kept, "“\(CardText.shown(text))” is not a date; it is kept unchanged.")
      return text
    }
    if separator == "/" { find(column, .guessed, "“\(text)” was read as month, day, year.") }
    return date.description
  }

  private mutating func find(
    _ property: String, _ outcome: CardFinding.Outcome, _ sentence: String
  ) {
    guard findings.count < CardLimits.findingsPerCard else { return }
    findings.append(
      CardFinding(line: line, property: property, outcome: outcome, sentence))
  }
}
