// Record types and field keys share one rule, that of CloudKit's schema: an ASCII letter, then
// letters, digits and underscores.

/// The key of a field within a record: an ASCII letter, then letters, digits, `_`; at most 255.
package struct FieldKey: Hashable, Comparable, Sendable, CustomStringConvertible {
  /// The key as text.
  package let text: String

  /// Takes `text` as a key.
  /// - Throws: `invalidArguments` when it breaks the rule.
  package init(_ text: String) throws(RecordsError) {
    guard isSchemaName(text) else {
      throw .invalid("“\(text.prefix(40))” is not a field key: \(schemaNameRule)")
    }
    self.text = text
  }

  /// Takes text that was checked before, or that the program itself wrote.
  package init(stored text: String) {
    self.text = text
  }

  package var description: String { text }

  /// Orders by bytes, as the fields of an encoded record are.
  package static func < (left: Self, right: Self) -> Bool {
    left.text < right.text
  }
}

extension FieldKey: ExpressibleByStringLiteral {
  /// A key written in source; breaking the rule there is a programmer's mistake.
  package init(stringLiteral text: String) {
    precondition(isSchemaName(text), "“\(text)” in the source is not a field key.")
    self.text = text
  }
}

/// The kind of a record, which is data to the broker: `Contact`, `Post`, anything.
package struct RecordType: Hashable, Comparable, Sendable, CustomStringConvertible {
  /// The type as text.
  package let text: String

  /// Takes `text` as a type.
  /// - Throws: `invalidArguments` when it breaks the rule of `FieldKey`.
  package init(_ text: String) throws(RecordsError) {
    guard isSchemaName(text) else {
      throw .invalid("“\(text.prefix(40))” is not a record type: \(schemaNameRule)")
    }
    self.text = text
  }

  /// Takes text that was checked before, or that the program itself wrote.
  package init(stored text: String) {
    self.text = text
  }

  package var description: String { text }

  package static func < (left: Self, right: Self) -> Bool {
    left.text < right.text
  }
}

private let schemaNameRule =
  "it begins with an ASCII letter and goes on with letters, digits and “_”, 255 at most."

private func isSchemaName(_ text: String) -> Bool {
  var text = text
  return text.withUTF8 { bytes in
    guard let first = bytes.first, isLetter(first), bytes.count <= Limits.nameBytes else {
      return false
    }
    return bytes.allSatisfy { isLetter($0) || isDigit($0) || $0 == UInt8(ascii: "_") }
  }
}

private func isLetter(_ byte: UInt8) -> Bool {
  (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
}

private func isDigit(_ byte: UInt8) -> Bool {
  (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
}
