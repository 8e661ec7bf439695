import Records

/// A second encoder of records, written from `records.proto` and protobuf's description of its wire
/// format. It builds each message as an array and prefixes its length, as slowly and plainly as possible.
enum PlainCodec {
  static func record(_ fields: Fields) -> [UInt8] {
    messages(1, fields.all.map(field))
  }

  static func varint(_ value: UInt64) -> [UInt8] {
    value < 128 ? [UInt8(value)] : [UInt8(value % 128 + 128)] + varint(value / 128)
  }

  /// Returns 0, 1, 2, 3 … for 0, −1, 1, −2 …
  static func zigZag(_ value: Int64) -> UInt64 {
    value >= 0 ? 2 * UInt64(value) : 2 * UInt64(-(value + 1)) + 1
  }

  private static func field(_ field: Fields.Field) -> [UInt8] {
    delimited(1, Array(field.key.text.utf8)) + delimited(2, value(field.value))
  }

  static func value(_ value: Value) -> [UInt8] {
    switch value {
    case .string(let text): delimited(1, Array(text.utf8))
    case .int64(let number): integer(2, zigZag(number))
    case .double(let number): fixed(3, number)
    case .boolean(let flag): integer(4, flag ? 1 : 0)
    case .date(let time): integer(5, zigZag(time.microseconds))
    case .bytes(let bytes): delimited(6, bytes)
    case .location(let place):
      delimited(7, fixed(1, place.latitudeDegrees) + fixed(2, place.longitudeDegrees))
    case .reference(let reference):
      delimited(
        8,
        delimited(1, Array(reference.record.text.utf8))
          + integer(2, reference.action == .deleteSelf ? 1 : 0))
    case .asset(let asset): delimited(9, delimited(1, asset.digest) + integer(2, asset.sizeBytes))
    case .list(let values): delimited(10, messages(1, values.map(Self.value)))
    case .entries(let entries): delimited(11, messages(1, entries.map(entry)))
    case .unknown(let encoded): encoded
    }
  }

  private static func entry(_ entry: Entry) -> [UInt8] {
    let id = (0..<16).map { UInt8(truncatingIfNeeded: entry.id.value >> UInt128(8 * (15 - $0))) }
    return delimited(1, id) + delimited(2, Array(entry.position.text.utf8))
      + messages(3, entry.fields.all.map(field))
  }

  private static func messages(_ number: UInt64, _ contents: [[UInt8]]) -> [UInt8] {
    contents.flatMap { delimited(number, $0) }
  }

  static func delimited(_ number: UInt64, _ content: [UInt8]) -> [UInt8] {
    varint(number * 8 + 2) + varint(UInt64(content.count)) + content
  }

  static func integer(_ number: UInt64, _ value: UInt64) -> [UInt8] {
    varint(number * 8) + varint(value)
  }

  static func fixed(_ number: UInt64, _ value: Double) -> [UInt8] {
    varint(number * 8 + 1) + withUnsafeBytes(of: value.bitPattern.littleEndian) { Array($0) }
  }
}
