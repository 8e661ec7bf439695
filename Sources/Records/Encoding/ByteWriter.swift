// A handwritten encoder for protobuf's wire format (see RecordsWire/records.proto). A record is
// encoded on every save and merge, and SwiftProtobuf takes four times as long.

/// A buffer to which protobuf fields are appended.
package struct ByteWriter {
  /// The bytes written so far.
  package private(set) var bytes: [UInt8]

  /// Creates an empty buffer with room for `capacity` bytes.
  package init(reservingBytes capacity: Int = 0) {
    bytes = []
    bytes.reserveCapacity(capacity)
  }

  /// Writes a base-128 varint, least significant group first.
  package mutating func varint(_ value: UInt64) {
    var rest = value
    while rest >= 0x80 {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(rest))
  }

  /// Writes a field with an unsigned integer.
  package mutating func field(_ number: Int, varint value: UInt64) {
    tag(number, .varint)
    varint(value)
  }

  /// Writes a field with a zig-zag encoded signed integer (protobuf's `sint64`).
  package mutating func field(_ number: Int, signed value: Int64) {
    field(number, varint: UInt64(bitPattern: value << 1 ^ value >> 63))
  }

  /// Writes a field with a double.
  package mutating func field(_ number: Int, double value: Double) {
    tag(number, .fixed64)
    let bits = value.bitPattern
    for shift in stride(from: 0, to: 64, by: 8) {
      bytes.append(UInt8(truncatingIfNeeded: bits >> UInt64(shift)))
    }
  }

  /// Writes a field with bytes.
  package mutating func field(_ number: Int, bytes value: [UInt8]) {
    open(number, byteCount: value.count)
    bytes.append(contentsOf: value)
  }

  /// Writes the tag and length of a field with bytes. The caller then writes `byteCount` bytes.
  package mutating func open(_ number: Int, byteCount: Int) {
    tag(number, .lengthDelimited)
    varint(UInt64(byteCount))
  }

  /// Writes a field with text.
  package mutating func field(_ number: Int, string value: String) {
    open(number, byteCount: value.utf8.count)
    bytes.append(contentsOf: value.utf8)
  }

  /// Writes a field with a message, whose content `body` writes.
  package mutating func field(_ number: Int, message body: (inout ByteWriter) -> Void) {
    tag(number, .lengthDelimited)
    // Most messages are shorter than 128 bytes. Reserve one byte for the length and move the body
    // only if the length needs more.
    let start = bytes.count
    bytes.append(0)
    body(&self)
    let length = bytes.count - start - 1
    if length < 0x80 {
      bytes[start] = UInt8(length)
    } else {
      var prefix = ByteWriter()
      prefix.varint(UInt64(length))
      bytes.replaceSubrange(start...start, with: prefix.bytes)
    }
  }

  /// Appends bytes that are already encoded.
  package mutating func raw(_ encoded: some Sequence<UInt8>) {
    bytes.append(contentsOf: encoded)
  }

  private mutating func tag(_ number: Int, _ type: WireType) {
    varint(UInt64(number) << 3 | UInt64(type.rawValue))
  }
}

/// Protobuf's wire type, which determines how a field's length is encoded.
package enum WireType: UInt8, BitwiseCopyable, Sendable {
  case varint = 0
  case fixed64 = 1
  case lengthDelimited = 2
  case fixed32 = 5
}
