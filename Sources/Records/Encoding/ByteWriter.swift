// Records are written in protobuf's wire format (see RecordsWire/records.proto) by hand: a record
// is encoded on every save and merge, and the general library takes four times as long.

/// Appends protobuf fields to a buffer.
package struct ByteWriter {
  /// What has been written.
  package private(set) var bytes: [UInt8]

  /// Begins with an empty buffer that holds `capacity` bytes without growing.
  package init(reservingBytes capacity: Int = 0) {
    bytes = []
    bytes.reserveCapacity(capacity)
  }

  /// Writes a number in base 128, lowest digits first.
  package mutating func varint(_ value: UInt64) {
    var rest = value
    while rest >= 0x80 {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(rest))
  }

  /// Writes a field that is an unsigned number.
  package mutating func field(_ number: Int, varint value: UInt64) {
    tag(number, .varint)
    varint(value)
  }

  /// Writes a field that is a signed number, zig-zag encoded (protobuf's `sint64`).
  package mutating func field(_ number: Int, signed value: Int64) {
    field(number, varint: UInt64(bitPattern: value << 1 ^ value >> 63))
  }

  /// Writes a field that is a double.
  package mutating func field(_ number: Int, double value: Double) {
    tag(number, .fixed64)
    let bits = value.bitPattern
    for shift in stride(from: 0, to: 64, by: 8) {
      bytes.append(UInt8(truncatingIfNeeded: bits >> UInt64(shift)))
    }
  }

  /// Writes a field that is bytes.
  package mutating func field(_ number: Int, bytes value: [UInt8]) {
    open(number, byteCount: value.count)
    bytes.append(contentsOf: value)
  }

  /// Writes the beginning of a field that is bytes; `byteCount` of them are to follow.
  package mutating func open(_ number: Int, byteCount: Int) {
    tag(number, .lengthDelimited)
    varint(UInt64(byteCount))
  }

  /// Writes a field that is text.
  package mutating func field(_ number: Int, string value: String) {
    open(number, byteCount: value.utf8.count)
    bytes.append(contentsOf: value.utf8)
  }

  /// Writes a field that is a message, which `body` writes.
  package mutating func field(_ number: Int, message body: (inout ByteWriter) -> Void) {
    tag(number, .lengthDelimited)
    // Most messages are shorter than 128 bytes: leave one byte for the length and move the body
    // only when it turns out to need more.
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

/// How a protobuf field's length is told.
package enum WireType: UInt8, BitwiseCopyable, Sendable {
  case varint = 0
  case fixed64 = 1
  case lengthDelimited = 2
  case fixed32 = 5
}
