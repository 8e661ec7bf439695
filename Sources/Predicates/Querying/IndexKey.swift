// What a declared index keeps of a value: bytes in the order in which queries sort, so that a database
// that knows nothing of values finds a range of them and walks it. A key never says more than its
// value: of a long text it is the beginning, of a whole number beyond 2⁵³ the nearest real one, of a
// place or a list only that it is one. So equal keys say nothing, a lesser key says “not behind”, and
// whoever finds a record by its key still runs the predicate on it and sorts it by its fields.

import Records

/// A value's place in the order of values, as bytes; see above for what it does not tell.
package struct IndexKey: Hashable, Comparable, Sendable {
  /// The bytes. The first is the kind, 0 for a field that is missing.
  package let bytes: [UInt8]

  /// The bytes of a text that are kept.
  static let contentBytesMax = 63

  /// The key of a value; `nil` for a field that is missing.
  package init(_ value: Value?) {
    self = value.map { $0.withView(IndexKey.init(view:)) } ?? IndexKey(bytes: [0])
  }

  /// The key of a record's field. Takes a tenth of a microsecond: nothing is decoded.
  package init(of path: FieldPath, in record: Change) {
    switch path {
    case .field(let key):
      self = record.record.withView(of: key, IndexKey.init(view:)) ?? IndexKey(bytes: [0])
    case .system(let field): self.init(field.value(of: SystemFields(record)))
    case .entry: self.init(nil)
    }
  }

  /// A key as a database kept it.
  package init(stored bytes: [UInt8]) {
    self.bytes = bytes
  }

  private init(bytes: [UInt8]) {
    self.bytes = bytes
  }

  private init(view: ValueView) {
    guard view.kind != .missing else {
      self.init(bytes: [0])
      return
    }
    let first = Self.kind(view.kind.comparisonClass)
    switch view.kind {
    case .text, .bytes, .reference:
      self.init(bytes: [first] + view.buffer.prefix(Self.contentBytesMax))
    case .whole: self.init(first, NumberLine.place(Double(view.signed)))
    case .real: self.init(first, NumberLine.place(view.real))
    case .date: self.init(first, NumberLine.place(view.signed))
    case .missing, .location, .asset, .list, .entries, .unknown, .unfolded:
      self.init(bytes: [first])
    }
  }

  private init(_ kind: UInt8, _ place: UInt64) {
    self.init(bytes: [kind] + withUnsafeBytes(of: place.bigEndian) { Array($0) })
  }

  /// The first byte of keys of a class.
  static func kind(_ found: ComparisonClass) -> UInt8 { found.rawValue + 1 }

  package static func < (left: Self, right: Self) -> Bool {
    left.bytes.lexicographicallyPrecedes(right.bytes)
  }
}

extension EncodedRecord {
  /// Calls `body` with the value of a field as it stands in the bytes; `nil` where there is none.
  fileprivate func withView<Result>(
    of key: FieldKey, _ body: (ValueView) -> Result
  ) -> Result? {
    var name = key.text
    return name.withUTF8 { name in
      bytes.withUnsafeBufferPointer { bytes in
        var reader = RawReader(bytes)
        while let part = reader.next() {
          guard part.number == 1, part.type == .lengthDelimited,
            let value = ValueView(ofField: name, in: part.content)
          else { continue }
          return body(value)
        }
        return nil
      }
    }
  }
}

extension ValueView {
  /// The value of a field of this name; `nil` where the field has another.
  fileprivate init?(ofField name: UnsafeBufferPointer<UInt8>, in field: RawReader) {
    var reader = field
    var isNamed = false
    var value = ValueView()
    while let part = reader.next() {
      guard part.type == .lengthDelimited else { continue }
      if part.number == 1 { isNamed = part.buffer.elementsEqual(name) }
      if part.number == 2 { value = ValueView(encoded: part.content) }
    }
    guard isNamed else { return nil }
    self = value
  }
}
