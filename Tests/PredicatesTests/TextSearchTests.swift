// Substring searches, compared with a search of all offsets. Lengths around 16 matter, because sixteen
// offsets are tested at a time.

import PredicateWorld
import Records
import Testing

@testable import Predicates

@Suite("B1 searches in texts")
struct TextSearchTests {
  private func view<Result>(
    _ bytes: [UInt8], _ other: [UInt8], _ body: (ValueView, ValueView) -> Result
  ) -> Result {
    bytes.withUnsafeBufferPointer { one in
      other.withUnsafeBufferPointer { two in
        body(
          ValueView(.text, start: one.baseAddress, count: one.count),
          ValueView(.text, start: two.baseAddress, count: two.count))
      }
    }
  }

  private func contains(_ text: [UInt8], _ wanted: [UInt8], steps: Int = .max) -> Bool {
    view(text, wanted) {
      var steps = steps
      return $0.contains($1, steps: &steps)
    }
  }

  private func isFoundByHand(_ wanted: [UInt8], in text: [UInt8]) -> Bool {
    guard wanted.count <= text.count else { return false }
    return (0...text.count - wanted.count).contains { text[$0...].starts(with: wanted) }
  }

  @Test(arguments: 0..<8) func `a text is found wherever it is, and nowhere else`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    // Two letters, so that first and last bytes often agree where the middle does not.
    func letters(_ count: Int) -> [UInt8] { (0..<count).map { _ in UInt8(97 + random.below(2)) } }
    var found = 0
    for _ in 0..<1500 {
      let text = letters(random.below(70))
      let start = random.below(text.count + 1)
      let end = start + random.below(text.count - start + 1)
      let wanted = random.percent(60) ? Array(text[start..<end]) : letters(random.below(40))
      let expected = isFoundByHand(wanted, in: text)
      found += expected ? 1 : 0
      #expect(contains(text, wanted) == expected, "seed \(seed): \(text) \(wanted)")
      let (begins, ends) = view(text, wanted) { ($0.begins(with: $1), $0.ends(with: $1)) }
      #expect(begins == text.starts(with: wanted), "seed \(seed): \(text) \(wanted)")
      #expect(ends == text.reversed().starts(with: wanted.reversed()), "seed \(seed)")
    }
    #expect((100..<1400).contains(found))
  }

  @Test func `a text is found at every offset of texts of every length up to 50`() {
    for length in 0...50 {
      for offset in 0...length {
        var text = [UInt8](repeating: 120, count: length)
        text.insert(contentsOf: [97, 98, 99], at: offset)
        #expect(contains(text, [97, 98, 99]), "\(length) \(offset)")
        #expect(!contains(text, [97, 99, 99]) && !contains(text, [97, 98, 99, 0]))
      }
    }
  }

  @Test func `a search ends once its steps are used up, and is then not found`() {
    let text = [UInt8](repeating: 97, count: 1000)
    let wanted = [UInt8](repeating: 97, count: 30) + [98]
    #expect(contains(text + wanted, wanted, steps: 2000))
    #expect(!contains(text + wanted, wanted, steps: 10))
    #expect(!contains(text + wanted, wanted, steps: 1100), "the last offsets are compared")
    let used = view(text + wanted, wanted) {
      var steps = 100_000
      _ = $0.contains($1, steps: &steps)
      return 100_000 - steps
    }
    #expect((1031..<2000).contains(used))
  }

  @Test func `nothing but a text begins or ends a text, and an empty one is in every text`() {
    let empty: [UInt8] = []
    #expect(contains(empty, empty) && contains([1], empty) && !contains(empty, [1]))
    view([1, 2], [1]) { text, other in
      let bytes = ValueView(.bytes, start: other.start, count: 1)
      #expect(text.begins(with: other) && !text.begins(with: bytes) && !text.ends(with: bytes))
    }
    let (begins, ends) = view([1], empty) { ($0.begins(with: $1), $0.ends(with: $1)) }
    #expect(begins && ends)
  }
}
