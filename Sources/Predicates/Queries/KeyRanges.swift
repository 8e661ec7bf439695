/// A set of index keys, as sorted, disjoint ranges. AND is the intersection of such sets and OR the union,
/// so that any combination of conditions on one field is a set of ranges.
package struct KeyRanges: Hashable, Sendable {
  /// A half-open range of keys.
  package struct Range: Hashable, Sendable {
    /// The lower bound, which the range contains.
    package let low: [UInt8]
    /// The upper bound, which the range does not contain.
    package let high: [UInt8]
  }

  /// The ranges in ascending order; empty if no key is in the set.
  package private(set) var ranges: [Range]

  /// The most ranges of a union. More are replaced by one range that contains all.
  static let rangesMax = 256
  private static let end: [UInt8] = [0xFF]

  /// The set of all keys.
  package static let all = KeyRanges([Range(low: [], high: end)])
  /// The empty set.
  static let none = KeyRanges([])

  private init(_ ranges: [Range]) {
    self.ranges = ranges
  }

  private init(low: [UInt8], high: [UInt8]) {
    ranges = low.lexicographicallyPrecedes(high) ? [Range(low: low, high: high)] : []
  }

  /// Creates the set of one key.
  init(_ key: IndexKey) {
    self.init(low: key.bytes, high: Self.successor(of: key))
  }

  /// Returns the set of `key` and all greater keys.
  package static func from(_ key: IndexKey) -> KeyRanges { KeyRanges(low: key.bytes, high: end) }

  /// Returns the set of `key` and all smaller keys.
  package static func through(_ key: IndexKey) -> KeyRanges {
    KeyRanges(low: [], high: successor(of: key))
  }

  /// Returns the set of the keys that begin with `bytes`, whose last byte must not be 0xFF.
  static func beginning(with bytes: [UInt8]) -> KeyRanges {
    guard let last = bytes.last else { return all }
    return KeyRanges(low: bytes, high: bytes.dropLast() + [last + 1])
  }

  /// Returns the set of the keys of a class.
  static func every(_ found: ComparisonClass) -> KeyRanges {
    beginning(with: [IndexKey.kind(found)])
  }

  /// Returns the smallest bytes that are greater than `key`.
  private static func successor(of key: IndexKey) -> [UInt8] { key.bytes + [0] }

  /// Returns the keys that both sets contain.
  package func intersection(_ other: KeyRanges) -> KeyRanges {
    var found: [Range] = []
    var (left, right) = (ranges[...], other.ranges[...])
    while let first = left.first, let second = right.first {
      let low = Self.later(first.low, second.low)
      let isFirstShorter = first.high.lexicographicallyPrecedes(second.high)
      let high = isFirstShorter ? first.high : second.high
      if low.lexicographicallyPrecedes(high) { found.append(Range(low: low, high: high)) }
      if isFirstShorter { left.removeFirst() } else { right.removeFirst() }
    }
    return KeyRanges(found)
  }

  /// Returns the keys that any of the sets contains, and possibly more if there are too many ranges.
  static func union(_ all: [KeyRanges]) -> KeyRanges {
    let sorted = all.flatMap(\.ranges).sorted { $0.low.lexicographicallyPrecedes($1.low) }
    var found: [Range] = []
    for range in sorted {
      if let last = found.last, !last.high.lexicographicallyPrecedes(range.low) {
        found[found.count - 1] = Range(low: last.low, high: later(last.high, range.high))
      } else {
        found.append(range)
      }
    }
    if found.count > rangesMax { found = [Range(low: found[0].low, high: found.last?.high ?? end)] }
    return KeyRanges(found)
  }

  private static func later(_ left: [UInt8], _ right: [UInt8]) -> [UInt8] {
    left.lexicographicallyPrecedes(right) ? right : left
  }
}
