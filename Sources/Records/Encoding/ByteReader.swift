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
    let start = index
    let read = try bytes[start...].withUnsafeBufferPointer { rest throws(RecordsError) in
      var reader = WireReader(rest)
      return try reader.next().map { (field: $0, end: start + reader.index) }
    }
    guard let read else { return nil }
    index = read.end
    return Field(
      number: read.field.number, payload: payload(of: read.field), encoded: bytes[start..<index])
  }

  /// Returns the payload of a field that ends at the current position.
  private func payload(of field: WireReader.Field) -> Payload {
    switch field.payload {
    case .varint(let value): .varint(value)
    case .fixed64(let value): .fixed64(value)
    case .bytes(let content): .bytes(bytes[(index - content.count)..<index])
    case .fixed32(let value): .fixed32(value)
    }
  }
}

extension ByteReader.Payload {
  /// Returns the value as an unsigned integer, or throws if the field is not a varint.
  package func unsigned() throws(RecordsError) -> UInt64 {
    try read { payload throws(RecordsError) in try payload.unsigned() }
  }

  /// Returns the value as a zig-zag encoded signed integer, or throws if the field is not a varint.
  package func signed() throws(RecordsError) -> Int64 {
    try read { payload throws(RecordsError) in try payload.signed() }
  }

  /// Returns the value as a double, or throws if the field is not a finite 64-bit number.
  package func finiteDouble() throws(RecordsError) -> Double {
    try read { payload throws(RecordsError) in try payload.finiteDouble() }
  }

  /// Returns the bytes, or throws if the field is not length-delimited.
  package func slice() throws(RecordsError) -> ArraySlice<UInt8> {
    guard case .bytes(let slice) = self else {
      return try read { payload throws(RecordsError) in Array(try payload.content())[...] }
    }
    return slice
  }

  /// Returns the value as text, or throws if the field is not valid UTF-8.
  package func text() throws(RecordsError) -> String {
    try read { payload throws(RecordsError) in try payload.text() }
  }

  private func read<Value>(
    _ body: (WireReader.Payload) throws(RecordsError) -> Value
  ) throws(RecordsError) -> Value {
    switch self {
    case .varint(let value): try body(.varint(value))
    case .fixed64(let value): try body(.fixed64(value))
    case .bytes(let slice):
      try slice.withUnsafeBufferPointer { bytes throws(RecordsError) in try body(.bytes(bytes)) }
    case .fixed32(let value): try body(.fixed32(value))
    }
  }
}
