// Decodes text. A declared character set is used if the bytes are valid in it. Without one the text is UTF-8,
// or else Windows-1252. `iconv` converts other character sets. Null bytes are removed.

import Glibc

/// The decoded text of a card.
struct DecodedText: Hashable, Sendable {
  /// The text.
  var text: String
  /// What had to be guessed; `nil` if nothing.
  var oddity: String?
}

enum TextDecoder {
  /// Decodes `bytes` in the declared `charset`.
  static func decode(_ bytes: some Collection<UInt8>, charset: String?) -> DecodedText {
    if let charset, !isUnicode(charset) {
      if isWestern(charset) { return DecodedText(text: withoutNUL(western(bytes))) }
      if let text = Charset.decode(Array(bytes), named: charset) {
        return DecodedText(text: withoutNUL(text))
      }
      var fallback = decode(bytes, charset: nil)
      fallback.oddity = "its character set “\(charset.prefix(40))” does not fit or is not known"
      return fallback
    }
    if let text = String(validating: bytes, as: UTF8.self) {
      guard bytes.contains(0) else { return DecodedText(text: text) }
      return DecodedText(text: withoutNUL(text), oddity: "it contained null bytes")
    }
    // Where UTF-8 is not declared, the bytes may be of another character set, and must not be lost.
    if charset != nil, isMostlyUTF8(bytes) {
      return DecodedText(
        text: withoutNUL(String(decoding: bytes, as: UTF8.self)),
        oddity: "some of it is not UTF-8 and was replaced by “\u{FFFD}”")
    }
    return DecodedText(
      text: withoutNUL(western(bytes)), oddity: "it is not UTF-8 and was read as Windows-1252")
  }

  /// Whether more characters beyond ASCII are right in UTF-8 than wrong. A text in Windows-1252 has hardly ever two such bytes
  /// in a row that are a character of UTF-8.
  private static func isMostlyUTF8(_ bytes: some Collection<UInt8>) -> Bool {
    let scalars = String(decoding: bytes, as: UTF8.self).unicodeScalars
    let wrong = scalars.count { $0 == "\u{FFFD}" }
    return scalars.count { $0.value > 0x7F && $0 != "\u{FFFD}" } > wrong
  }

  private static func withoutNUL(_ text: String) -> String {
    text.utf8.contains(0) ? String(text.unicodeScalars.filter { $0.value != 0 }) : text
  }

  private static func isUnicode(_ charset: String) -> Bool {
    charset.isSame(as: "UTF-8") || charset.isSame(as: "UTF8") || charset.isSame(as: "US-ASCII")
      || charset.isSame(as: "ASCII")
  }

  /// Latin-1 is read as its superset Windows-1252, as in browsers.
  private static func isWestern(_ charset: String) -> Bool {
    ["WINDOWS-1252", "CP1252", "ISO-8859-1", "ISO8859-1", "ISO_8859-1", "LATIN1"]
      .contains { charset.isSame(as: $0) }
  }

  private static func western(_ bytes: some Collection<UInt8>) -> String {
    var text = String.UnicodeScalarView()
    for byte in bytes {
      let scalar = (0x80..<0xA0).contains(byte) ? windows[Int(byte) - 0x80] : UInt32(byte)
      text.append(Unicode.Scalar(scalar) ?? "\u{FFFD}")
    }
    return String(text)
  }

  /// The range in which Windows-1252 differs from Latin-1. Its five undefined bytes are read as in Latin-1.
  private static let windows: [UInt32] = [
    0x20AC, 0x81, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021,
    0x02C6, 0x2030, 0x0160, 0x2039, 0x0152, 0x8D, 0x017D, 0x8F,
    0x90, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014,
    0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0x9D, 0x017E, 0x0178,
  ]
}

/// The C library's conversions.
private enum Charset {
  /// Decodes `bytes`; `nil` if the name is unknown or the bytes are invalid.
  static func decode(_ bytes: [UInt8], named name: String) -> String? {
    // Only letters, digits and some punctuation, because other characters could be options of the C library.
    let isWord = name.utf8.allSatisfy { byte in
      byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_") || byte == UInt8(ascii: ".")
        || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
        || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte.asciiLowercased)
    }
    guard isWord, (1...40).contains(name.utf8.count) else { return nil }
    guard let converter = iconv_open("UTF-8", name), converter != iconv_t(bitPattern: -1) else {
      return nil
    }
    defer { iconv_close(converter) }
    var input = bytes.map { CChar(bitPattern: $0) }
    var output = [CChar](repeating: 0, count: bytes.count * 4 + 16)
    var inputLeft = input.count
    var outputLeft = output.count
    let isWhole = input.withUnsafeMutableBufferPointer { input in
      output.withUnsafeMutableBufferPointer { output in
        var from = input.baseAddress
        var to = output.baseAddress
        return iconv(converter, &from, &inputLeft, &to, &outputLeft) != -1
          && iconv(converter, nil, nil, &to, &outputLeft) != -1
      }
    }
    guard isWhole, inputLeft == 0 else { return nil }
    let made = output.dropLast(outputLeft).map { UInt8(bitPattern: $0) }
    return String(validating: made, as: UTF8.self)
  }
}
