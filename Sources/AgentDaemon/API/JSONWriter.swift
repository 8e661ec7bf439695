// Writes JSON directly as bytes. A list of a thousand contacts is written on every request, and the general
// encoder takes ten times as long. Requests are small and use the general decoder.

import Records

/// Appends JSON to a buffer. The writer adds separators; the caller is responsible for the nesting.
struct JSONWriter {
  /// The bytes written so far.
  private(set) var bytes: [UInt8] = []
  private var needsComma = false

  /// Creates an empty text with room for `capacity` bytes.
  init(reservingBytes capacity: Int = 1024) {
    bytes.reserveCapacity(capacity)
  }

  /// Writes `{…}`.
  mutating func object(_ body: (inout JSONWriter) -> Void) {
    separate()
    bytes.append(UInt8(ascii: "{"))
    needsComma = false
    body(&self)
    bytes.append(UInt8(ascii: "}"))
    needsComma = true
  }

  /// Writes a list with one item for each of `items`.
  mutating func list<Item>(_ items: some Sequence<Item>, _ body: (inout JSONWriter, Item) -> Void) {
    separate()
    bytes.append(UInt8(ascii: "["))
    needsComma = false
    for item in items { body(&self, item) }
    bytes.append(UInt8(ascii: "]"))
    needsComma = true
  }

  /// Writes a key of an object; its value follows.
  mutating func key(_ name: StaticString) {
    separate()
    bytes.append(UInt8(ascii: "\""))
    name.withUTF8Buffer { bytes.append(contentsOf: $0) }
    bytes.append(UInt8(ascii: "\""))
    bytes.append(UInt8(ascii: ":"))
    needsComma = false
  }

  /// Writes a key from this program, in which nothing needs escaping.
  mutating func key(named name: String) {
    separate()
    bytes.append(UInt8(ascii: "\""))
    bytes.append(contentsOf: name.utf8)
    bytes.append(UInt8(ascii: "\""))
    bytes.append(UInt8(ascii: ":"))
    needsComma = false
  }

  /// Writes a text, or `null`.
  mutating func value(_ text: String?) {
    guard var text else { return null() }
    separate()
    bytes.append(UInt8(ascii: "\""))
    text.withUTF8 { write($0) }
    bytes.append(UInt8(ascii: "\""))
  }

  /// Writes runs of bytes that need no escaping at once, because most texts are one run.
  private mutating func write(_ text: UnsafeBufferPointer<UInt8>) {
    var written = 0
    for index in text.indices where Self.isEscaped(text[index]) {
      // The first byte of U+0080…U+00BF; only the control characters among them are escaped.
      let isPair = text[index] == 0xC2
      if isPair, !(0x80...0x9F).contains(text[index + 1]) { continue }
      bytes.append(contentsOf: text[written..<index])
      escape(isPair ? text[index + 1] : text[index])
      written = index + (isPair ? 2 : 1)
    }
    bytes.append(contentsOf: text[written...])
  }

  private static func isEscaped(_ byte: UInt8) -> Bool {
    byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") || byte == 0x7F
      || byte == 0xC2
  }

  /// Writes a number, or `null`.
  mutating func value(_ number: Int64?) {
    guard let number else { return null() }
    separate()
    bytes.append(contentsOf: String(number).utf8)
  }

  /// Writes a finite number.
  mutating func value(number: Double) {
    separate()
    bytes.append(contentsOf: "\(number)".utf8)
  }

  /// Writes `true` or `false`.
  mutating func value(_ flag: Bool) {
    separate()
    bytes.append(contentsOf: (flag ? "true" : "false").utf8)
  }

  /// Writes a time as RFC 3339, or `null`.
  mutating func value(_ time: Timestamp?) {
    value(time?.description)
  }

  /// Writes `null`.
  mutating func null() {
    separate()
    bytes.append(contentsOf: "null".utf8)
  }

  /// Appends a line of complete JSON.
  mutating func append(line: [UInt8]) {
    bytes += line
    bytes.append(UInt8(ascii: "\n"))
    needsComma = false
  }

  private mutating func separate() {
    if needsComma { bytes.append(UInt8(ascii: ",")) }
    needsComma = true
  }

  private mutating func escape(_ byte: UInt8) {
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"):
      bytes.append(UInt8(ascii: "\\"))
      bytes.append(byte)
    case UInt8(ascii: "\n"): bytes.append(contentsOf: "\\n".utf8)
    case UInt8(ascii: "\t"): bytes.append(contentsOf: "\\t".utf8)
    default:
      let digits = String(byte, radix: 16)
      bytes.append(contentsOf: ("\\u00" + (byte < 16 ? "0" : "") + digits).utf8)
    }
  }
}
