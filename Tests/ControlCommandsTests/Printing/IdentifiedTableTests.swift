// Lists of things with ids on a terminal.

import PredicateWorld
import Testing

@testable import ControlCommands

@Suite("lists of things with ids")
struct IdentifiedTableTests {
  @Test func `the chosen columns come first, and the short id comes last`() {
    let rows = [
      ["0123456789abcdef", "ada", "synced", "A caption"],
      ["fedcba9876543210", "bob", "synced", "B"],
    ]
    #expect(
      IdentifiedTable(rows, leading: [3, 1]).lines(limit: 80)
        == ["A caption  ada  synced  012345", "B          bob  synced  fedcba"])
  }

  @Test func `a pair of ids is shortened together`() {
    let rows = [["abcdefgh", "abcdefxy", "Ada", "Eda", "same name"]]
    #expect(
      IdentifiedTable(rows, ids: [0, 1]).lines(limit: 80)
        == ["Ada  Eda  same name  abcdefg  abcdefx"])
  }

  @Test func `no rows have no lines`() {
    #expect(IdentifiedTable([]).lines(limit: 80).isEmpty)
  }

  @Test func `no line of five columns is wider than 80 columns, and every line ends with the id`() {
    for seed in 0..<200 {
      var random = SeededGenerator(seed: UInt64(seed))
      let rows = (0...random.below(8)).map { index in
        ["\(index)123456789abcdef"] + (0..<4).map { _ in random.hostile(upTo: 30) }
      }
      let lines = IdentifiedTable(rows, leading: [4]).lines(limit: 80)
      #expect(lines.count == rows.count, "seed \(seed)")
      for (line, row) in zip(lines, rows) {
        #expect(TextWidth.columns(of: line) <= 80, "seed \(seed): \(line)")
        #expect(line.hasSuffix(row[0].prefix(6)), "seed \(seed): \(line)")
      }
    }
  }
}
