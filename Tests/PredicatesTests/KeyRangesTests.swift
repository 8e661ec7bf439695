// Sets of index keys, compared with sets of single keys.

import PredicateWorld
import Records
import Testing

@testable import Predicates

@Suite("B1 sets of index keys")
struct KeyRangesTests {
  /// All keys of up to two bytes from a small alphabet, and their successors.
  private static let keys: [[UInt8]] = {
    let bytes: [UInt8] = [0, 1, 2, 3, 0xFE]
    return [[]] + bytes.map { [$0] } + bytes.flatMap { first in bytes.map { [first, $0] } }
  }()

  private func members(_ ranges: KeyRanges) -> Set<[UInt8]> {
    Set(
      Self.keys.filter { key in
        ranges.ranges.contains {
          !key.lexicographicallyPrecedes($0.low) && key.lexicographicallyPrecedes($0.high)
        }
      })
  }

  private func random(_ random: inout SeededGenerator) -> KeyRanges {
    let key = IndexKey(stored: random.one(of: Self.keys))
    switch random.below(6) {
    case 0: return KeyRanges(key)
    case 1: return .from(key)
    case 2: return .through(key)
    case 3: return .beginning(with: key.bytes)
    case 4: return .union((0..<random.below(5)).map { _ in self.random(&random) })
    default: return self.random(&random).intersection(self.random(&random))
    }
  }

  private func isNormal(_ ranges: KeyRanges) -> Bool {
    let all = ranges.ranges
    return all.allSatisfy { $0.low.lexicographicallyPrecedes($0.high) }
      && zip(all, all.dropFirst()).allSatisfy { $0.high.lexicographicallyPrecedes($1.low) }
  }

  @Test(arguments: 0..<6) func `unions and intersections are those of sets`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    for _ in 0..<80 {
      let (one, other, third) = (
        self.random(&random), self.random(&random), self.random(&random)
      )
      let both = one.intersection(other)
      let either = KeyRanges.union([one, other])
      #expect(members(both) == members(one).intersection(members(other)), "seed \(seed)")
      #expect(members(either) == members(one).union(members(other)), "seed \(seed)")
      #expect(isNormal(KeyRanges.union([either])), "seed \(seed): \(either)")
      #expect(other.intersection(one) == both && KeyRanges.union([other, one]) == either)
      #expect(one.intersection(KeyRanges.all) == one && one.intersection(one) == one)
      #expect(one.intersection(KeyRanges.none).ranges.isEmpty)
      let distributed = KeyRanges.union([both, one.intersection(third)])
      #expect(members(one.intersection(.union([other, third]))) == members(distributed))
    }
  }

  @Test func `a set of one key has that key only, and the half-open sets begin or end with it`() {
    for bytes in Self.keys {
      let key = IndexKey(stored: bytes)
      #expect(members(KeyRanges(key)) == [bytes])
      let later = Self.keys.filter { !$0.lexicographicallyPrecedes(bytes) }
      #expect(members(.from(key)) == Set(later))
      let earlier = Self.keys.filter { !bytes.lexicographicallyPrecedes($0) }
      #expect(members(.through(key)) == Set(earlier))
      let longer = Self.keys.filter { $0.starts(with: bytes) }
      #expect(members(.beginning(with: bytes)) == Set(longer), "\(bytes)")
    }
  }

  @Test func `too many ranges become one that contains all`() {
    let keys = (0..<300).map { IndexKey(stored: [1, UInt8($0 / 200), UInt8($0 % 200)]) }
    let few = KeyRanges.union(keys.prefix(256).map { KeyRanges($0) })
    #expect(few.ranges.count == KeyRanges.rangesMax)
    let many = KeyRanges.union(keys.shuffled().map { KeyRanges($0) })
    #expect(many.ranges.count == 1 && many.ranges[0].low == keys[0].bytes)
    #expect(many.ranges[0].high == keys[299].bytes + [0])
  }
}
