// The keys of the index: a value of a field, a prefix, a trigram, a cell of the number line or of the
// globe. A key has a kind, the slot of its field, and either bytes or 64 bits.

import Predicates
import Records

/// The kinds of keys. The number is part of the key.
enum KeyKind {
  static let text: UInt8 = 1
  static let whole: UInt8 = 2
  static let real: UInt8 = 3
  static let date: UInt8 = 4
  static let bytes: UInt8 = 5
  static let reference: UInt8 = 6
  /// The first bytes of a text, up to `prefixBytesMax`.
  static let prefix: UInt8 = 16
  /// The last bytes of a text, up to `prefixBytesMax`.
  static let suffix: UInt8 = 17
  /// Three consecutive bytes of a text.
  static let trigram: UInt8 = 18
  /// A word of any text of the record.
  static let word: UInt8 = 19
  /// The presence of a field.
  static let presence: UInt8 = 20
  /// The key that every record has.
  static let always: UInt8 = 21
  /// A pair of symbols.
  static let pair: UInt8 = 22
  /// A cell of the globe.
  static let cell: UInt8 = 23
  /// A cell of the line of integers and dates, of size 2⁰; adding n gives the kind for size 2ⁿ, n < 64.
  static let wholeCell: UInt8 = 64
  /// A cell of the line of doubles, of size 2⁰; adding n gives the kind for size 2ⁿ, n < 64.
  static let realCell: UInt8 = 128

  /// The most bytes of a prefix or suffix key. A longer prefix or suffix is shortened to this.
  static let prefixBytesMax = 32
}

/// A key that points to its bytes, which must outlive it.
struct SymbolKey: BitwiseCopyable {
  let kind: UInt8
  let slot: UInt16
  let bits: UInt64
  let start: UnsafePointer<UInt8>?
  let count: Int

  /// Creates a key of bytes.
  @inline(__always)
  init(_ kind: UInt8, slot: UInt16, start: UnsafePointer<UInt8>?, count: Int) {
    self.kind = kind
    self.slot = slot
    self.start = start
    self.count = count
    bits = 0
  }

  /// Creates a key of 64 bits.
  @inline(__always)
  init(_ kind: UInt8, slot: UInt16, bits: UInt64) {
    self.kind = kind
    self.slot = slot
    self.bits = bits
    start = nil
    count = 0
  }

  /// Creates the key of a field's complete value; `nil` for kinds of values that have no symbols.
  @inline(__always)
  init?(value: ValueView, slot: UInt16) {
    switch value.kind {
    case .text:
      self.init(KeyKind.text, slot: slot, start: value.start, count: Int(value.count))
    case .whole: self.init(KeyKind.whole, slot: slot, bits: value.bits)
    case .real:
      // A double that equals an integer has the integer's key, because predicates treat them as equal.
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

  /// Whether the key consists of bytes, not of 64 bits.
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

/// Returns whether keys of a kind consist of bytes, not of 64 bits.
@inline(__always)
func isKeyOfBytes(_ kind: UInt8) -> Bool {
  switch kind {
  case KeyKind.text, KeyKind.bytes, KeyKind.reference, KeyKind.prefix, KeyKind.suffix,
    KeyKind.word:
    true
  default: false
  }
}
