import PredicateWorld
import Records
import Testing

@Suite("B1 laws of positions")
struct PositionLawsTests {
  @Test(arguments: 0..<30 as Range<UInt64>)
  func `a list with insertions at random places stays in the order of its positions`(seed: UInt64) {
    var random = RandomValues(seed: seed)
    var list: [Position] = []
    for _ in 0..<60 {
      let index = random.generator.below(list.count + 1)
      let left = index > 0 ? list[index - 1] : nil
      let right = index < list.count ? list[index] : nil
      if right == nil, random.generator.percent(20) {
        list += Position.spaced(random.generator.below(70), after: left)
      } else {
        list.insert(.between(left, right), at: index)
      }
    }
    #expect(zip(list, list.dropFirst()).allSatisfy { $0 < $1 }, "seed \(seed)")
    #expect(list.allSatisfy { !$0.text.isEmpty && !$0.text.hasSuffix("0") }, "seed \(seed)")
    let isDigit: (UInt8) -> Bool = { Character(UnicodeScalar($0)).isLetter || $0 >= 48 && $0 < 58 }
    #expect(list.allSatisfy { $0.text.utf8.allSatisfy(isDigit) }, "seed \(seed)")
  }

  @Test(arguments: [0, 1, 60, 61, 62, 3781, 3782, 3783])
  func `many positions at once are ascending, of equal length and after the given one`(count: Int) {
    for left in [nil, Position(stored: "V"), Position(stored: "zz")] {
      let positions = Position.spaced(count, after: left)
      #expect(positions.count == count)
      #expect(zip(positions, positions.dropFirst()).allSatisfy { $0 < $1 })
      #expect(Set(positions.map(\.text.utf8.count)).count <= 1)
      #expect(positions.allSatisfy { !$0.text.hasSuffix("0") })
      if let left, let first = positions.first { #expect(left < first) }
      let digits = count <= 61 ? 1 : count <= 61 * 62 ? 2 : 3
      #expect(
        positions.allSatisfy { $0.text.utf8.count == (left?.text.utf8.count ?? 0) + digits + 1 })
    }
  }

  @Test func `positions and entries are ordered by bytes, then by id`() {
    let texts = ["", "0", "9", "A", "Z", "a", "z", "zz", "\u{E9}", "e\u{301}"]
    for left in texts {
      for right in texts {
        let (one, other) = (Position(stored: left), Position(stored: right))
        #expect((one < other) == Array(left.utf8).lexicographicallyPrecedes(Array(right.utf8)))
        #expect((one == other) == (Array(left.utf8) == Array(right.utf8)))
      }
    }
    func entry(_ position: String, _ id: UInt128) -> Entry {
      Entry(id: EntryID(id), position: Position(stored: position), fields: [:])
    }
    #expect(Entry.precedes(entry("A", 9), entry("B", 1)))
    #expect(!Entry.precedes(entry("B", 1), entry("A", 9)))
    #expect(Entry.precedes(entry("A", 1), entry("A", 2)))
    #expect(!Entry.precedes(entry("A", 1), entry("A", 1)))
  }
}
