import Records

/// Parses the fields of a protobuf message in place. In contrast to `ByteReader`, it has no slices, errors
/// or reference counts. Each length is checked against the bytes left; invalid bytes end the iteration.
package struct RawReader: BitwiseCopyable {
  private var index: UnsafePointer<UInt8>
  private let end: UnsafePointer<UInt8>

  /// Creates a reader of `bytes`, which must outlive it.
  package init(_ bytes: UnsafeBufferPointer<UInt8>) {
    // NB: the address of an empty buffer can be `nil`. Any address can replace it, because nothing is read.
    let base = bytes.baseAddress ?? UnsafePointer(bitPattern: 8).unsafelyUnwrapped
    index = base
    end = base + bytes.count
  }

  /// A field whose value is not decoded.
  package struct Part: BitwiseCopyable {
    /// The field number.
    package let number: Int
    /// The wire type of the value.
    package let type: WireType
    /// The value, if it is a varint or has a fixed size; otherwise 0.
    package let bits: UInt64
    /// The address of the content of a length-delimited value.
    package let start: UnsafePointer<UInt8>
    /// The length of the content, in bytes; 0 for other values.
    package let count: Int

    /// The bytes of the content.
    @inline(__always)
    package var buffer: UnsafeBufferPointer<UInt8> {
      UnsafeBufferPointer(start: start, count: count)
    }

    /// A reader of the content, as a message.
    package var content: RawReader { RawReader(buffer) }
  }

  /// Whether all bytes were read.
  var isAtEnd: Bool { index == end }

  /// Returns the next field; `nil` at the end or if the bytes are invalid.
  package mutating func next() -> Part? {
    guard index < end, let tag = varint(), let type = WireType(rawValue: UInt8(tag & 7)),
      tag >> 3 >= 1, tag >> 3 < 1 << 29
    else { return nil }
    let number = Int(tag >> 3)
    switch type {
    case .varint:
      guard let value = varint() else { return nil }
      return Part(number: number, type: type, bits: value, start: index, count: 0)
    case .fixed64:
      guard let value = fixed(8) else { return nil }
      return Part(number: number, type: type, bits: value, start: index, count: 0)
    case .fixed32:
      guard let value = fixed(4) else { return nil }
      return Part(number: number, type: type, bits: value, start: index, count: 0)
    case .lengthDelimited:
      guard let length = varint(), length <= UInt64(end - index) else { return nil }
      let part = Part(number: number, type: type, bits: 0, start: index, count: Int(length))
      index += Int(length)
      return part
    }
  }

  @inline(__always)
  private mutating func varint() -> UInt64? {
    guard index < end else { return nil }
    if index.pointee < 0x80 {
      defer { index += 1 }
      return UInt64(index.pointee)
    }
    return longVarint()
  }

  private mutating func longVarint() -> UInt64? {
    var result: UInt64 = 0
    var shift: UInt64 = 0
    while index < end, shift < 64 {
      let byte = index.pointee
      index += 1
      result |= UInt64(byte & 0x7F) << shift
      if byte < 0x80 { return result }
      shift += 7
    }
    return nil
  }

  private mutating func fixed(_ byteCount: Int) -> UInt64? {
    guard end - index >= byteCount else { return nil }
    var result: UInt64 = 0
    for offset in 0..<byteCount { result |= UInt64(index[offset]) << UInt64(8 * offset) }
    index += byteCount
    return result
  }
}
