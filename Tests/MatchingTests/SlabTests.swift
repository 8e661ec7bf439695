// Memory that removed predicates release is reused, for runs of other lengths too.

import PredicateWorld
import Predicates
import Records
import TestTiers
import Testing

@testable import Matching

@Suite("B1 the memory of the index")
struct SlabTests {
  private let index = SubscriptionIndex()

  private func insert(_ predicate: Predicate) throws -> SubscriptionNumber {
    try index.insert(
      predicate, scope: .publicDatabase, type: RecordType(stored: "Contact"), options: .all)
  }

  @Test(.onlyInCheck) func `runs of changing lengths need no more memory than runs of one length`()
  {
    var random = SeededGenerator(seed: 3)
    var slab = Slab<UInt64>()
    var runs: [(index: Int, length: Int)] = []
    for length in 1..<3000 {
      for _ in 0..<20 {
        let index = slab.allocate(length)
        for position in index..<index + length { slab[position] = UInt64(index) }
        runs.append((index, length))
      }
      while runs.count > 50 {
        let run = runs.remove(at: random.below(runs.count))
        for position in run.index..<run.index + run.length {
          guard slab[position] == UInt64(run.index) else {
            Issue.record("two runs share index \(position)")
            return
          }
        }
        slab.release(run.index, run.length)
      }
    }
    // 70 runs of at most 3000 values of eight bytes are 1.7 MB.
    #expect(slab.byteCount < 8 << 20, "\(slab.byteCount)")
  }

  @Test(.onlyInCheck) func `texts of changing lengths leak no memory`() throws {
    for number in 0..<100 { _ = try insert(Predicate("kept == \(number)")) }
    for length in 8..<3000 {
      let texts = (0..<10).map { String(repeating: "a", count: length) + "\($0)" }
      let numbers = try texts.map { try insert(Predicate("note == %@", arguments: [.string($0)])) }
      let affixes = try texts.map {
        try insert(Predicate("note BEGINSWITH %@", arguments: [.string($0)]))
      }
      for number in numbers + affixes { index.remove(number) }
    }
    #expect(index.byteCount < 1 << 20, "\(index.byteCount)")
  }

  @Test func `long lists that become short release their memory`() throws {
    for number in 0..<100 { _ = try insert(Predicate("kept == \(number)")) }
    for round in 0..<20 {
      let names = (0..<16).map { "'r\(round)n\($0)'" }.joined(separator: ", ")
      let numbers = try (0..<400).map { try insert(Predicate("n IN {\(names), 'own\($0)'}")) }
      for number in numbers.dropFirst() { index.remove(number) }
    }
    let partition = try #require(index.partition(.publicDatabase, "Contact"))
    let bytes = partition.lists.postings.byteCount
    #expect(bytes < 256 << 10, "\(bytes)")
  }
}
