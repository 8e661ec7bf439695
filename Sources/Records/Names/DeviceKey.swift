/// A device's key: 32 random bytes with which the device proves its identity. The device generates
/// it. A key that an administrator issues travels as 64 hexadecimal digits, parsed strictly so that
/// a missing digit is reported at once.
package struct DeviceKey: Hashable, Sendable {
  /// The length of a key in bytes.
  package static let byteCount = 32

  /// The key, `byteCount` bytes.
  package let bytes: [UInt8]

  /// Generates a key. `generator` must be cryptographically secure.
  package static func random(using generator: inout some RandomNumberGenerator) -> Self {
    Self(bytes: (0..<byteCount).map { _ in UInt8.random(in: 0 ... .max, using: &generator) })
  }

  private init(bytes: [UInt8]) {
    self.bytes = bytes
  }

  /// Parses a key from text, ignoring surrounding whitespace.
  /// - Throws: `invalidArguments` if the text is not a complete key.
  package init(text: String) throws(RecordsError) {
    let digits = text.filter { !$0.isWhitespace }
    guard text.split(whereSeparator: \.isWhitespace).count == 1,
      digits.utf8.count == 2 * Self.byteCount,
      digits.utf8.allSatisfy({ Character(UnicodeScalar($0)).isHexDigit })
    else {
      throw RecordsError(
        .invalidArguments, "This is not a complete device key.",
        hint: "A key is 64 hexadecimal digits, as contacts-broker device rotate-key makes it.",
        field: "key")
    }
    let values = digits.compactMap { $0.hexDigitValue }
    bytes = stride(from: 0, to: values.count, by: 2).map {
      UInt8(values[$0] << 4 | values[$0 + 1])
    }
  }

  /// The key as 64 lower-case hexadecimal digits.
  package var text: String {
    let digits = Array("0123456789abcdef".utf8)
    return String(
      decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
  }
}

extension DeviceKey: CustomStringConvertible {
  /// A constant instead of the key, because descriptions appear in logs.
  package var description: String { "a device's key" }
}
