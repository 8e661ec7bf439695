import PredicateWorld
import Testing

@testable import AddressBook

@Suite("A set of records")
struct RecordSetTests {
  @Test func `an empty set contains nothing`() {
    let set = RecordSet()
    #expect(set.count == 0 && set.json == "[]")
    #expect(!set.contains(0) && !set.contains(1_000_000))
  }

  @Test func `the list has each record once, in the order of insertion`() {
    var set = RecordSet()
    for record: Int64 in [64, 0, 63, 64, 0, 127, 128] { set.insert(record) }
    #expect(set.json == "[64,0,63,127,128]")
    #expect(set.count == 5)
  }

  @Test func `the distance of its records is their mean distance`() {
    var set = RecordSet()
    #expect(set.rowsPerRecord == 0)
    for record: Int64 in [109, 10, 40, 30] { set.insert(record) }
    #expect(set.rowsPerRecord == 25)
  }

  @Test(arguments: 0..<20 as Range<UInt64>)
  func `it contains what Swift's set contains`(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    var set = RecordSet()
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
  }
}
