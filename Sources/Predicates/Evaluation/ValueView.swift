// One value as it lies in a record's encoded bytes: its kind and where it is, nothing copied and
// nothing counted. Valid as long as the bytes it points into, which a `RecordView` sees to. Bytes
// nobody vouches for are read with every length checked; what cannot be read compares with nothing.

import Records

/// The kinds of value, as a comparison sees them.
package enum ValueKind: UInt8, BitwiseCopyable, Sendable {
  case missing, text, whole, real, date, bytes, location, reference, asset, list, entries, unknown
  /// A text that was too long to be folded.
  case unfolded

  /// What it can be compared with.
  @inline(__always)
  package var comparisonClass: ComparisonClass {
    switch self {
    case .missing, .entries, .unknown, .unfolded: .none
    case .text: .text
    case .whole, .real: .number
    case .date: .date
    case .bytes: .bytes
    case .location: .location
    case .reference: .reference
    case .asset: .asset
    case .list: .list
    }
  }
}

/// A value in place.
package struct ValueView: BitwiseCopyable {
  /// A whole number, a real one's bits, a date's microseconds, an asset's size.
  package var bits: UInt64 = 0
  /// The text, the bytes, the name referred to, the digest; else the encoded content.
  package var start: UnsafePointer<UInt8>?
  /// The bytes at `start`.
  package var count: UInt32 = 0
  /// An index's number for the value, among those it has keys for; 0 for none.
  package var symbol: UInt32 = 0
  /// What it is.
  package var kind = ValueKind.missing

  /// A field that is not there.
  package init() {}

  /// Text, or something else that is told by bytes alone.
  package init(_ kind: ValueKind, start: UnsafePointer<UInt8>?, count: Int) {
    self.kind = kind
    self.start = start
    self.count = UInt32(truncatingIfNeeded: count)
  }

  /// A number or a date.
  package init(_ kind: ValueKind, bits: UInt64) {
    self.kind = kind
    self.bits = bits
  }

  /// Reads the content of a `message Value`; of an unknown kind where it cannot be read.
  init(encoded reader: RawReader) {
    var reader = reader
    guard let part = reader.next(), reader.isAtEnd else {
      self.init(.unknown, bits: 0)
      return
    }
    switch (part.number, part.type) {
    case (1, .lengthDelimited): self.init(.text, start: part.start, count: part.count)
    case (2, .varint): self.init(.whole, bits: Self.unzigzag(part.bits))
    case (3, .fixed64): self.init(.real, bits: part.bits)
    case (4, .varint): self.init(.whole, bits: part.bits != 0 ? 1 : 0)
    case (5, .varint): self.init(.date, bits: Self.unzigzag(part.bits))
    case (6, .lengthDelimited): self.init(.bytes, start: part.start, count: part.count)
    case (7, .lengthDelimited): self.init(.location, start: part.start, count: part.count)
    case (8, .lengthDelimited): self.init(reference: part.content)
    case (9, .lengthDelimited): self.init(asset: part.content)
    case (10, .lengthDelimited): self.init(.list, start: part.start, count: part.count)
    case (11, .lengthDelimited): self.init(.entries, start: part.start, count: part.count)
    default: self.init(.unknown, bits: 0)
    }
  }

  private init(reference reader: RawReader) {
    self.init(.reference, start: nil, count: 0)
    var reader = reader
    while let part = reader.next() {
      guard part.number == 1, part.type == .lengthDelimited else { continue }
      start = part.start
      count = UInt32(part.count)
    }
    if start == nil { kind = .unknown }
  }

  private init(asset reader: RawReader) {
    self.init(.asset, start: nil, count: 0)
    var reader = reader
    while let part = reader.next() {
      switch (part.number, part.type) {
      case (1, .lengthDelimited):
        start = part.start
        count = UInt32(part.count)
      case (2, .varint): bits = part.bits
      default: continue
      }
    }
    if start == nil { kind = .unknown }
  }

  private static func unzigzag(_ value: UInt64) -> UInt64 {
    value >> 1 ^ (0 &- (value & 1))
  }

  /// The bytes that `start` and `count` name.
  @inline(__always)
  package var buffer: UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(start: start, count: Int(count))
  }

  /// The whole number or the date.
  @inline(__always)
  package var signed: Int64 { Int64(bitPattern: bits) }

  /// The real number.
  @inline(__always)
  package var real: Double { Double(bitPattern: bits) }

  /// The place, for a location.
  package var place: Location {
    var latitude = 0.0
    var longitude = 0.0
    var reader = RawReader(buffer)
    while let part = reader.next() {
      guard part.type == .fixed64 else { continue }
      if part.number == 1 { latitude = Double(bitPattern: part.bits) }
      if part.number == 2 { longitude = Double(bitPattern: part.bits) }
    }
    return Location(latitudeDegrees: latitude, longitudeDegrees: longitude)
  }

  /// A place within the content of a list, to walk its values.
  package var elements: RawReader { RawReader(buffer) }
}
