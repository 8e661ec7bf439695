import PredicateWorld
import Testing

@testable import AddressBook

@Suite("A set of numbers")
struct NumberSetTests {
  @Test func `an empty set contains nothing`() {
    let set = NumberSet()
    #expect(set.count == 0 && set.json == "[]")
    #expect(!set.contains(0) && !set.contains(1_000_000))
  }

  @Test func `the list has each number once, in the order of insertion`() {
    var set = NumberSet()
    for record: Int64 in [64, 0, 63, 64, 0, 127, 128] { set.insert(record) }
    #expect(set.json == "[64,0,63,127,128]")
    #expect(set.count == 5)
  }

  @Test func `the distance of its numbers is their mean distance`() {
    var set = NumberSet()
    #expect(set.meanDistance == 0)
    for record: Int64 in [109, 10, 40, 30] { set.insert(record) }
    #expect(set.meanDistance == 25)
  }

  @Test(arguments: 0..<20 as Range<UInt64>)
  func `it contains what Swift's set contains`(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    var set = NumberSet()
    var model: Set<Int64> = []
    let bound = [10, 130, 5_000][generator.below(3)]
    for _ in 0..<200 {
      let record = Int64(generator.below(bound))
      set.insert(record)
      model.insert(record)
    }
    #expect(set.count == model.count, "seed \(seed)")
    let wrong = (0..<Int64(bound) + 200).filter { set.contains($0) != model.contains($0) }
    #expect(wrong.isEmpty, "seed \(seed)")
    for count in [0, 1, 7, 500] {
      #expect(set.smallest(count) == Array(model.sorted().prefix(count)), "seed \(seed), \(count)")
    }
  }
}
