// What becomes of a table's columns, for a person who decides whether to import it.

import Contacts
import Records

/// A column of a table.
package struct TableColumn: Hashable, Sendable {
  /// The column's name in the table.
  package let name: String
  /// What its values become: “first name”, “phone (work)”.
  package let meaning: String
  /// The first values that differ.
  package let samples: [String]
}

/// The first values of each column, and the columns that were reported.
struct CSVColumnSamples: Sendable {
  private static let countMaximum = 3
  /// The number of rows from which values are taken: a column with one value only would cost every row.
  private static let rowsMaximum = 100

  private var rowCount = 0
  private var values: [[String]] = []
  /// The columns with a finding. Each is reported once, not for every row.
  var reported: Set<Int> = []

  mutating func note(_ row: CSVRow, _ header: CSVHeader) {
    guard rowCount < Self.rowsMaximum else { return }
    rowCount += 1
    if values.isEmpty { values = header.columns.map { _ in [] } }
    for (index, field) in row.fields.enumerated()
    where index < values.count && values[index].count < Self.countMaximum && !field.isEmpty {
      let text = CardText.shown(header.text(of: field).text)
      if !text.isEmpty, !values[index].contains(text) { values[index].append(text) }
    }
  }

  /// Describes the columns, at most `columnsMaximum` of them: a person reads it.
  func summaries(of columns: [CSVColumn]) -> [TableColumn] {
    columns.prefix(Self.columnsMaximum).enumerated().map { index, column in
      TableColumn(
        name: String(column.name.prefix(Self.nameCharactersMaximum)),
        meaning: String(column.description.prefix(Self.nameCharactersMaximum)),
        samples: index < values.count ? values[index] : [])
    }
  }

  private static let columnsMaximum = 500
  private static let nameCharactersMaximum = 100
}

extension CSVColumn: CustomStringConvertible {
  /// What the column's values become.
  var description: String {
    switch meaning {
    case .text(let text): text.noun
    case .entry(let slot, let part):
      entry(slot) + (part == .value ? "" : ", \(Self.noun(of: part))")
    case .wholeAddress(let slot): entry(slot)
    case .departments: "department"
    case .categories: "category"
    case .emergency: "emergency contact"
    case .group: "group"
    case .birthday(let part): "birthday, \(part)"
    case .nothing: "nothing"
    case .unknown: "kept as \(kept.name)"
    }
  }

  /// The name and parameters of the property in which an unknown column is kept: a standard one of that name whose value is any
  /// text, or one that begins with `X-`. A property's name has letters of ASCII only, and some names mean something in a card; a
  /// column with such a name is named by a parameter.
  var kept: (name: String, parameters: String) {
    let text = name.trimmingBlanks()
    let name = Self.propertyName(of: text)
    let standard = String(name.dropFirst(2))
    if VersionRules.freeTexts.contains(standard) { return (standard, "") }
    guard text.utf8.allSatisfy({ $0 < 0x80 }), !ImportedContact.hasMeaning(name) else {
      return ("X-COLUMN", CardText.text(of: [CardParameter("X-NAME", [text])]))
    }
    return (name, "")
  }

  /// Returns the name of the property that is named after a column.
  static func propertyName(of name: String) -> String {
    let words = name.uppercased().split { !$0.isLetter && !$0.isNumber }
    return "X-" + (words.isEmpty ? "COLUMN" : words.joined(separator: "-"))
  }

  private func entry(_ slot: Slot) -> String {
    slot.list.noun + (label.isEmpty ? "" : " (\(label))")
  }

  private static func noun(of part: EntryText) -> String {
    switch part {
    case .street1, .street2: "street"
    case .poBox: "post office box"
    case .zipcode: "postal code"
    default: part.rawValue
    }
  }
}
