// Numbers of events and actions: 53 bits, as JSON's readers keep them.

import PredicateWorld
import Testing

@testable import ControlCommands

@Suite("A2 sequence numbers and durations")
struct SequenceArgumentTests {
  @Test(arguments: [nil, 0, 1, 9_007_199_254_740_991] as [Int64?])
  func `a number in the range is right`(number: Int64?) {
    #expect(throws: Never.self) { try SequenceArgument.check(number, name: "--since") }
  }

  @Test(arguments: [-1, 9_007_199_254_740_992, .min, .max] as [Int64])
  func `a number outside it is not`(number: Int64) {
    #expect(throws: (any Error).self) { try SequenceArgument.check(number, name: "--since") }
  }

  @Test func `a duration is its number times its unit, unless that overflows`() {
    let units: [(Character, Int64)] = [
      ("s", 1), ("m", 60), ("h", 3600), ("d", 86_400), ("w", 604_800),
    ]
    for seed in 0..<300 {
      var random = SeededGenerator(seed: UInt64(seed))
      let (letter, seconds) = random.one(of: units)
      let count = Int64.random(in: 1 ... .max >> random.below(60), using: &random)
      let span = SpanArgument(argument: "\(count)\(letter)")
      if count <= .max / seconds {
        #expect(span?.seconds == count * seconds, "seed \(seed)")
      } else {
        #expect(span == nil, "seed \(seed): \(count)\(letter)")
      }
    }
  }

  @Test func `no hostile text is a duration`() {
    for seed in 0..<300 {
      var random = SeededGenerator(seed: UInt64(seed))
      let text = random.text(of: RandomTexts.signs + RandomTexts.invisible + ["٣", "３"], upTo: 4)
      #expect(SpanArgument(argument: text + "d") == nil, "seed \(seed): \(text)")
    }
  }
}
