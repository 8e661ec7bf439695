import Records
import Testing

@Suite("B1 positions of entries")
struct PositionTests {
  @Test func `a position can always be added after the last`() {
    var last = Position.between(nil, nil)
    for _ in 0..<500 {
      let next = Position.between(last, nil)
      #expect(last < next)
      last = next
    }
    #expect(last.text.utf8.count < 120)
  }

  @Test func `a position can always be added before the first`() {
    var first = Position.between(nil, nil)
    for _ in 0..<500 {
      let next = Position.between(nil, first)
      #expect(next < first)
      #expect(!next.text.isEmpty)
      first = next
    }
  }

  @Test func `a position can always be added between two`() {
    var low = Position.between(nil, nil)
    var high = Position.between(low, nil)
    for step in 0..<300 {
      let middle = Position.between(low, high)
      #expect(low < middle)
      #expect(middle < high)
      if step.isMultiple(of: 2) { low = middle } else { high = middle }
    }
  }

  @Test(arguments: [("V", "V"), ("z", "A"), ("", ""), ("V0", "V"), ("å", "!")])
  func `positions of an invalid record do not cause an endless loop`(left: String, right: String) {
    let position = Position.between(Position(stored: left), Position(stored: right))
    #expect(!position.text.isEmpty)
  }
}
