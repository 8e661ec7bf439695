// Reads long lists of the agent's JSON in one pass over the bytes. The general decoder first creates a
// dictionary for every object; for a list of a thousand contacts that took longer than the rest of the
// program. This scanner supports only what lists need; everything else uses the decoder.

/// A position in a JSON text.
package struct JSONScanner {
  /// The text is not JSON, or has an unexpected form.
  package struct Unexpected: Error {
    /// The position in bytes from the start.
    package let offset: Int
  }

  /// The maximum depth of nested objects and lists; the agent's JSON has six.
  private static let depthMaximum = 64

  private let bytes: [UInt8]
  private var offset = 0
  private var depth = 0

  /// Begins at the start of `bytes`.
  package init(_ bytes: [UInt8]) {
    self.bytes = bytes
  }

  /// Reads an object. `body` receives each key and reads its value, or ignores it, so that it is skipped.
  package mutating func object(_ body: (inout JSONScanner, String) throws -> Void) throws {
    try object(key: { try $0.string() }, body)
  }

  /// Reads the members of an object that have one of `names`, and skips the others. `body` reads the value, or ignores
  /// it, so that it is skipped.
  package mutating func object<Name>(
    _ names: JSONNames<Name>, _ body: (inout JSONScanner, Name) throws -> Void
  ) throws {
    try object(
      key: { try $0.text(names.name) },
      { scanner, name in if let name { try body(&scanner, name) } })
  }

  private mutating func object<Key>(
    key: (inout JSONScanner) throws -> Key, _ body: (inout JSONScanner, Key) throws -> Void
  ) throws {
    try enter("{")
    while try !ends("}") {
      let key = try key(&self)
      try expect(":")
      let start = offset
      try body(&self, key)
      if offset == start { try skip() }
      try separate(before: "}")
    }
    depth -= 1
  }

  /// Reads a list. `body` reads each item, or ignores it, so that it is skipped.
  package mutating func list(_ body: (inout JSONScanner) throws -> Void) throws {
    try enter("[")
    while try !ends("]") {
      let start = offset
      try body(&self)
      if offset == start { try skip() }
      try separate(before: "]")
    }
    depth -= 1
  }

  /// Reads a text.
  package mutating func string() throws -> String {
    try text { String(decoding: $0, as: UTF8.self) }
  }

  /// Returns what `value` makes of the bytes of a text, without escapes.
  private mutating func text<Value>(_ value: (ArraySlice<UInt8>) -> Value) throws -> Value {
    try expect("\"")
    let start = offset
    while let byte = peek {
      if byte == UInt8(ascii: "\"") {
        offset += 1
        return value(bytes[start..<(offset - 1)])
      }
      guard byte != UInt8(ascii: "\\") else { return value(try escaped(from: start)[...]) }
      offset += 1
    }
    throw Unexpected(offset: offset)
  }

  /// Reads a text or `null`.
  package mutating func optionalString() throws -> String? {
    blanks()
    guard peek == UInt8(ascii: "n") else { return try string() }
    try word("null")
    return nil
  }

  /// Reads `true` or `false`.
  package mutating func flag() throws -> Bool {
    blanks()
    let isTrue = peek == UInt8(ascii: "t")
    try word(isTrue ? "true" : "false")
    return isTrue
  }

  /// Returns the bytes of a value.
  package mutating func raw() throws -> ArraySlice<UInt8> {
    blanks()
    let start = offset
    try skip()
    return bytes[start..<offset]
  }

  /// Skips a value without decoding it; only brackets are counted.
  package mutating func skip() throws {
    blanks()
    var open = 0
    repeat {
      switch peek {
      case nil: throw Unexpected(offset: offset)
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        open += 1
        offset += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        guard open > 0 else { throw Unexpected(offset: offset) }
        open -= 1
        offset += 1
      case UInt8(ascii: "\""): try skipString()
      case UInt8(ascii: ","), UInt8(ascii: ":"), 0x20, 0x0A, 0x0D, 0x09:
        guard open > 0 else { throw Unexpected(offset: offset) }
        offset += 1
      default:
        let start = offset
        while let byte = peek, !Self.endsWord(byte) { offset += 1 }
        guard offset > start else { throw Unexpected(offset: offset) }
      }
    } while open > 0
  }

  private mutating func skipString() throws {
    offset += 1
    while let byte = peek {
      offset += byte == UInt8(ascii: "\\") ? 2 : 1
      if byte == UInt8(ascii: "\"") { return }
    }
    throw Unexpected(offset: offset)
  }

  // MARK: -

  private var peek: UInt8? { offset < bytes.count ? bytes[offset] : nil }

  private mutating func blanks() {
    while let byte = peek, byte <= 0x20, Self.isBlank(byte) { offset += 1 }
  }

  private static func isBlank(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09
  }

  private mutating func expect(_ character: Unicode.Scalar) throws {
    blanks()
    guard peek == UInt8(ascii: character) else { throw Unexpected(offset: offset) }
    offset += 1
  }

  /// Reads a word, up to a byte that ends it.
  private mutating func word(_ word: StaticString) throws {
    let start = offset
    try skip()
    let isWord = word.withUTF8Buffer { bytes[start..<offset].elementsEqual($0) }
    guard isWord else { throw Unexpected(offset: start) }
  }

  private mutating func enter(_ character: Unicode.Scalar) throws {
    try expect(character)
    depth += 1
    guard depth <= Self.depthMaximum else { throw Unexpected(offset: offset) }
  }

  /// Whether the object or list ends here; if so, moves past its end.
  private mutating func ends(_ character: Unicode.Scalar) throws -> Bool {
    blanks()
    guard let peek else { throw Unexpected(offset: offset) }
    guard peek == UInt8(ascii: character) else { return false }
    offset += 1
    return true
  }

  private mutating func separate(before end: Unicode.Scalar) throws {
    blanks()
    if peek == UInt8(ascii: ",") {
      offset += 1
      blanks()
      guard peek != UInt8(ascii: end) else { throw Unexpected(offset: offset) }
    } else if peek != UInt8(ascii: end) {
      throw Unexpected(offset: offset)
    }
  }

  private static func endsWord(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: ","), UInt8(ascii: "}"), UInt8(ascii: "]"), UInt8(ascii: ":"), 0...0x20,
      UInt8(ascii: "\""), UInt8(ascii: "{"), UInt8(ascii: "["):
      true
    default: false
    }
  }

  /// Reads the rest of a text with escapes, and returns all of it; `start` is after its first quotation mark.
  private mutating func escaped(from start: Int) throws -> [UInt8] {
    var text = Array(bytes[start..<offset])
    while let byte = peek {
      offset += 1
      switch byte {
      case UInt8(ascii: "\""): return text
      case UInt8(ascii: "\\"): text += Array(String(try escape()).utf8)
      default: text.append(byte)
      }
    }
    throw Unexpected(offset: offset)
  }

  private mutating func escape() throws -> Character {
    guard let letter = peek else { throw Unexpected(offset: offset) }
    offset += 1
    switch letter {
    case UInt8(ascii: "n"): return "\n"
    case UInt8(ascii: "t"): return "\t"
    case UInt8(ascii: "r"): return "\r"
    case UInt8(ascii: "b"): return "\u{8}"
    case UInt8(ascii: "f"): return "\u{C}"
    case UInt8(ascii: "u"): return try Character(unicode())
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"):
      return Character(Unicode.Scalar(letter))
    default: throw Unexpected(offset: offset)
    }
  }

  private mutating func unicode() throws -> Unicode.Scalar {
    let high = try unit()
    if let scalar = Unicode.Scalar(UInt32(high)) { return scalar }
    guard UTF16.isLeadSurrogate(high), peek == UInt8(ascii: "\\") else {
      throw Unexpected(offset: offset)
    }
    offset += 1
    try expectLetterU()
    let low = try unit()
    guard UTF16.isTrailSurrogate(low) else { throw Unexpected(offset: offset) }
    return UTF16.decode(UTF16.EncodedScalar([high, low]))
  }

  private mutating func expectLetterU() throws {
    guard peek == UInt8(ascii: "u") else { throw Unexpected(offset: offset) }
    offset += 1
  }

  private mutating func unit() throws -> UInt16 {
    var unit: UInt16 = 0
    // NB: the library's parser also accepts a sign.
    for _ in 0..<4 {
      guard let peek, let digit = Character(Unicode.Scalar(peek)).hexDigitValue else {
        throw Unexpected(offset: offset)
      }
      unit = unit << 4 | UInt16(digit)
      offset += 1
    }
    return unit
  }
}
