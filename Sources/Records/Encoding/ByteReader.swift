// Reads protobuf's wire format from untrusted bytes. Each length is checked against the remaining
// bytes before anything is allocated, so hostile input costs an error and no memory.

/// An iterator over the fields of an encoded protobuf message.
package struct ByteReader {
  private let bytes: ArraySlice<UInt8>
  private var index: Int

  /// Creates a reader at the start of `bytes`.
  package init(_ bytes: ArraySlice<UInt8>) {
    self.bytes = bytes
    index = bytes.startIndex
  }

  /// One field with its undecoded value.
  package struct Field {
    /// The field number.
    package let number: Int
    /// The value: an integer or bytes, depending on the wire type.
    package let payload: Payload
    /// The complete field including its tag, exactly as received.
    package let encoded: ArraySlice<UInt8>
  }

  /// A field's value, by wire type.
  package enum Payload {
    case varint(UInt64)
    case fixed64(UInt64)
    case bytes(ArraySlice<UInt8>)
    case fixed32(UInt32)
  }

  /// Returns the next field, or `nil` at the end.
  /// - Throws: `invalidArguments` if the bytes are not valid protobuf.
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
  /// Returns the value as an unsigned integer, or throws if the field is not a varint.
  package func unsigned() throws(RecordsError) -> UInt64 {
    guard case .varint(let value) = self else { throw malformed }
    return value
  }

  /// Returns the value as a zig-zag encoded signed integer, or throws if the field is not a varint.
  package func signed() throws(RecordsError) -> Int64 {
    let value = try unsigned()
    return Int64(bitPattern: value >> 1) ^ -Int64(bitPattern: value & 1)
  }

  /// Returns the value as a double, or throws if the field is not a finite 64-bit number.
  package func finiteDouble() throws(RecordsError) -> Double {
    guard case .fixed64(let bits) = self else { throw malformed }
    let value = Double(bitPattern: bits)
    guard value.isFinite else { throw .invalid("A number in a record must be finite.") }
    return value
  }

  /// Returns the bytes, or throws if the field is not length-delimited.
  package func slice() throws(RecordsError) -> ArraySlice<UInt8> {
    guard case .bytes(let slice) = self else { throw malformed }
    return slice
  }

  /// Returns the value as text, or throws if the field is not valid UTF-8.
  package func text() throws(RecordsError) -> String {
    let text = try slice().withUnsafeBufferPointer { bytes in
      // NB: the library's UTF-8 validation costs three times the rest, and most text is ASCII.
      bytes.allSatisfy { $0 < 0x80 }
        ? String(decoding: bytes, as: UTF8.self) : String(validating: bytes, as: UTF8.self)
    }
    guard let text else { throw .invalid("A text in a record is not valid UTF-8.") }
    return text
  }
}
