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
