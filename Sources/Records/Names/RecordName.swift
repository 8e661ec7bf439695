// Applications may choose a record's name. Generated names are version 7 UUIDs, because names that
// rise with time keep the unique index compact. The time in a name is never read.

/// The name of a record in its zone: 1 to 255 bytes of UTF-8 without control characters, not
/// beginning with `_`.
package struct RecordName: Hashable, Comparable, Sendable, CustomStringConvertible {
  /// The name as text.
  package let text: String

  /// Validates `text` as the name of a record to save.
  /// - Throws: `invalidArguments` if it is empty, too long, begins with `_` or contains control
  ///   characters.
  package init(_ text: String) throws(RecordsError) {
    try self.init(received: text)
    guard text.utf8.first != UInt8(ascii: "_") else {
      throw .invalid("A record name must not begin with “_”; such names are reserved.")
    }
  }

  /// Creates a name received from a broker, which may be reserved.
  /// - Throws: `invalidArguments` if it is empty, too long or contains control characters.
  package init(received text: String) throws(RecordsError) {
    let length = text.utf8.count
    guard length >= 1, length <= Limits.nameBytes else {
      throw .invalid(
        "A record name must have 1 to \(Limits.nameBytes) bytes; this one has \(length).")
    }
    guard !text.hasControlCharacters else {
      throw .invalid("A record name must not contain control characters, such as a zero byte.")
    }
    self.text = text
  }

  /// Wraps text that was validated before it was stored.
  package init(stored text: String) {
    self.text = text
  }

  /// Generates a name: a version 7 UUID (RFC 9562, section 5.7).
  package static func generated(
    at time: Timestamp, using generator: inout some RandomNumberGenerator
  ) -> Self {
    let milliseconds = UInt64(max(0, time.microseconds / 1000)) & 0xFFFF_FFFF_FFFF
    let high = milliseconds << 16 | 7 << 12 | generator.next() & 0xFFF
    let low = 2 << 62 | generator.next() & 0x3FFF_FFFF_FFFF_FFFF
    return Self(stored: uuidText(high: high, low: low))
  }

  package var description: String { text }

  // Names are compared by bytes, as in the stores' indexes. Swift's string comparison treats a
  // composed and a decomposed “é” as equal; SQLite does not.

  package static func == (left: Self, right: Self) -> Bool {
    left.text.hasSameBytes(as: right.text)
  }

  package static func < (left: Self, right: Self) -> Bool {
    left.text.utf8.lexicographicallyPrecedes(right.text.utf8)
  }

  package func hash(into hasher: inout Hasher) {
    var text = text
    text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
  }

  /// Returns the form 8-4-4-4-12 of RFC 9562, written directly into the string's storage.
  private static func uuidText(high: UInt64, low: UInt64) -> String {
    String(unsafeUninitializedCapacity: 36) { buffer in
      var offset = 0
      for index in 0..<32 {
        if index == 8 || index == 12 || index == 16 || index == 20 {
          buffer[offset] = UInt8(ascii: "-")
          offset += 1
        }
        let half = index < 16 ? high : low
        let digit = UInt8(truncatingIfNeeded: half >> UInt64(60 - index % 16 * 4)) & 0xF
        buffer[offset] = digit + (digit < 10 ? UInt8(ascii: "0") : UInt8(ascii: "a") - 10)
        offset += 1
      }
      return offset
    }
  }
}
