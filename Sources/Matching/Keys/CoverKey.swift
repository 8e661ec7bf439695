/// A key that a predicate is filed under.
enum CoverKey {
  /// The symbol of a value that the predicate compares with.
  case symbol(UInt32)
  /// A key of 64 bits.
  case bits(kind: UInt8, slot: UInt16, UInt64)
  /// A key of bytes.
  case bytes(kind: UInt8, slot: UInt16, [UInt8])
  /// The numbers or dates at or above a bound, or at or below it. The bound is a `NumberLine` position.
  case threshold(slot: UInt16, isLower: Bool, UInt64)
}

/// Keys of which every record that a predicate matches has at least one.
struct Cover {
  var keys: [CoverKey]
  /// The expected fraction of records that have a key, summed over the keys.
  var cost: Double
  /// A value that a record must have in addition to any of the keys; see `Posting`.
  var signature: UInt32 = 0

  /// The most keys of a cover. A predicate with a larger one is evaluated for every record instead.
  static let keysMax = 256
}
