// Walks over protobuf's wire format in memory that stays where it is: what `ByteReader` does for
// bytes that are taken apart into values, without a slice, an error or a reference count. Every
// length is checked against what is there; at the first wrong byte the walk ends.

import Records

/// Walks over the fields of an encoded message in place.
package struct RawReader: BitwiseCopyable {
  private var index: UnsafePointer<UInt8>
  private let end: UnsafePointer<UInt8>

  /// Reads `bytes`, which outlive the reader.
  package init(_ bytes: UnsafeBufferPointer<UInt8>) {
    // NB: an empty buffer may have no address; any will do, as nothing is read from it.
    let base = bytes.baseAddress ?? UnsafePointer(bitPattern: 8).unsafelyUnwrapped
    index = base
    end = base + bytes.count
  }

  /// One field, before its value is taken apart.
  package struct Part: BitwiseCopyable {
    /// The field's number.
    package let number: Int
    /// How its value is told.
    package let type: WireType
    /// The number, for those that are one.
    package let bits: UInt64
    /// The content, for those that have one.
    package let start: UnsafePointer<UInt8>
    /// The bytes of the content.
    package let count: Int

    /// The content, as bytes.
    @inline(__always)
    package var buffer: UnsafeBufferPointer<UInt8> {
      UnsafeBufferPointer(start: start, count: count)
    }

    /// A walk over the content.
    package var content: RawReader { RawReader(buffer) }
  }

  /// Whether everything was read.
  var isAtEnd: Bool { index == end }

  /// The next field; `nil` at the end or where the bytes are not protobuf.
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
