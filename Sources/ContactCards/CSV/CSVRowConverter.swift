// A row as a contact. Each value has a place in the contact: a field, an entry of a list, or a property under the column's
// name, which is reported.

import Contacts
import Records

/// The conversion of one row.
struct CSVRowConverter {
  private let header: CSVHeader
  private let line: Int
  private var draft = ContactDraft()
  private var findings: [CardFinding] = []
  private var content = Fingerprint()
  private var groupTitle = ""
  /// Incomplete entries, by their list and number in the header.
  private var entries: [CSVColumn.Slot: ContactDraft.DraftEntry] = [:]
  private var slots: [CSVColumn.Slot] = []
  /// Whole addresses, used where the columns of their parts are empty.
  private var wholeAddresses: [CSVColumn.Slot: String] = [:]
  private var birthday: [CSVColumn.DatePart: (text: String, column: CSVColumn)] = [:]
  /// The columns that were reported for this row or an earlier one.
  private(set) var reported: Set<Int>

  init(header: CSVHeader, line: Int, reported: Set<Int>) {
    self.header = header
    self.line = line
    self.reported = reported
  }

  var contact: ImportedContact {
    var contact = ImportedContact(line: line, draft: draft, content: content, findings: findings)
    contact.groupTitle = groupTitle
    return contact
  }

  /// Reads the fields of the row.
  mutating func read(_ row: CSVRow) {
    if row.isCut { find("", .lost, "The row is too long; its end is missing.") }
    if row.isUnclosed {
      find(
        "", .guessed,
        "A quote that begins a field is never closed; check where the field ends.")
    }
    for (index, bytes) in row.fields.enumerated() {
      let (text, oddity) = header.text(of: bytes)
      guard !text.isEmpty else { continue }
      guard index < header.columns.count else {
        find("", .lost, "The row has more fields than the header row.")
        break
      }
      let column = header.columns[index]
      if column.meaning != .group {
        content.add(column.name)
        content.add(text)
      }
      if let oddity { find(column.name, .guessed, "\(oddity).") }
      report(column, index)
      read(text, column)
    }
    settleBirthday()
    for slot in slots { settle(slot) }
    if draft == ContactDraft() { find("", .failed, "The row is empty.") }
    draft.splitDisplayName()
    draft.dropDisplayNameOfParts()
  }

  /// Reports a column that is unknown or a guess.
  private mutating func report(_ column: CSVColumn, _ index: Int) {
    guard column.isGuessed || !column.isKnown, reported.insert(index).inserted else { return }
    if column.isGuessed {
      find(column.name, .guessed, "The column was read as \(column) because of its values.")
    } else {
      find(column.name, .kept, "No field has this name; the column is kept unchanged.")
    }
  }

  private mutating func read(_ text: String, _ column: CSVColumn) {
    switch column.meaning {
    case .text(let property):
      let value = property.isDate ? date(text, column.name) : text
      guard draft[property].isEmpty else { return keepSecond(value, draft[property], column) }
      draft[property] = value
    case .entry(let slot, let property): read(text, column, property, of: slot)
    case .wholeAddress(let slot):
      begin(slot, column)
      wholeAddresses[slot] = text
    case .departments:
      draft.departments += CSVColumn.pieces(text).filter {
        !$0.isEmpty && !draft.departments.contains($0)
      }
    case .categories(let separatedBySemicolons):
      let found = CSVColumn.categories(text, separatedBySemicolons: separatedBySemicolons)
      draft.categories += found.filter { !draft.categories.contains($0) }
    case .birthday(let part): birthday[part] = (text, column)
    case .group:
      guard groupTitle.isEmpty else { return keepSecond(text, groupTitle, column) }
      groupTitle = text
    case .emergency: readEmergency(text, column)
    case .nothing: break
    case .unknown: keep(text, column)
    }
  }

  private mutating func begin(_ slot: CSVColumn.Slot, _ column: CSVColumn) {
    guard entries[slot] == nil else { return }
    slots.append(slot)
    entries[slot] = ContactDraft.DraftEntry(texts: [.label: column.label])
  }

