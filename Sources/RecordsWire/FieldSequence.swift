import Records

/// The fields of an encoded message whose bytes must outlive it, read in the order of their numbers. A field of a lower
/// number than the last one is never returned, so a message with repeated or unknown fields is not `isAtEnd` in the end.
struct FieldSequence: BitwiseCopyable {
  private var reader: WireReader
  /// The field that was read ahead; `nil` after the last one.
  private var next: WireReader.Field?

  /// Reads the first field.
  /// - Throws: `invalidArguments` if the bytes are not valid protobuf.
  init(_ bytes: UnsafeBufferPointer<UInt8>) throws(RecordsError) {
    reader = WireReader(bytes)
    next = try reader.next()
  }

  /// Whether all fields were returned.
  var isAtEnd: Bool { next == nil }

  /// Returns the field if it is the next one, and goes on; otherwise `nil`, and stays.
  private mutating func take(_ number: Int) throws(RecordsError) -> WireReader.Payload? {
    guard let next, next.number == number else { return nil }
    self.next = try reader.next()
    return next.payload
  }

  /// Takes a varint field. Throws if it has another type, as the other functions do.
  mutating func unsigned(_ number: Int) throws(RecordsError) -> UInt64? {
    guard let payload = try take(number) else { return nil }
    return try payload.unsigned()
  }

  /// Takes a field with a zig-zag encoded integer.
  mutating func signed(_ number: Int) throws(RecordsError) -> Int64? {
    guard let payload = try take(number) else { return nil }
    return try payload.signed()
  }

  /// Takes a field with bytes.
  mutating func content(_ number: Int) throws(RecordsError) -> UnsafeBufferPointer<UInt8>? {
    guard let payload = try take(number) else { return nil }
    return try payload.content()
  }

  /// Takes a field with text.
  mutating func text(_ number: Int) throws(RecordsError) -> String? {
    guard let payload = try take(number) else { return nil }
    return try payload.text()
  }

  /// Takes a field with a message.
  mutating func message(_ number: Int) throws(RecordsError) -> FieldSequence? {
    guard let bytes = try content(number) else { return nil }
    return try FieldSequence(bytes)
  }
}
