// A key under which a predicate will be filed, before it has a number.

/// One of the keys of a predicate's cover.
enum CoverKey {
  /// A key that has a number already, as a predicate compares with it.
  case symbol(UInt32)
  /// A key of 64 bits.
  case bits(kind: UInt8, slot: UInt16, UInt64)
  /// A key of bytes.
  case bytes(kind: UInt8, slot: UInt16, [UInt8])
  /// Numbers and dates from a bound on, or up to one, in their order as 64 bits.
  case threshold(slot: UInt16, isLower: Bool, UInt64)
}

/// Keys of which at least one is hit whenever a predicate holds, and how often that is expected.
struct Cover {
  var keys: [CoverKey]
  /// The share of records that hit a key, summed over the keys.
  var cost: Double
  /// What a record must have beside any of the keys: see `Posting`.
  var signature: UInt32 = 0

  /// More keys than this are not worth it: every record looks at the predicate instead.
  static let keysMax = 256
}

/// Numbers as 64 bits in the same order.
enum NumberLine {
  /// The place of a whole number or a date.
  @inline(__always)
  static func place(_ whole: Int64) -> UInt64 {
    UInt64(bitPattern: whole) ^ 1 << 63
  }

  /// The place of a real number among real ones.
  @inline(__always)
  static func place(_ real: Double) -> UInt64 {
    let bits = (real + 0).bitPattern
    return bits >> 63 == 1 ? ~bits : bits | 1 << 63
  }

  /// The whole number at or below a real one; the outermost beyond 64 bits.
  @inline(__always)
  static func floor(_ real: Double) -> Int64 {
    real < -0x1p63 ? .min : real >= 0x1p63 ? .max : Int64(real.rounded(.down))
  }

  /// The size of cell, as a power of two, with which an interval touches at most two cells.
  static func level(from low: UInt64, to high: UInt64) -> Int {
    min(63, UInt64.bitWidth - (high - low).leadingZeroBitCount)
  }
}