  private mutating func read(
    _ text: String, _ column: CSVColumn, _ property: EntryText, of slot: CSVColumn.Slot
  ) {
    begin(slot, column)
    let value = slot.list == .dates && property == .value ? date(text, column.name) : text
    let former = entries[slot]?[property] ?? ""
    if former.isEmpty {
      entries[slot]?[property] = value
    } else if slot.list == .addresses, property == .street2 {
      // Outlook has two columns for it.
      entries[slot]?[property] = former + "\n" + value
    } else {
      keepSecond(value, former, column)
    }
  }

  private mutating func readEmergency(_ text: String, _ column: CSVColumn) {
    switch text.lowercased() {
    case "true", "yes", "1": draft.isEmergency = true
    case "false", "no", "0": break
    default:
      find(
        column.name, .kept, "“\(CardText.shown(text))” is neither yes nor no; it is kept unchanged."
      )
      keep(text, column)
    }
  }

  /// Stores a value without a field of its own under the column's name.
  private mutating func keep(_ text: String, _ column: CSVColumn) {
    let (name, parameters) = column.kept
    draft[.other].append(
      .init(texts: [.name: name, .parameters: parameters, .value: CardText.escaped(text)]))
  }

  /// Stores a value whose field already has one of another column.
  private mutating func keepSecond(_ text: String, _ former: String, _ column: CSVColumn) {
    guard !text.isEmpty, text != former else { return }
    find(
      column.name, .kept,
      "Another column has this field already; “\(CardText.shown(text))” is kept unchanged.")
    keep(text, column)
  }

  /// Splits several values in one field, as Google writes them, into entries.
  private mutating func settle(_ slot: CSVColumn.Slot) {
    guard var entry = entries[slot] else { return }
    if let text = wholeAddresses[slot], !slot.list.substance.contains(where: { !entry[$0].isEmpty })
    {
      entry[.street1] = text
    }
    for (number, var one) in Self.entries(entry).enumerated() {
      if one[.label].hasPrefix("* ") || one[.label] == "*" {
        one[.label] = String(one[.label].dropFirst(2))
        // A label that several values share marks the first one.
        if number == 0 { one[.preference] = "1" }
      }
      if !header.isOwn { one[.label] = CSVColumn.label(one[.label]) }
      guard slot.list.substance.contains(where: { !one[$0].isEmpty }) else { continue }
      draft[slot.list].append(one)
      if slot.list != .dates,
        let sentence = EntryOddity.sentence(about: one[.value], in: slot.list)
      {
        find(slot.list.noun, .kept, sentence)
      }
    }
  }

  /// Joins the parts of a birthday. Parts that are no date are kept under the names of their columns.
  private mutating func settleBirthday() {
    guard !birthday.isEmpty else { return }
    let numbers = birthday.mapValues { Int($0.text) }
    let date = PartialDate(
      year: numbers[.year] ?? nil, month: numbers[.month] ?? nil, day: numbers[.day] ?? nil)
    if let date, !numbers.values.contains(nil), draft[.birthday].isEmpty {
      draft[.birthday] = date.description
      return
    }
    for part in [CSVColumn.DatePart.year, .month, .day] {
      if let (text, column) = birthday[part] { keepSecond(text, "", column) }
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

  /// Parses dates of tables.
  private mutating func date(_ text: String, _ column: String) -> String {
    if let read = CardDate.read(text, omittedYear: nil), read.isExact {
      return read.date.description
    }
    if CSVDate.isNone(text) { return "" }
    guard let found = header.dates.read(text) else {
      find(column, .kept, "“\(CardText.shown(text))” is not a date; it is kept unchanged.")
      return text
    }
    if found.isGuessed {
      let order = header.dates.isDayFirst ? "day, month, year" : "month, day, year"
      find(column, .guessed, "“\(text)” was read as \(order).")
    }
    return found.date.description
  }

  private mutating func find(
    _ property: String, _ outcome: CardFinding.Outcome, _ sentence: String
  ) {
    guard findings.count < CardLimits.findingsPerCard else { return }
    findings.append(
      CardFinding(line: line, property: property, outcome: outcome, sentence))
  }
}
