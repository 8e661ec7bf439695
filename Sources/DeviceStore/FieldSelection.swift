// Reads some fields of an encoded record. The others are skipped by their length: decoding all fields was most of the
// time of a list that shows a few.

import Records

/// Some fields, for reading only these of many records.
struct FieldSelection: Sendable {
  private typealias Bytes = UnsafeBufferPointer<UInt8>

  private struct Key: Sendable {
    let key: FieldKey
    let bytes: [UInt8]
  }

  /// In the order of the fields of a record.
  private let keys: [Key]

  /// Selects the fields with these keys.
  init(_ keys: Set<FieldKey>) {
    self.keys = keys.sorted().map { Key(key: $0, bytes: Array($0.text.utf8)) }
  }

  /// Decodes the selected fields of a stored record. The others are not validated.
  /// - Throws: what `EncodedRecord.fields` throws.
  func fields(of record: EncodedRecord) throws(RecordsError) -> Fields {
    let found = try record.bytes.withUnsafeBufferPointer { bytes throws(RecordsError) in
      try self.fields(in: bytes)
    }
    if let found { return Fields(sorted: found) }
    let selected = Set(keys.map(\.key))
    return Fields(sorted: try record.fields().all.filter { selected.contains($0.key) })
  }

  /// Returns the selected fields; `nil` if the record is not encoded as this program encodes it, which is valid.
  private func fields(in bytes: Bytes) throws(RecordsError) -> [Fields.Field]? {
    var found: [Fields.Field] = []
    found.reserveCapacity(keys.count)
    var next = 0
    var index = 0
    while index < bytes.count {
      guard let field = Self.part(1, at: &index, before: bytes.count, in: bytes) else { return nil }
      var inner = field.lowerBound
      guard let key = Self.part(1, at: &inner, before: field.upperBound, in: bytes),
        let value = Self.part(2, at: &inner, before: field.upperBound, in: bytes),
        inner == field.upperBound
      else { return nil }
      var order = 1
      while next < keys.count {
        order = Self.order(keys[next].bytes, bytes, key)
        guard order < 0 else { break }
        next += 1
      }
      guard order == 0 else { continue }
      let decoded = try Value(encoded: Bytes(rebasing: bytes[value]))
      found.append(Fields.Field(key: keys[next].key, value: decoded))
    }
    return found
  }

  /// Returns the place of the bytes with the field number `number` at `index`, and moves behind them.
  private static func part(
    _ number: UInt8, at index: inout Int, before end: Int, in bytes: Bytes
  ) -> Range<Int>? {
    guard index < end, bytes[index] == number << 3 | 2 else { return nil }
    index += 1
    var length = 0
    var shift = 0
    while index < end, shift < 28 {
      let byte = bytes[index]
      index += 1
      length |= Int(byte & 0x7F) << shift
      shift += 7
      guard byte & 0x80 == 0 else { continue }
      guard length <= end - index else { return nil }
      defer { index += length }
      return index..<index + length
    }
    return nil
  }

  /// Returns a negative number if `key` precedes the bytes in `range`, and 0 if it is equal to them.
  private static func order(_ key: [UInt8], _ bytes: Bytes, _ range: Range<Int>) -> Int {
    for offset in 0..<min(key.count, range.count) {
      let difference = Int(key[offset]) - Int(bytes[range.lowerBound + offset])
      if difference != 0 { return difference }
    }
    return key.count - range.count
  }
}
