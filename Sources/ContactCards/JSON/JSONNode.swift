// JSON for cards: it preserves the order of members and the notation of numbers, limits the depth, and an
// error affects one element only. It parses bytes, because a file may have a hundred thousand elements.

/// A JSON value.
package enum JSONNode: Hashable, Sendable {
  case null
  case boolean(Bool)
  /// A number in its original notation.
  case number(String)
  case string(String)
  case array([JSONNode])
  /// Keys and values, in order.
  case object([Member])

  /// One member of an object.
  package struct Member: Hashable, Sendable {
    /// Its key.
    package var key: String
    /// Its value.
    package var value: JSONNode
  }

  /// Parses one value; `nil` if `bytes` contain anything else.
  package init?(_ bytes: [UInt8]) {
    var parser = JSONParser(bytes: bytes)
    guard let node = parser.value(depth: 0) else { return nil }
    parser.skipBlanks()
    guard parser.isAtEnd else { return nil }
    self = node
  }

  /// The text of a string or a number; `nil` for anything else.
  package var text: String? {
    switch self {
    case .string(let text), .number(let text): text
    case .null, .boolean, .array, .object: nil
    }
  }

  /// The items of an array; empty for anything else.
  package var items: [JSONNode] {
    if case .array(let items) = self { items } else { [] }
  }

  /// The members of an object; empty for anything else.
  package var members: [Member] {
    if case .object(let members) = self { members } else { [] }
  }

  /// The value under `key`.
  package subscript(key: String) -> JSONNode? {
    members.first { $0.key == key }?.value
  }

  /// Appends the value as JSON.
  package func write(to bytes: inout [UInt8]) {
    switch self {
    case .null: bytes += Array("null".utf8)
    case .boolean(let flag): bytes += Array((flag ? "true" : "false").utf8)
    case .number(let text): bytes += Array(text.utf8)
    case .string(let text): Self.write(text, to: &bytes)
    case .array(let items):
      bytes.append(UInt8(ascii: "["))
      for (index, item) in items.enumerated() {
        if index > 0 { bytes.append(UInt8(ascii: ",")) }
        item.write(to: &bytes)
      }
      bytes.append(UInt8(ascii: "]"))
    case .object(let members):
      bytes.append(UInt8(ascii: "{"))
      for (index, member) in members.enumerated() {
        if index > 0 { bytes.append(UInt8(ascii: ",")) }
        Self.write(member.key, to: &bytes)
        bytes.append(UInt8(ascii: ":"))
        member.value.write(to: &bytes)
      }
      bytes.append(UInt8(ascii: "}"))
    }
  }

  private static func write(_ text: String, to bytes: inout [UInt8]) {
    bytes.append(UInt8(ascii: "\""))
    // The first byte of U+0080…U+00BF. The control characters among them move a terminal's cursor.
    let lead: UInt8 = 0xC2
    for byte in text.utf8 {
      switch byte {
      case 0x80...0x9F where bytes.last == lead:
        bytes.removeLast()
        bytes += Array(("\\u00" + String(byte, radix: 16)).utf8)
      case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes += [UInt8(ascii: "\\"), byte]
      case UInt8(ascii: "\n"): bytes += Array("\\n".utf8)
      case 0..<0x20, 0x7F:
        let digits = String(byte, radix: 16)
        bytes += Array(("\\u00" + (byte < 16 ? "0" : "") + digits).utf8)
      default: bytes.append(byte)
      }
    }
    bytes.append(UInt8(ascii: "\""))
  }
}

private struct JSONParser {
  private static let depthMax = 64
  private let bytes: [UInt8]
  private var index = 0

  init(bytes: [UInt8]) { self.bytes = bytes }

  var isAtEnd: Bool { index == bytes.count }

  mutating func skipBlanks() {
    while index < bytes.count, [0x20, 0x09, 0x0A, 0x0D].contains(bytes[index]) { index += 1 }
  }

