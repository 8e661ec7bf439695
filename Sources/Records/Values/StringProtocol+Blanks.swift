extension StringProtocol {
  /// Returns the text without leading and trailing whitespace.
  ///
  /// Examines scalars rather than characters, because one character may have hundreds of thousands
  /// of scalars.
  package func trimmingBlanks() -> String {
    let scalars = unicodeScalars
    guard let start = scalars.firstIndex(where: { !$0.isBlank }),
      let last = scalars.lastIndex(where: { !$0.isBlank })
    else { return "" }
    return String(self[start..<scalars.index(after: last)])
  }
}

extension Unicode.Scalar {
  /// Whether the scalar has Unicode's property White_Space. Nearly all texts begin and end with ASCII, whose blanks are known
  /// without a look-up in Unicode's tables.
  package var isBlank: Bool {
    isASCII ? self == " " || ("\t"..."\r").contains(self) : properties.isWhitespace
  }
}

extension String {
  /// Returns the text without leading and trailing whitespace.
  package func trimmingBlanks() -> String {
    beginsAndEndsWithLetter ? self : self[...].trimmingBlanks()
  }

  /// Whether the first and the last scalar are known, from their bytes alone, to be no whitespace. This holds for most
  /// texts of the alphabets before U+0800.
  private var beginsAndEndsWithLetter: Bool {
    let bytes = utf8
    guard let first = bytes.first, let last = bytes.last else { return false }
    guard Self.isGraphic(first) || Self.beginsLetter(first) else { return false }
    return Self.isGraphic(last)
      || bytes.count > 1 && Self.beginsLetter(bytes[bytes.index(bytes.endIndex, offsetBy: -2)])
  }

  private static func isGraphic(_ byte: UInt8) -> Bool { (0x21...0x7E).contains(byte) }

  /// Whether the byte begins one of the scalars U+00C0 to U+07FF, which have two bytes. None of them is whitespace.
  private static func beginsLetter(_ byte: UInt8) -> Bool { (0xC3...0xDF).contains(byte) }
}
