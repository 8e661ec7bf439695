// The bytes of JSON, without a view of what they mean. OrderedJSON decides what is written.

/// Appends JSON to a buffer. The writer adds separators; the caller is responsible for the nesting.
struct JSONWriter {
  /// What encloses a value.
  enum Bracket {
    case object, list

    fileprivate var opening: UInt8 { UInt8(ascii: self == .object ? "{" : "[") }
    fileprivate var closing: UInt8 { UInt8(ascii: self == .object ? "}" : "]") }
  }

  /// The bytes written so far.
  private(set) var bytes: [UInt8] = []
  private var needsComma = false

  /// Creates an empty text with room for `capacity` bytes.
  init(reservingBytes capacity: Int = 1024) {
    bytes.reserveCapacity(capacity)
  }

  /// Begins an object or a list. The caller ends it with `close`.
  mutating func open(_ bracket: Bracket) {
    separate()
    bytes.append(bracket.opening)
    needsComma = false
  }

  /// Ends an object or a list.
  mutating func close(_ bracket: Bracket) {
    bytes.append(bracket.closing)
    needsComma = true
  }

  /// Writes a key of an object; its value follows. Keys are names of properties, in which nothing needs escaping.
  mutating func key(_ name: String) {
    separate()
    bytes.append(UInt8(ascii: "\""))
    bytes.append(contentsOf: name.utf8)
    bytes.append(UInt8(ascii: "\""))
    bytes.append(UInt8(ascii: ":"))
    needsComma = false
  }

  /// Writes a text.
  mutating func value(_ text: String) {
    var text = text
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

  /// Writes a whole number.
  mutating func value(_ number: some BinaryInteger) {
    separate()
    bytes.append(contentsOf: String(number).utf8)
  }

  /// Writes a number; `null` if it is not finite. Another device may have stored such a number, and JSON has none.
  mutating func value(_ number: Double) {
    guard number.isFinite else { return null() }
    separate()
    bytes.append(contentsOf: "\(number)".utf8)
  }

  /// Writes `true` or `false`.
  mutating func value(_ flag: Bool) {
    separate()
    bytes.append(contentsOf: (flag ? "true" : "false").utf8)
  }

  /// Writes a value that is JSON already.
  mutating func value(json: [UInt8]) {
    separate()
    bytes.append(contentsOf: json)
  }

  /// Writes `null`.
  mutating func null() {
    separate()
    bytes.append(contentsOf: "null".utf8)
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

// MARK: Members of objects

extension JSONWriter {
  /// Writes a text with its key.
  mutating func member(_ key: some CodingKey, _ text: String) {
    self.key(key.stringValue)
    value(text)
  }

  /// Writes a text with its key; `nil` as `null`.
  mutating func member(_ key: some CodingKey, _ text: String?) {
    self.key(key.stringValue)
    if let text { value(text) } else { null() }
  }

  /// Writes a whole number with its key; `nil` as `null`.
  mutating func member(_ key: some CodingKey, _ number: (some BinaryInteger)?) {
    self.key(key.stringValue)
    if let number { value(number) } else { null() }
  }

  /// Writes `true` or `false` with its key.
  mutating func member(_ key: some CodingKey, _ flag: Bool) {
    self.key(key.stringValue)
    value(flag)
  }

  /// Writes a list of entries with its key.
  mutating func member(_ key: some CodingKey, _ items: [LabeledItem]) {
    self.key(key.stringValue)
    open(.list)
    for item in items { item.write(to: &self) }
    close(.list)
  }

  /// Writes a value of any other type with its key; `nil` as `null`.
  mutating func member(_ key: some CodingKey, encoding value: (some Encodable)?) throws {
    self.key(key.stringValue)
    if let value { try self.value(encoding: value) } else { null() }
  }

  /// Writes a text with its key, unless it is empty.
  mutating func member(_ key: some CodingKey, sparse text: String) {
    if !text.isEmpty { member(key, text) }
  }

  /// Writes a list of texts with its key, unless it is empty.
  mutating func member(_ key: some CodingKey, sparse texts: [String]) {
    guard !texts.isEmpty else { return }
    self.key(key.stringValue)
    open(.list)
    for text in texts { value(text) }
    close(.list)
  }

  /// Writes a list of entries with its key, unless it is empty.
  mutating func member(_ key: some CodingKey, sparse items: [LabeledItem]) {
    if !items.isEmpty { member(key, items) }
  }
}
