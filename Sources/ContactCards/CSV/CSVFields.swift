// The fields of a row, by RFC 4180 and leniently where a row violates it: a quote that does not end its field is a
// character of the field.

/// The fields of one row, which is read line by line.
struct CSVFields: Sendable {
  /// What a line does to the row.
  enum Progress: Sendable {
    /// The row ends with the line.
    case complete
    /// A quoted field goes on in the next line.
    case open
    /// A field begins with a quote inside a quoted field that began in an earlier line, so that field was never closed.
    case contradiction
  }

  private static let quote = UInt8(ascii: "\"")

  private let separator: UInt8
  /// Whether a quoted field ends in the line in which it begins.
  private let isOneLine: Bool
  private var ended: [[UInt8]] = []
  private var field: [UInt8] = []
  private var isQuoted = false
  private var unclosed: Int?

  /// Creates a row without fields.
  init(separator: UInt8, isOneLine: Bool = false) {
    self.separator = separator
    self.isOneLine = isOneLine
  }

  /// Returns the fields of a row of one line.
  static func fields(_ line: [UInt8], _ separator: UInt8) -> [[UInt8]] {
    var fields = CSVFields(separator: separator, isOneLine: true)
    _ = fields.take(line)
    return fields.all
  }

  /// All fields that were read.
  var all: [[UInt8]] { ended + [field] }

  /// Whether a field begins with a quote that is never closed.
  var isUnclosed: Bool { unclosed != nil }

  /// Reads the next line of the row, without its end.
  mutating func take(_ line: [UInt8]) -> Progress {
    var isContinued = isQuoted
    if isContinued { field.append(UInt8(ascii: "\n")) }
    var index = 0
    while index < line.count {
      let byte = line[index]
      if !isQuoted {
        begin(byte, line, index)
      } else if byte != Self.quote {
        field.append(byte)
      } else if index + 1 < line.count, line[index + 1] == Self.quote {
        field.append(byte)
        index += 1
      } else if endsField(line, index + 1) {
        isQuoted = false
        isContinued = false
      } else if isContinued, beginsField(line, index) {
        return .contradiction
      } else {
        field.append(byte)
      }
      index += 1
    }
    return isQuoted ? .open : .complete
  }

  /// Ends a row whose quoted field is still open.
  mutating func endOpen() {
    unclosed = unclosed ?? ended.count
    isQuoted = false
  }

  /// Joins the fields from an unclosed one on, if the row has more fields than there are columns: the separators after
  /// the quote were a part of the text.
  mutating func joinUnclosed(columnCount: Int) {
    guard let unclosed, unclosed < ended.count, ended.count >= columnCount else { return }
    field = Array(all[unclosed...].joined(separator: [separator]))
    ended.removeSubrange(unclosed...)
  }

  private mutating func begin(_ byte: UInt8, _ line: [UInt8], _ index: Int) {
    if byte == separator {
      ended.append(field)
      field = []
    } else if byte == Self.quote, field.allSatisfy(\.isBlank) {
      if opens(line, index) {
        field = []
        isQuoted = true
      } else {
        unclosed = unclosed ?? ended.count
        field.append(byte)
      }
    } else {
      field.append(byte)
    }
  }

  /// Whether the quote at `start` begins a quoted field. It does not if a further field begins with a quote, or the line
  /// ends after further quotes, before the field is closed.
  private func opens(_ line: [UInt8], _ start: Int) -> Bool {
    var index = start + 1
    var hasInnerQuote = false
    while index < line.count {
      if line[index] == Self.quote {
        if index + 1 < line.count, line[index + 1] == Self.quote {
          index += 1
        } else if endsField(line, index + 1) {
          return true
        } else if beginsField(line, index) {
          return false
        } else {
          hasInnerQuote = true
        }
      }
      index += 1
    }
    return !isOneLine && !hasInnerQuote
  }

  /// Whether only blanks are between `index` and the end of a field.
  private func endsField(_ line: [UInt8], _ index: Int) -> Bool {
    let rest = line[index...].drop { $0.isBlank && $0 != separator }
    return rest.first.map { $0 == separator } ?? true
  }

  /// Whether only blanks are between the beginning of a field and `index`.
  private func beginsField(_ line: [UInt8], _ index: Int) -> Bool {
    let last = line[..<index].last { !$0.isBlank || $0 == separator }
    return last.map { $0 == separator } ?? true
  }
}
