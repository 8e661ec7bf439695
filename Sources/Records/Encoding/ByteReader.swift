// Reads protobuf's wire format from bytes nobody vouches for: every length is checked against what
// is there before anything is taken, so hostile input costs an error and no memory.

/// Walks over the fields of an encoded message.
package struct ByteReader {
  private let bytes: ArraySlice<UInt8>
  private var index: Int

  /// Reads from the start of `bytes`.
  package init(_ bytes: ArraySlice<UInt8>) {
    self.bytes = bytes
    index = bytes.startIndex
  }

  /// One field, before its value is taken apart.
  package struct Field {
    /// The field's number.
    package let number: Int
    /// Its value.
    package let payload: Payload
    /// The whole field with its tag, as it came.
    package let encoded: ArraySlice<UInt8>
  }

  /// A field's value, by wire type.
  package enum Payload {
    case varint(UInt64)
    case fixed64(UInt64)
    case bytes(ArraySlice<UInt8>)
    case fixed32(UInt32)
  }

  /// The next field, or `nil` at the end.
  /// - Throws: `invalidArguments` where the bytes are not protobuf.
  package mutating func next() throws(RecordsError) -> Field? {
    guard index < bytes.endIndex else { return nil }
    let start = index
    let tag = try varint()
    let number = tag >> 3
    guard number >= 1, number < 1 << 29 else { throw malformed }
    let payload = try payload(of: UInt8(tag & 7))
    return Field(number: Int(number), payload: payload, encoded: bytes[start..<index])
  }

  private mutating func payload(of type: UInt8) throws(RecordsError) -> Payload {
    switch WireType(rawValue: type) {
    case .varint: return .varint(try varint())
    case .fixed64: return .fixed64(try fixed(byteCount: 8))
    case .fixed32: return .fixed32(UInt32(truncatingIfNeeded: try fixed(byteCount: 4)))
    case .lengthDelimited:
      let length = try varint()
      guard length <= UInt64(bytes.endIndex - index) else { throw malformed }
      defer { index += Int(length) }
      return .bytes(bytes[index..<index + Int(length)])
    case nil: throw malformed
    }
  }

  private mutating func varint() throws(RecordsError) -> UInt64 {
    var result: UInt64 = 0
    var shift: UInt64 = 0
    while index < bytes.endIndex, shift < 64 {
      let byte = bytes[index]
      index += 1
      result |= UInt64(byte & 0x7F) << shift
      if byte < 0x80 { return result }
      shift += 7
    }
    throw malformed
  }

  private mutating func fixed(byteCount: Int) throws(RecordsError) -> UInt64 {
    guard bytes.endIndex - index >= byteCount else { throw malformed }
    var result: UInt64 = 0
    for offset in 0..<byteCount {
      result |= UInt64(bytes[index + offset]) << UInt64(8 * offset)
    }
    index += byteCount
    return result
  }
}

private let malformed = RecordsError.invalid("The bytes of a record are not a valid encoding.")

extension ByteReader.Payload {
  /// The number, for a field that must be one.
  package func unsigned() throws(RecordsError) -> UInt64 {
    guard case .varint(let value) = self else { throw malformed }
    return value
  }

  /// The signed number, for a field that must be one (zig-zag encoded).
  package func signed() throws(RecordsError) -> Int64 {
    let value = try unsigned()
    return Int64(bitPattern: value >> 1) ^ -Int64(bitPattern: value & 1)
  }

  /// The finite double, for a field that must be one.
  package func finiteDouble() throws(RecordsError) -> Double {
    guard case .fixed64(let bits) = self else { throw malformed }
    let value = Double(bitPattern: bits)
    guard value.isFinite else { throw .invalid("A number in a record must be finite.") }
    return value
  }

  /// The bytes, for a field that must be bytes or a message.
  package func slice() throws(RecordsError) -> ArraySlice<UInt8> {
    guard case .bytes(let slice) = self else { throw malformed }
    return slice
  }

  /// The text, for a field that must be valid UTF-8.
  package func text() throws(RecordsError) -> String {
    let text = try slice().withUnsafeBufferPointer { bytes in
      // NB: validating through the library costs three times the rest, and most texts are ASCII.
      bytes.allSatisfy { $0 < 0x80 }
        ? String(decoding: bytes, as: UTF8.self) : String(validating: bytes, as: UTF8.self)
    }
    guard let text else { throw .invalid("A text in a record is not valid UTF-8.") }
    return text
  }
}
