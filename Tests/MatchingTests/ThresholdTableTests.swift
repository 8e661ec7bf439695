// Tables of bounds, compared with an array. Few different bounds and more postings than a chunk has, so that
// equal bounds span several chunks.

import PredicateWorld
import Records
import Testing

@testable import Matching

@Suite("B1 tables of one-sided ranges")
struct ThresholdTableTests {
  private struct Row: Hashable {
    let block: UInt32
    let bound: UInt64
  }

  private func matches(_ table: ThresholdTable, _ value: UInt64) -> [UInt32] {
    var found: [UInt32] = []
    table.forEachMatch(of: value) { found += $0.map(\.block) }
    return found.sorted()
  }

  private func check(
    _ table: ThresholdTable, _ rows: Set<Row>, _ values: [UInt64], _ place: Comment
  ) {
    for value in values {
      let expected = rows.filter { table.isLower ? $0.bound <= value : $0.bound >= value }
      #expect(matches(table, value) == expected.map(\.block).sorted(), place)
    }
  }

  @Test(arguments: [true, false], [3, 40, 5000])
  func `a value finds the bounds on its side, after any inserts and removals`(
    isLower: Bool, boundCount: Int
  ) {
    var random = SeededGenerator(seed: UInt64(boundCount))
    var table = ThresholdTable(slot: 7, isLower: isLower)
    var rows: Set<Row> = []
    let values = (0..<6).map { _ in UInt64(random.below(boundCount + 2)) } + [0, .max]
    for block in 1...1800 as ClosedRange<UInt32> {
      let row = Row(block: block, bound: UInt64(1 + random.below(boundCount)))
      table.insert(Posting(block: block, signature: 0), at: row.bound)
      rows.insert(row)
      if block % 600 == 0 { check(table, rows, values, "\(block) inserted, \(boundCount) bounds") }
    }
    let order = rows.sorted { $0.block < $1.block }.shuffled(using: &random)
    for (index, row) in order.enumerated() {
      table.remove(row.block, at: row.bound)
      rows.remove(row)
      if index % 450 == 449 { check(table, rows, values, "\(index) removed, \(boundCount) bounds") }
    }
    #expect(rows.isEmpty && matches(table, isLower ? .max : 0).isEmpty && table.byteCount == 0)
  }

  @Test(arguments: [true, false]) func `bounds inserted in order or all equal are found`(
    isLower: Bool
  ) {
    let orders: [[UInt64]] = [
      (1...1500).map { $0 }, (1...1500).reversed().map { $0 },
      [UInt64](repeating: 9, count: 1500), [UInt64](repeating: .max, count: 1100) + [0],
    ]
    for order in orders {
      var table = ThresholdTable(slot: 1, isLower: isLower)
      var rows: Set<Row> = []
      for (block, bound) in order.enumerated() {
        table.insert(Posting(block: UInt32(block), signature: 0), at: bound)
        rows.insert(Row(block: UInt32(block), bound: bound))
      }
      check(table, rows, [0, 1, 8, 9, 10, 512, 513, 1500, 1501, .max - 1, .max], "\(order[0])")
    }
  }

  @Test func `removing what is not there changes nothing`() {
    var table = ThresholdTable(slot: 1, isLower: true)
    table.remove(1, at: 5)
    table.insert(Posting(block: 1, signature: 9), at: 5)
    for (block, bound) in [(2, 5), (1, 4), (1, 6)] as [(UInt32, UInt64)] {
      table.remove(block, at: bound)
      #expect(matches(table, 5) == [1])
    }
    var signatures: [UInt32] = []
    table.forEachMatch(of: 5) { signatures += $0.map(\.signature) }
    #expect(signatures == [9] && matches(table, 4).isEmpty)
  }
}