  mutating func value(depth: Int) -> JSONNode? {
    skipBlanks()
    guard depth < Self.depthMax, index < bytes.count else { return nil }
    switch bytes[index] {
    case UInt8(ascii: "{"): return object(depth: depth)
    case UInt8(ascii: "["): return array(depth: depth)
    case UInt8(ascii: "\""): return string().map { .string($0) }
    case UInt8(ascii: "t"): return take("true") ? .boolean(true) : nil
    case UInt8(ascii: "f"): return take("false") ? .boolean(false) : nil
    case UInt8(ascii: "n"): return take("null") ? .null : nil
    default: return number()
    }
  }

  private mutating func take(_ word: StaticString) -> Bool {
    let matches = word.withUTF8Buffer { bytes[index...].starts(with: $0) }
    if matches { index += word.utf8CodeUnitCount }
    return matches
  }

  private mutating func takes(_ byte: UInt8) -> Bool {
    skipBlanks()
    guard index < bytes.count, bytes[index] == byte else { return false }
    index += 1
    return true
  }

  private mutating func array(depth: Int) -> JSONNode? {
    index += 1
    var items: [JSONNode] = []
    if takes(UInt8(ascii: "]")) { return .array(items) }
    repeat {
      guard let item = value(depth: depth + 1) else { return nil }
      items.append(item)
    } while takes(UInt8(ascii: ","))
    return takes(UInt8(ascii: "]")) ? .array(items) : nil
  }

  private mutating func object(depth: Int) -> JSONNode? {
    index += 1
    var members: [JSONNode.Member] = []
    if takes(UInt8(ascii: "}")) { return .object(members) }
    repeat {
      skipBlanks()
      guard index < bytes.count, bytes[index] == UInt8(ascii: "\""), let key = string(),
        takes(UInt8(ascii: ":")), let value = value(depth: depth + 1)
      else { return nil }
      members.append(JSONNode.Member(key: key, value: value))
    } while takes(UInt8(ascii: ","))
    return takes(UInt8(ascii: "}")) ? .object(members) : nil
  }

  private mutating func number() -> JSONNode? {
    let start = index
    while index < bytes.count, "+-.0123456789eE".utf8.contains(bytes[index]) { index += 1 }
    let text = String(decoding: bytes[start..<index], as: UTF8.self)
    return Double(text) == nil ? nil : .number(text)
  }

  private mutating func string() -> String? {
    index += 1
    var text: [UInt8] = []
    while index < bytes.count {
      let byte = bytes[index]
      index += 1
      switch byte {
      case UInt8(ascii: "\""): return String(decoding: text, as: UTF8.self)
      case UInt8(ascii: "\\"): guard escape(into: &text) else { return nil }
      default: text.append(byte)
      }
    }
    return nil
  }

  private mutating func escape(into text: inout [UInt8]) -> Bool {
    guard index < bytes.count else { return false }
    let byte = bytes[index]
    index += 1
    switch byte {
    case UInt8(ascii: "n"): text.append(0x0A)
    case UInt8(ascii: "t"): text.append(0x09)
    case UInt8(ascii: "r"): text.append(0x0D)
    case UInt8(ascii: "b"): text.append(0x08)
    case UInt8(ascii: "f"): text.append(0x0C)
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): text.append(byte)
    case UInt8(ascii: "u"): return unit(into: &text)
    default: return false
    }
    return true
  }

  private mutating func unit(into text: inout [UInt8]) -> Bool {
    guard let first = hexadecimal() else { return false }
    var scalar = UInt32(first)
    if UTF16.isLeadSurrogate(first), bytes[index...].starts(with: Array("\\u".utf8)) {
      let before = index
      index += 2
      if let second = hexadecimal(), UTF16.isTrailSurrogate(second) {
        scalar = 0x10000 + (UInt32(first) - 0xD800) << 10 + (UInt32(second) - 0xDC00)
      } else {
        index = before
      }
    }
    text += Array(String(Unicode.Scalar(scalar) ?? "\u{FFFD}").utf8)
    return true
  }

  private mutating func hexadecimal() -> UInt16? {
    guard index + 4 <= bytes.count else { return nil }
    var unit: UInt16 = 0
    for byte in bytes[index..<(index + 4)] {
      guard let digit = QuotedPrintable.digit(byte) else { return nil }
      unit = unit << 4 | UInt16(digit)
    }
    index += 4
    return unit
  }
}
