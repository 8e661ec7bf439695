// What an index entry is filed under: a value of a field, a prefix, three letters, a cell of a
// number line or of the globe. All are bytes or 64 bits, with the slot of the field and a kind.

import Predicates
import Records

/// What kind of key it is; its raw value is part of the key.
enum KeyKind {
  static let text: UInt8 = 1
  static let whole: UInt8 = 2
  static let real: UInt8 = 3
  static let date: UInt8 = 4
  static let bytes: UInt8 = 5
  static let reference: UInt8 = 6
  /// What a text begins with, up to `prefixBytesMax` bytes of it.
  static let prefix: UInt8 = 16
  /// What a text ends with.
  static let suffix: UInt8 = 17
  /// Three bytes that stand somewhere in a text.
  static let trigram: UInt8 = 18
  /// A word of any text of the record.
  static let word: UInt8 = 19
  /// That the field is there.
  static let presence: UInt8 = 20
  /// Every record.
  static let always: UInt8 = 21
  /// Two symbols at once.
  static let pair: UInt8 = 22
  /// A cell of the globe.
  static let cell: UInt8 = 23
  /// A cell of the line of whole numbers and dates; 64 sizes.
  static let wholeCell: UInt8 = 64
  /// A cell of the line of real numbers; 64 sizes.
  static let realCell: UInt8 = 128

  /// The bytes of a prefix or suffix that are looked up; of a longer one the first or last.
  static let prefixBytesMax = 32
}

/// A key, its bytes in place.
struct SymbolKey: BitwiseCopyable {
  let kind: UInt8
  let slot: UInt16
  let bits: UInt64
  let start: UnsafePointer<UInt8>?
  let count: Int

  /// A key of bytes.
  @inline(__always)
  init(_ kind: UInt8, slot: UInt16, start: UnsafePointer<UInt8>?, count: Int) {
    self.kind = kind
    self.slot = slot
    self.start = start
    self.count = count
    bits = 0
  }

  /// A key of 64 bits.
  @inline(__always)
  init(_ kind: UInt8, slot: UInt16, bits: UInt64) {
    self.kind = kind
    self.slot = slot
    self.bits = bits
    start = nil
    count = 0
  }

  /// The key of a field's whole value; `nil` for kinds that are compared in place.
  @inline(__always)
  init?(value: ValueView, slot: UInt16) {
    switch value.kind {
    case .text:
      self.init(KeyKind.text, slot: slot, start: value.start, count: Int(value.count))
    case .whole: self.init(KeyKind.whole, slot: slot, bits: value.bits)
    case .real:
      // A real number that is whole has the whole number's key: the two are equal.
      if let whole = Int64(exactly: value.real) {
        self.init(KeyKind.whole, slot: slot, bits: UInt64(bitPattern: whole))
      } else {
        self.init(KeyKind.real, slot: slot, bits: value.bits)
      }
    case .date: self.init(KeyKind.date, slot: slot, bits: value.bits)
    case .bytes:
      self.init(KeyKind.bytes, slot: slot, start: value.start, count: Int(value.count))
    case .reference:
      self.init(KeyKind.reference, slot: slot, start: value.start, count: Int(value.count))
    case .missing, .location, .asset, .list, .entries, .unknown, .unfolded: return nil
    }
  }

  /// Whether it is told by bytes.
  @inline(__always)
  var hasBytes: Bool { isKeyOfBytes(kind) }

  @inline(__always)
  var hash: UInt32 {
    let seed = UInt64(slot) << 8 | UInt64(kind)
    let hash =
      hasBytes
      ? ByteHash.hash(start, count: count, seed: seed)
      : ByteHash.mix(ByteHash.mix(seed, bits), seed)
    return UInt32(truncatingIfNeeded: hash ^ hash >> 32)
  }
}

/// Whether keys of a kind are told by bytes rather than by 64 bits.
@inline(__always)
func isKeyOfBytes(_ kind: UInt8) -> Bool {
  switch kind {
  case KeyKind.text, KeyKind.bytes, KeyKind.reference, KeyKind.prefix, KeyKind.suffix,
    KeyKind.word:
    true
  default: false
  }
}
