// The product against a second opinion: an evaluator written from docs/predicates.md alone, with a
// parser, a text folding and numbers of its own. `PAIRS=200000` asks about more than every run does.

import Foundation
import PredicateOracle
import PredicateWorld
import Predicates
import Records
import Testing

@Suite("B1 predicates mean what docs/predicates.md says")
struct OracleTests {
  /// Predicates and records of one seed; each predicate is asked of each record.
  private static let predicatesPerSeed = 25
  private static let recordsPerPredicate = 8
  private static let now: Int64 = 1_700_000_000_000_000

  private static var seeds: Range<UInt64> {
    let pairs = ProcessInfo.processInfo.environment["PAIRS"].flatMap { Int($0) } ?? 40_000
    return 0..<UInt64(max(1, pairs / (predicatesPerSeed * recordsPerPredicate)))
  }

  @Test func `the evaluator answers what the page says, of all kinds of predicates`() async throws {
    var tally = OracleTally()
    for seed in Self.seeds {
      // Two cores have two threads for everybody's tests.
      await Task.yield()
      tally.add(Self.play(seed))
    }
    tally.expectBothTruths()
  }

  @Test(arguments: [(1090, true), (1110, false)])
  func `words are looked for in the order of the fields' names, 4096 of a record`(
    number: Int, isFound: Bool
  ) throws {
    var dice = SeededDice(seed: 1)
    let words = { (letter: String) in (0..<3000).map { "\(letter)\($0)" }.joined(separator: "-") }
    let record = OracleRecord(
      fields: ["beta": .text(words("b")), "Zeta": .text(words("a"))],
      system: OracleRecords.record(&dice).system)
    let text = "self CONTAINS 'b\(number)'"
    var evaluator = try PredicateEvaluator(Predicates.Predicate(text), now: nil)
    #expect(try evaluator.matches(record.encoded, record.systemFields) == isFound)
    let evaluation = OracleEvaluation(record, now: Self.now)
    #expect(try evaluation.holds(OracleParser.parse(text)) == isFound)
  }

  private static func play(_ seed: UInt64) -> OracleTally {
    var tally = OracleTally()
    var dice = SeededDice(seed: seed)
    for _ in 0..<predicatesPerSeed {
      let about = OracleRecords.record(&dice)
      var phrases = OraclePhrases(about: about, dice)
      let text = phrases.predicate(3)
      dice = phrases.dice
      guard text.utf8.count <= PredicateLimits.textBytes else { continue }
      let records =
        [about] + (1..<recordsPerPredicate).map { _ in OracleRecords.changed(about, &dice) }
      do {
        try compare(text, phrases.arguments, records, &tally, seed)
      } catch {
        Issue.record("seed \(seed): \(error): \(text.debugDescription) \(phrases.arguments)")
      }
    }
    return tally
  }

  private static func compare(
    _ text: String, _ arguments: [OracleValue], _ records: [OracleRecord],
    _ tally: inout OracleTally, _ seed: UInt64
  ) throws {
    let expected = try OracleParser.parse(text, arguments: arguments)
    let predicate = try Predicates.Predicate(text, arguments: arguments.map(Value.init))
    var evaluator = try PredicateEvaluator(predicate, now: Timestamp(microseconds: now))
    for record in records {
      let evaluation = OracleEvaluation(record, now: now)
      let truth = evaluation.holds(expected)
      let found = try evaluator.matches(record.encoded, record.systemFields)
      tally.add(expected, truth, of: evaluation)
      #expect(
        found == truth, "seed \(seed): \(text.debugDescription) with \(arguments) of \(record)")
    }
  }
}
