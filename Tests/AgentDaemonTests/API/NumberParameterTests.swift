// Numbers of requests: in their range, or refused with a sentence that names it.

import PredicateWorld
import Records
import Testing

@testable import AgentDaemon

@Suite("A2 numbers of requests")
struct NumberParameterTests {
  @Test func `every number of a range is read, and its neighbors outside are refused`() throws {
    for seed in 0..<100 {
      var random = SeededGenerator(seed: UInt64(seed))
      let low = Int64.random(in: -1000...1000, using: &random)
      let high = low + Int64(random.below(1000))
      let parameter = NumberParameter("limit", low...high)
      for number in [low, high, Int64.random(in: low...high, using: &random)] {
        #expect(try parameter.value(of: "\(number)") == number, "seed \(seed)")
        #expect(try parameter.checked(number) == number, "seed \(seed)")
      }
      for number in [low - 1, high + 1, .min, .max] {
        let error = #expect(throws: RecordsError.self) { try parameter.value(of: "\(number)") }
        #expect(error?.code == .invalidArguments, "seed \(seed)")
        #expect(
          error?.message == "limit must be a whole number from \(low) to \(high).", "seed \(seed)")
      }
    }
  }

  @Test(arguments: [
    "", " ", "1 ", " 1", "1.0", "1e2", "0x10", "١", "１", "--1", "1,000", "nan",
    "9223372036854775808", "-9223372036854775809", "1\u{0}", "\u{FEFF}1",
  ])
  func `a text that is no decimal number is refused`(text: String) {
    let parameter = NumberParameter("since", .min ... .max)
    #expect(throws: RecordsError.self) { try parameter.value(of: text) }
  }

  @Test func `a sequence number has 53 bits, as readers of JSON keep them`() throws {
    let parameter = NumberParameter.sequence("action")
    #expect(try parameter.value(of: "9007199254740991") == NumberParameter.sequenceMaximum)
    #expect(Double(NumberParameter.sequenceMaximum) + 1 == 9_007_199_254_740_992)
    for number in [-1, NumberParameter.sequenceMaximum + 1] {
      #expect(throws: RecordsError.self) { try parameter.checked(number) }
    }
  }

  @Test func `an id of an event is read as the position after it, in its own log only`() throws {
    for seed in 0..<100 {
      var random = SeededGenerator(seed: UInt64(seed))
      let log = (0..<16).map { _ in String(random.one(of: Array("0123456789abcdef"))) }.joined()
      let number = Int64.random(in: 0...NumberParameter.sequenceMaximum, using: &random)
      let text = EventID(incarnation: log).text(number)
      let position = try EventPosition(text, incarnation: log, newest: number)
      #expect(position.last == number && position.reset == nil, "seed \(seed)")
      let ahead = try EventPosition(text, incarnation: log, newest: max(0, number - 1))
      #expect(ahead.reset == (number == 0 ? nil : .ahead), "seed \(seed)")
      let other = try EventPosition(text, incarnation: log + "0", newest: number)
      #expect(other.reset == .otherLog, "seed \(seed)")
    }
  }
}
