// Applications may choose a record's name; what we generate is a UUID of version 7, because names
// that rise with time keep the unique index compact. Nothing is ever read from that time.

/// The name of a record within its zone: 1 to 255 bytes of UTF-8, none of its characters a control
/// character, not beginning with `_`.
package struct RecordName: Hashable, Comparable, Sendable, CustomStringConvertible {
  /// The name as text.
  package let text: String

  /// Takes `text` as a name.
  /// - Throws: `invalidArguments` with a sentence when it is empty, too long, begins with `_` or holds
  ///   control characters.
  package init(_ text: String) throws(RecordsError) {
    try self.init(told: text)
    try check()
    guard text.utf8.first != UInt8(ascii: "_") else {
      throw .invalid("A record name does not begin with “_”; those are the system's.")
    }
  }

  /// Takes a name that a broker tells. Brokers of before let control characters in; whoever keeps
  /// what is told looks with `check`.
  /// - Throws: `invalidArguments` when it is empty or too long.
  package init(told text: String) throws(RecordsError) {
    let length = text.utf8.count
    guard length >= 1, length <= Limits.nameBytes else {
      throw .invalid("A record name has 1 to \(Limits.nameBytes) bytes; this one has \(length).")
    }
    self.text = text
  }

  /// Looks for control characters.
  /// - Throws: `invalidArguments` when there are any.
  package func check() throws(RecordsError) {
    guard !text.hasControlCharacters else {
      throw .invalid("A record name holds no control characters, such as a zero byte.")
    }
  }

  /// Takes text that was checked before, when it was stored.
  package init(stored text: String) {
    self.text = text
  }

  /// Makes a new name: a UUID of version 7 (RFC 9562, section 5.7).
  package static func generated(
    at time: Timestamp, using generator: inout some RandomNumberGenerator
  ) -> Self {
    let milliseconds = UInt64(max(0, time.microseconds / 1000)) & 0xFFFF_FFFF_FFFF
    let high = milliseconds << 16 | 7 << 12 | generator.next() & 0xFFF
    let low = 2 << 62 | generator.next() & 0x3FFF_FFFF_FFFF_FFFF
    return Self(stored: uuidText(high: high, low: low))
  }

  package var description: String { text }

  // Names are compared byte by byte, as the stores' indexes do: Swift's own comparison would take
  // “é” written in one and in two code points for the same name, and SQLite would not.

  package static func == (left: Self, right: Self) -> Bool {
    var (left, right) = (left.text, right.text)
    return left.withUTF8 { left in
      right.withUTF8 { right in
        left.count == right.count && left.elementsEqual(right)
      }
    }
  }

  package static func < (left: Self, right: Self) -> Bool {
    left.text.utf8.lexicographicallyPrecedes(right.text.utf8)
  }

  package func hash(into hasher: inout Hasher) {
    var text = text
    text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
  }

  /// The form 8-4-4-4-12 of RFC 9562, written straight into the text's own storage.
  private static func uuidText(high: UInt64, low: UInt64) -> String {
    String(unsafeUninitializedCapacity: 36) { buffer in
      var place = 0
      for index in 0..<32 {
        if index == 8 || index == 12 || index == 16 || index == 20 {
          buffer[place] = UInt8(ascii: "-")
          place += 1
        }
        let half = index < 16 ? high : low
        let digit = UInt8(truncatingIfNeeded: half >> UInt64(60 - index % 16 * 4)) & 0xF
        buffer[place] = digit + (digit < 10 ? UInt8(ascii: "0") : UInt8(ascii: "a") - 10)
        place += 1
      }
      return place
    }
  }
}
