// Reads protobuf's wire format in place. Decoding a record reads a hundred small parts. A slice of an array for each of
// them, with its references to the array, took more than half of the time.

/// An iterator over the fields of an encoded protobuf message, whose bytes must outlive it and what it returns. Each
/// length is checked against the remaining bytes.
package struct WireReader: BitwiseCopyable {
  /// One field with its undecoded value.
  package struct Field: BitwiseCopyable {
    /// The field number.
    package let number: Int
    /// The value: an integer or bytes, depending on the wire type.
    package let payload: Payload
  }

  /// A field's value, by wire type.
  package enum Payload: BitwiseCopyable {
    case varint(UInt64)
    case fixed64(UInt64)
    case bytes(UnsafeBufferPointer<UInt8>)
    case fixed32(UInt32)
  }

  private let bytes: UnsafeBufferPointer<UInt8>
  /// The position of the next field.
  private(set) var index = 0

  /// Creates a reader at the start of `bytes`.
  package init(_ bytes: UnsafeBufferPointer<UInt8>) {
    self.bytes = bytes
  }

  /// Returns the next field, or `nil` at the end.
  /// - Throws: `invalidArguments` if the bytes are not valid protobuf.
  package mutating func next() throws(RecordsError) -> Field? {
    guard index < bytes.count else { return nil }
    let tag = try varint()
    let number = tag >> 3
    guard number >= 1, number < 1 << 29 else { throw malformed }
    return Field(number: Int(number), payload: try payload(of: UInt8(tag & 7)))
  }

  private mutating func payload(of type: UInt8) throws(RecordsError) -> Payload {
    switch WireType(rawValue: type) {
    case .varint: return .varint(try varint())
    case .fixed64: return .fixed64(try fixed(byteCount: 8))
    case .fixed32: return .fixed32(UInt32(truncatingIfNeeded: try fixed(byteCount: 4)))
    case .lengthDelimited:
      let length = try varint()
      guard length <= UInt64(bytes.count - index) else { throw malformed }
      defer { index += Int(length) }
      return .bytes(UnsafeBufferPointer(rebasing: bytes[index..<index + Int(length)]))
    case nil: throw malformed
    }
  }

  private mutating func varint() throws(RecordsError) -> UInt64 {
    var result: UInt64 = 0
    var shift: UInt64 = 0
    while index < bytes.count, shift < 64 {
      let byte = bytes[index]
      index += 1
      result |= UInt64(byte & 0x7F) << shift
      if byte < 0x80 { return result }
      shift += 7
    }
    throw malformed
  }

  private mutating func fixed(byteCount: Int) throws(RecordsError) -> UInt64 {
    guard bytes.count - index >= byteCount else { throw malformed }
    var result: UInt64 = 0
    for offset in 0..<byteCount {
      result |= UInt64(bytes[index + offset]) << UInt64(8 * offset)
    }
    index += byteCount
    return result
  }
}

private var malformed: RecordsError { .invalid("The bytes of a record are not a valid encoding.") }

extension WireReader.Payload {
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
  func finiteDouble() throws(RecordsError) -> Double {
    guard case .fixed64(let bits) = self else { throw malformed }
    let value = Double(bitPattern: bits)
    guard value.isFinite else { throw .invalid("A number in a record must be finite.") }
    return value
  }

  /// Returns the bytes, or throws if the field is not length-delimited.
  package func content() throws(RecordsError) -> UnsafeBufferPointer<UInt8> {
    guard case .bytes(let bytes) = self else { throw malformed }
    return bytes
  }

  /// Returns the value as text, or throws if the field is not valid UTF-8.
  package func text() throws(RecordsError) -> String {
    let bytes = try content()
    // NB: the library's UTF-8 validation costs three times the rest, and most text is ASCII.
    let text =
      bytes.reduce(0, |) < 0x80
      ? String(decoding: bytes, as: UTF8.self) : String(validating: bytes, as: UTF8.self)
    guard let text else { throw .invalid("A text in a record is not valid UTF-8.") }
    return text
  }

  /// Returns the value as a field's key, or throws if it is not one.
  func key() throws(RecordsError) -> FieldKey {
    let bytes = try content()
    guard FieldKey.isValid(bytes) else { return try FieldKey(text()) }
    return FieldKey(stored: String(decoding: bytes, as: UTF8.self))
  }
}
