// What the values of a column say of its meaning, where its name is unknown or the table has no header row.

import Contacts
import Records

/// Recognition of columns by their values.
enum CSVContent {
  /// The number of rows that are examined.
  static let rowsMaximum = 20
  /// The number of bytes of these rows.
  static let bytesMaximum = 1 << 20

  /// What kind of value a text is.
  enum Kind: Hashable, Sendable { case email, phone, date }

  /// Returns the kind that all values have; `nil` if there is none.
  static func kind(of values: [String]) -> Kind? {
    let kinds = values.filter { !$0.isEmpty }.map(kind)
    guard let first = kinds.first, kinds.allSatisfy({ $0 == first }) else { return nil }
    return first
  }

  /// Returns the kind of one value.
  static func kind(_ text: String) -> Kind? {
    if isEmail(text) { return .email }
    if isDate(text) { return .date }
    return isPhone(text) ? .phone : nil
  }

  static func isEmail(_ text: String) -> Bool {
    let halves = text.split(separator: "@", omittingEmptySubsequences: false)
    return halves.count == 2 && !halves[0].isEmpty && halves[1].contains(".")
      && !halves[1].hasPrefix(".") && !halves[1].hasSuffix(".")
      && !text.contains { $0.isWhitespace || $0 == "," || $0 == ";" }
  }

  private static func isDate(_ text: String) -> Bool {
    if let read = CardDate.read(text, omittedYear: nil) { return read.date.day != nil }
    return CSVDate.numbers(text) != nil
  }

  /// A number with the signs of a phone number. One of digits alone may be anything, such as a customer's.
  private static func isPhone(_ text: String) -> Bool {
    let digits = text.count { $0.isASCII && $0.isNumber }
    guard text.allSatisfy({ "+-()/. ".contains($0) || $0.isASCII && $0.isNumber }) else {
      return false
    }
    if text.hasPrefix("+") { return (4...18).contains(digits) }
    return (6...18).contains(digits)
      && (text.hasPrefix("0") || text.contains { "-()/ ".contains($0) })
  }

  /// Returns the columns of a table with the meanings that the values of the first rows suggest.
  static func recognized(
    _ columns: [CSVColumn], from rows: [[String]], hasHeader: Bool
  ) -> [CSVColumn] {
    var columns = columns
    for index in columns.indices where !columns[index].isKnown {
      let values = rows.compactMap { index < $0.count ? $0[index] : nil }
      if let kind = kind(of: values) {
        columns[index] = columns[index].guessed(
          meaning(of: kind, column: index), isLabelled: hasHeader)
      }
    }
    return hasHeader ? columns : withNames(columns, rows)
  }

  private static func meaning(of kind: Kind, column: Int) -> CSVColumn.Meaning {
    let list: ContactList =
      switch kind {
      case .email: .emails
      case .phone: .phones
      case .date: .dates
      }
    return .entry(CSVColumn.Slot(list: list, key: "column \(column + 1)"), .value)
  }

  /// Without a header row, the first columns of words are the name.
  private static func withNames(_ columns: [CSVColumn], _ rows: [[String]]) -> [CSVColumn] {
    var columns = columns
    let words = columns.indices.filter { index in
      !columns[index].isKnown && rows.contains { index < $0.count && !$0[index].isEmpty }
    }
    let names: [ContactText] = words.count == 1 ? [.displayName] : [.firstName, .lastName]
    for (index, text) in zip(words, names) {
      columns[index] = columns[index].guessed(.text(text), isLabelled: false)
    }
    return columns
  }
}
