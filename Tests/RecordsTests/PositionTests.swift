import Records
import Testing

@Suite("B1 places of entries")
struct PositionTests {
  @Test func `there is always a place after the last`() {
    var last = Position.between(nil, nil)
    for _ in 0..<500 {
      let next = Position.between(last, nil)
      #expect(last < next)
      last = next
    }
    #expect(last.text.utf8.count < 120)
  }

  @Test func `there is always a place before the first`() {
    var first = Position.between(nil, nil)
    for _ in 0..<500 {
      let next = Position.between(nil, first)
      #expect(next < first)
      #expect(!next.text.isEmpty)
      first = next
    }
  }

  @Test func `there is always a place between two`() {
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
  func `places of a foreign record end the search all the same`(left: String, right: String) {
    let place = Position.between(Position(stored: left), Position(stored: right))
    #expect(!place.text.isEmpty)
  }
}
