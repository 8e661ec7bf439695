// Stretches of an index: sorted, apart from each other. AND leaves what two have in common, OR what
// either has, so that any nesting of conditions on one field comes down to a few stretches.

/// Stretches of keys.
package struct KeyRanges: Hashable, Sendable {
  /// From one key on, up to another that is not in it.
  package struct Range: Hashable, Sendable {
    /// The first bytes that are in it.
    package let low: [UInt8]
    /// The first bytes behind it.
    package let high: [UInt8]
  }

  /// The stretches, by rising keys; none where nothing can be found.
  package private(set) var ranges: [Range]

  /// More than so many become one that reaches over all of them.
  static let rangesMax = 256
  private static let end: [UInt8] = [0xFF]

  /// The whole index.
  package static let all = KeyRanges([Range(low: [], high: end)])
  /// Nothing.
  static let none = KeyRanges([])

  private init(_ ranges: [Range]) {
    self.ranges = ranges
  }

  private init(low: [UInt8], high: [UInt8]) {
    ranges = low.lexicographicallyPrecedes(high) ? [Range(low: low, high: high)] : []
  }

  /// This key.
  init(_ key: IndexKey) {
    self.init(low: key.bytes, high: Self.behind(key))
  }

  /// From a key on.
  package static func from(_ key: IndexKey) -> KeyRanges { KeyRanges(low: key.bytes, high: end) }

  /// Up to a key and with it.
  package static func through(_ key: IndexKey) -> KeyRanges {
    KeyRanges(low: [], high: behind(key))
  }

  /// Everything whose key begins with these bytes, which do not end with 0xFF.
  static func beginning(with bytes: [UInt8]) -> KeyRanges {
    guard let last = bytes.last else { return all }
    return KeyRanges(low: bytes, high: bytes.dropLast() + [last + 1])
  }

  /// Every value of a class.
  static func every(_ found: ComparisonClass) -> KeyRanges {
    beginning(with: [IndexKey.kind(found)])
  }

  private static func behind(_ key: IndexKey) -> [UInt8] { key.bytes + [0] }

  /// What is in both.
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

  /// What is in any of them.
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
