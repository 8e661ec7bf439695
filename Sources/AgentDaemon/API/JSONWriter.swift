// JSON written by hand, straight into bytes: a list of a thousand contacts is made on every look
// at it, and the general encoder takes ten times as long. Requests, which are small, are read with
// the general decoder.

import Records

/// Appends JSON to a buffer. The caller nests properly; separators are put by the writer.
struct JSONWriter {
  /// What has been written.
  private(set) var bytes: [UInt8] = []
  private var needsComma = false

  /// Begins an empty text that can take `capacity` bytes without growing.
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

  /// Writes a key of an object that is a name of our own, so nothing in it needs escaping.
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

  /// Writes stretches that need no escaping as a whole, because most texts are one.
  private mutating func write(_ text: UnsafeBufferPointer<UInt8>) {
    var written = 0
    for index in text.indices where Self.isEscaped(text[index]) {
      // The first byte of U+0080…U+00BF, of which only the control characters are escaped.
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

  /// Writes a moment as RFC 3339, or `null`.
  mutating func value(_ time: Timestamp?) {
    value(time?.description)
  }

  /// Writes `null`.
  mutating func null() {
    separate()
    bytes.append(contentsOf: "null".utf8)
  }

  /// Appends a line that is complete JSON by itself.
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
