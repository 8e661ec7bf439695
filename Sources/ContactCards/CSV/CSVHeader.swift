// The first row of a table, which names the columns. It also tells what the table does not say otherwise: its character set
// and the order of its dates. Some tables have no such row.

import Contacts
import Records

/// What the first row says about a table.
struct CSVHeader: Sendable {
  /// The columns, in order.
  private(set) var columns: [CSVColumn]
  /// The character set of texts that are not UTF-8; `nil` if the names do not tell.
  let charset: String?
  /// The order of dates.
  let dates: CSVDate
  /// Whether the table was exported here, so that its labels are as they were typed.
  let isOwn: Bool
  /// Whether the first row names columns, and is not a person.
  let hasNames: Bool

  /// The character sets in which Outlook writes the names: of western and central Europe, and of Japan.
  private static let charsets = ["windows-1252", "windows-1250", "CP932"]

  /// Reads the first row of a table.
  init(_ fields: [[UInt8]]) {
    charset = Self.charset(of: fields)
    let charset = charset
    let names = fields.map { TextDecoder.decode($0, charset: charset).text.trimmingBlanks() }
    let set = CSVHeaderSet.set(of: names)
    let columns = CSVColumn.columns(names, in: set)
    hasNames = columns.contains(where: \.isKnown) || names.allSatisfy { CSVContent.kind($0) == nil }
    isOwn = CSVWriter.ownColumns.allSatisfy(names.contains)
    dates = CSVDate(language: set?.language)
    self.columns =
      hasNames ? columns : fields.indices.map { CSVColumn(name: "Column \($0 + 1)") }
  }

  /// Whether the names of several columns are known, so that the row is the first of a table.
  var isTable: Bool { columns.count(where: \.isKnown) >= 2 }

  /// Whether the values of the first rows are needed to know the columns.
  var needsRows: Bool { columns.contains { !$0.isKnown } }

  /// Recognizes columns by the values of the first rows.
  mutating func recognize(from rows: [[[UInt8]]]) {
    let texts = rows.map { row in row.map { text(of: $0).text } }
    columns = CSVContent.recognized(columns, from: texts, hasHeader: hasNames)
  }

  /// Returns the text of a field, and what had to be guessed.
  func text(of field: [UInt8]) -> (text: String, oddity: String?) {
    if let charset, String(validating: field, as: UTF8.self) == nil {
      let decoded = TextDecoder.decode(field, charset: charset)
      return (CSVFormula.restored(decoded.text.trimmingBlanks()), decoded.oddity)
    }
    let decoded = TextDecoder.decode(field, charset: nil)
    return (CSVFormula.restored(decoded.text.trimmingBlanks()), decoded.oddity)
  }

  /// Returns the character set in which most names are known.
  private static func charset(of fields: [[UInt8]]) -> String? {
    guard fields.contains(where: { String(validating: $0, as: UTF8.self) == nil }) else {
      return nil
    }
    let counts = charsets.map { charset in
      let names = fields.map { TextDecoder.decode($0, charset: charset).text }
      return (charset, CSVHeaderSet.knownCount(of: names))
    }
    return counts.max { $0.1 < $1.1 }?.0
  }
}
