// Record types and field keys follow the rule of CloudKit's schema: an ASCII letter, then letters,
// digits and underscores.

/// The key of a field: an ASCII letter, then letters, digits and `_`; at most 255 bytes.
package struct FieldKey: Hashable, Comparable, Sendable, CustomStringConvertible {
  /// The key as text.
  package let text: String

  /// Validates `text` as a key.
  /// - Throws: `invalidArguments` if it violates the rule.
  package init(_ text: String) throws(RecordsError) {
    guard isSchemaName(text) else {
      throw .invalid("“\(text.prefix(40))” is not a field key: \(schemaNameRule)")
    }
    self.text = text
  }

  /// Wraps text that was validated before, or that the program itself wrote.
  package init(stored text: String) {
    self.text = text
  }

  package var description: String { text }

  /// Whether the bytes of a text are a valid key.
  static func isValid(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool { isSchemaName(bytes) }

  /// Compares by bytes, the order of fields in an encoded record.
  package static func < (left: Self, right: Self) -> Bool {
    left.text < right.text
  }
}

extension FieldKey: ExpressibleByStringLiteral {
  /// Creates a key from a literal. A literal that violates the rule is a programming error.
  package init(stringLiteral text: String) {
    precondition(isSchemaName(text), "“\(text)” in the source is not a field key.")
    self.text = text
  }
}

/// The type of a record, such as `Contact` or `Post`. The broker attaches no meaning to it.
package struct RecordType: Hashable, Comparable, Sendable, CustomStringConvertible {
  /// The type as text.
  package let text: String

  /// Validates `text` as a type.
  /// - Throws: `invalidArguments` if it violates the rule of `FieldKey`.
  package init(_ text: String) throws(RecordsError) {
    guard isSchemaName(text) else {
      throw .invalid("“\(text.prefix(40))” is not a record type: \(schemaNameRule)")
    }
    self.text = text
  }

  /// Wraps text that was validated before, or that the program itself wrote.
  package init(stored text: String) {
    self.text = text
  }

  package var description: String { text }

  package static func < (left: Self, right: Self) -> Bool {
    left.text < right.text
  }
}

private let schemaNameRule =
  "it must be an ASCII letter followed by letters, digits and “_”, at most 255 bytes."

private func isSchemaName(_ text: String) -> Bool {
  var text = text
  return text.withUTF8 { isSchemaName($0) }
}

private func isSchemaName(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
  guard let first = bytes.first, isLetter(first), bytes.count <= Limits.nameBytes else {
    return false
  }
  return bytes.allSatisfy { isLetter($0) || isDigit($0) || $0 == UInt8(ascii: "_") }
}

private func isLetter(_ byte: UInt8) -> Bool {
  (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
}

private func isDigit(_ byte: UInt8) -> Bool {
  (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
}
