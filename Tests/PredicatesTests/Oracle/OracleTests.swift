// Compares the evaluator with a second implementation, written from docs/predicates.md alone, with its own
// parser, text folding and numbers. `PAIRS=200000` sets the number of predicate and record pairs.

import Foundation
import PredicateOracle
import PredicateWorld
import Predicates
import Records
import TestTiers
import Testing

@Suite("B1 predicates mean what docs/predicates.md says")
struct OracleTests {
  /// The predicates of one seed, and the records that each is evaluated on.
  private static let predicatesPerSeed = 25
  private static let recordsPerPredicate = 8
  private static let now: Int64 = 1_700_000_000_000_000

  private static var seeds: Range<UInt64> {
    let pairs =
      ProcessInfo.processInfo.environment["PAIRS"].flatMap { Int($0) } ?? TestTier.cases(40_000)
    return 0..<UInt64(max(1, pairs / (predicatesPerSeed * recordsPerPredicate)))
  }

  @Test func `the evaluator agrees with the page on all kinds of predicates`() async throws {
    var tally = OracleTally()
    for seed in Self.seeds {
      // On two cores, all tests run on two threads.
      await Task.yield()
      tally.add(Self.play(seed))
    }
    // The fewer pairs of `make test` do not contain each kind often enough.
    if TestTier.current == .check { tally.expectBothTruths() }
  }

  @Test(arguments: [(1090, true), (1110, false)])
  func `self CONTAINS searches 4096 words of a record, in the order of field names`(
    number: Int, isFound: Bool
  ) throws {
    var random = SeededGenerator(seed: 1)
    let words = { (letter: String) in (0..<3000).map { "\(letter)\($0)" }.joined(separator: "-") }
    let record = OracleRecord(
      fields: ["beta": .text(words("b")), "Zeta": .text(words("a"))],
      system: OracleRecords.record(&random).system)
    let text = "self CONTAINS 'b\(number)'"
    var evaluator = try PredicateEvaluator(Predicates.Predicate(text), now: nil)
    #expect(try evaluator.matches(record.encoded, record.systemFields) == isFound)
    let evaluation = OracleEvaluation(record, now: Self.now)
    #expect(try evaluation.holds(OracleParser.parse(text)) == isFound)
  }

  private static func play(_ seed: UInt64) -> OracleTally {
    var tally = OracleTally()
    var random = SeededGenerator(seed: seed)
    for _ in 0..<predicatesPerSeed {
      let about = OracleRecords.record(&random)
      var phrases = OraclePhrases(about: about, random)
      let text = phrases.predicate(3)
      random = phrases.random
      guard text.utf8.count <= PredicateLimits.textBytes else { continue }
      let records =
        [about] + (1..<recordsPerPredicate).map { _ in OracleRecords.changed(about, &random) }
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
