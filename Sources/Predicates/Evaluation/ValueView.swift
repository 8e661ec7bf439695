// A view of a value in the encoded bytes of a record: its kind and address, without copies or reference
// counts. It is valid as long as the bytes, which a `EvaluatedRecord` owns. The bytes are not trusted: each
// length is checked, and a value that cannot be parsed is of kind `unknown`, which equals nothing.

import Records

/// The kinds of values that comparisons distinguish.
package enum ValueKind: UInt8, BitwiseCopyable, Sendable {
  case missing, text, whole, real, date, bytes, location, reference, asset, list, entries, unknown
  /// A text that was not folded, because of a limit.
  case unfolded

  /// The class of values that it can be compared with.
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

/// A value in encoded bytes.
package struct ValueView: BitwiseCopyable {
  /// The integer, the bits of the double, the microseconds of the date, or the size of the asset.
  package var bits: UInt64 = 0
  /// The address of the text, the bytes, the referenced name, the digest, or the encoded content.
  package var start: UnsafePointer<UInt8>?
  /// The number of bytes at `start`.
  package var count: UInt32 = 0
  /// An index's symbol for the value; 0 for none.
  package var symbol: UInt32 = 0
  /// The kind of the value.
  package var kind = ValueKind.missing

  /// Creates the view of a missing field.
  package init() {}

  /// Creates a view of a text, or of another value that consists of bytes.
  package init(_ kind: ValueKind, start: UnsafePointer<UInt8>?, count: Int) {
    self.kind = kind
    self.start = start
    self.count = UInt32(truncatingIfNeeded: count)
  }

  /// Creates a view of a number or date.
  package init(_ kind: ValueKind, bits: UInt64) {
    self.kind = kind
    self.bits = bits
  }

  /// Parses the content of a protobuf `Value`. The kind is `unknown` if it cannot be parsed.
  init(encoded reader: RawReader) {
    var reader = reader
    guard let part = reader.next(), reader.isAtEnd else {
      self.init(.unknown, bits: 0)
      return
    }
    switch (part.number, part.type) {
    case (1, .lengthDelimited): self.init(.text, start: part.start, count: part.count)
    case (2, .varint): self.init(.whole, bits: Self.unzigzag(part.bits))
    case (3, .fixed64): self.init(real: part.bits)
    case (4, .varint): self.init(.whole, bits: part.bits != 0 ? 1 : 0)
    case (5, .varint): self.init(.date, bits: Self.unzigzag(part.bits))
    case (6, .lengthDelimited): self.init(.bytes, start: part.start, count: part.count)
    case (7, .lengthDelimited): self.init(location: part)
    case (8, .lengthDelimited): self.init(reference: part.content)
    case (9, .lengthDelimited): self.init(asset: part.content)
    case (10, .lengthDelimited): self.init(.list, start: part.start, count: part.count)
    case (11, .lengthDelimited): self.init(.entries, start: part.start, count: part.count)
    default: self.init(.unknown, bits: 0)
    }
  }

  // NB: a saved record has neither numbers that are not finite nor locations outside of the globe, but
  // damaged bytes can have both, and neither has a cell of the number line or of the globe.

  private init(real bits: UInt64) {
    self.init(Double(bitPattern: bits).isFinite ? .real : .unknown, bits: bits)
  }

  private init(location part: RawReader.Part) {
    self.init(.location, start: part.start, count: part.count)
    let place = self.place
    let isOnGlobe = abs(place.latitudeDegrees) <= 90 && abs(place.longitudeDegrees) <= 180
    if !isOnGlobe { kind = .unknown }
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

  /// The bytes at `start`.
  @inline(__always)
  package var buffer: UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(start: start, count: Int(count))
  }

  /// The integer, or the microseconds of the date.
  @inline(__always)
  package var signed: Int64 { Int64(bitPattern: bits) }

  /// The double.
  @inline(__always)
  package var real: Double { Double(bitPattern: bits) }

  /// The location.
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

  /// A reader of the elements of a list or the entries of a field.
  package var elements: RawReader { RawReader(buffer) }
}
