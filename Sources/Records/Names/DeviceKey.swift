// The secret by which a device is known to be the same: 32 random bytes. It is drawn by the device
// itself; where an administrator gives it another, that one travels as text – 64 hexadecimal digits,
// read strictly, so that a letter lost on the way is told at once.

/// A device's key.
package struct DeviceKey: Hashable, Sendable {
  /// How many bytes a key has.
  package static let byteCount = 32

  /// The 32 bytes.
  package let bytes: [UInt8]

  /// Draws a new one from `generator`, which must be fit for secrets.
  package static func random(using generator: inout some RandomNumberGenerator) -> Self {
    Self(bytes: (0..<byteCount).map { _ in UInt8.random(in: 0 ... .max, using: &generator) })
  }

  private init(bytes: [UInt8]) {
    self.bytes = bytes
  }

  /// Reads a key as text; blanks around it do not count.
  /// - Throws: `invalidArguments`.
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

  /// The key as text.
  package var text: String {
    let digits = Array("0123456789abcdef".utf8)
    return String(
      decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
  }
}

extension DeviceKey: CustomStringConvertible {
  /// Not the key: descriptions end in logs.
  package var description: String { "a device's key" }
}
