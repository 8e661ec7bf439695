// Applications may choose a record's name; what we generate is a UUID of version 7, because names
// that rise with time keep the unique index compact. Nothing is ever read from that time.

/// The name of a record within its zone: 1 to 255 bytes of UTF-8, not beginning with `_`.
package struct RecordName: Hashable, Comparable, Sendable, CustomStringConvertible {
  /// The name as text.
  package let text: String

  /// Takes `text` as a name.
  /// - Throws: `invalidArguments` with a sentence when it is empty, too long or begins with `_`.
  package init(_ text: String) throws(RecordsError) {
    let length = text.utf8.count
    guard length >= 1, length <= Limits.nameBytes else {
      throw .invalid("A record name has 1 to \(Limits.nameBytes) bytes; this one has \(length).")
    }
    guard text.utf8.first != UInt8(ascii: "_") else {
      throw .invalid("A record name does not begin with “_”; those are the system's.")
    }
    self.text = text
  }

  /// Takes text that was checked before, when it was stored.
  package init(stored text: String) {
    self.text = text
  }

  /// Makes a new name: a UUID of version 7 (RFC 9562, section 5.7).
  package static func generated(
    at time: Timestamp, using generator: inout some RandomNumberGenerator
  ) -> Self {
    let milliseconds = UInt128(UInt64(max(0, time.microseconds / 1000)) & 0xFFFF_FFFF_FFFF)
    let random = UInt128.random(in: 0...UInt128.max, using: &generator)
    let high = (random >> 64) & 0xFFF
    let low = random & 0x3FFF_FFFF_FFFF_FFFF
    let value = milliseconds << 80 | 7 << 76 | high << 64 | 2 << 62 | low
    return Self(stored: uuidText(of: Identifier<RecordName>(value).description))
  }

  package var description: String { text }

  // Names are compared byte by byte, as the stores' indexes do: Swift's own comparison would take
  // “é” written in one and in two code points for the same name, and SQLite would not.

  package static func == (left: Self, right: Self) -> Bool {
    left.text.utf8.elementsEqual(right.text.utf8)
  }

  package static func < (left: Self, right: Self) -> Bool {
    left.text.utf8.lexicographicallyPrecedes(right.text.utf8)
  }

  package func hash(into hasher: inout Hasher) {
    var text = text
    text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
  }

  private static func uuidText(of digits: String) -> String {
    var text = ""
    for (index, digit) in digits.enumerated() {
      if [8, 12, 16, 20].contains(index) { text.append("-") }
      text.append(digit)
    }
    return text
  }
}
