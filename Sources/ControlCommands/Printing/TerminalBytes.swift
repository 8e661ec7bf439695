// A file that goes to a terminal instead of a file. Contacts come from other people's devices, and a terminal obeys control
// characters: they can move the cursor, hide lines, or type into the shell.

/// Makes a stream of UTF-8 text visible on a terminal: control characters and direction marks become `<U+001B>`.
struct TerminalBytes {
  /// The beginning of a character whose end has not arrived.
  private var rest: [UInt8] = []

  /// Returns what a chunk shows. A character can end in the next chunk.
  mutating func feed(_ chunk: [UInt8]) -> [UInt8] {
    let bytes = rest + chunk
    let end = bytes.count - Self.unfinishedCount(bytes)
    rest = Array(bytes[end...])
    return Self.shown(bytes[..<end])
  }

  /// Returns what the end shows.
  mutating func finish() -> [UInt8] {
    defer { rest = [] }
    return Self.shown(rest[...])
  }

  private static func shown(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
    var shown: [UInt8] = []
    shown.reserveCapacity(bytes.count)
    // Bytes that are not UTF-8 become U+FFFD.
    for scalar in String(decoding: bytes, as: UTF8.self).unicodeScalars {
      if isObeyed(scalar) {
        let digits = String(scalar.value, radix: 16, uppercase: true)
        shown += Array("<U+\(String(repeating: "0", count: 4 - digits.count))\(digits)>".utf8)
      } else {
        shown += Array(String(scalar).utf8)
      }
    }
    return shown
  }

  private static func isObeyed(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case "\n", "\r", "\t": false
    default: PlainText.isObeyed(scalar)
    }
  }

  /// The number of bytes at the end that may be the beginning of a character.
  private static func unfinishedCount(_ bytes: [UInt8]) -> Int {
    for count in 1...3 where count <= bytes.count {
      let byte = bytes[bytes.count - count]
      guard byte & 0xC0 != 0x80 else { continue }
      let length = byte >= 0xF0 ? 4 : byte >= 0xE0 ? 3 : byte >= 0xC0 ? 2 : 1
      return length > count ? count : 0
    }
    return 0
  }
}
