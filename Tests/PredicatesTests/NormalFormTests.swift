// The shape of the normal form, and that it has the meaning of the predicate.

import PredicateOracle
import PredicateWorld
import Records
import Testing

@testable import Predicates

@Suite("B1 the normal form")
struct NormalFormTests {
  /// What is wrong with the shape of a normal form; `nil` for nothing.
  private func fault(_ predicate: Predicate, isOperand: Bool = false) -> String? {
    switch predicate {
    case .constant: return isOperand ? "a constant as an operand" : nil
    case .words, .distance: return nil
    case .comparison(let comparison): return fault(comparison)
    case .not(.comparison(let comparison)): return fault(comparison)
    case .not(.words), .not(.distance): return nil
    case .not(let operand): return "NOT before \(operand)"
    case .and(let operands), .or(let operands):
      let isAnd = if case .and = predicate { true } else { false }
      if operands.count < 2 { return "\(operands.count) operands" }
      if Set(operands.map { Array($0.description.utf8) }).count < operands.count {
        return "an operand twice"
      }
      let ranks = operands.map { TermRank($0) }
      if zip(ranks, ranks.dropFirst()).contains(where: { $1 < $0 }) { return "not in order" }
      for operand in operands {
        switch operand {
        case .and where isAnd: return "AND within AND"
        case .or where !isAnd: return "OR within OR"
        default: if let fault = fault(operand, isOperand: true) { return fault }
        }
      }
      return nil
    }
  }

  private func fault(_ comparison: Comparison) -> String? {
    if comparison.quantifier == .none { return "NONE" }
    let values: [Value] =
      switch comparison.operand {
      case .nothing, .now: []
      case .value(.list(let values)), .values(let values): values
      case .value(let value): [value]
      }
    for value in values {
      if case .boolean = value { return "a boolean" }
      if case .double(let number) = value, Int64(exactly: number) != nil { return "\(number)" }
    }
    guard comparison.relation == .in else { return nil }
    // An empty list is left only with ALL, which an empty list of the record satisfies.
    if values.count == 1 || values.isEmpty && comparison.quantifier != .all { return "IN of few" }
    return Set(values.map { Array($0.literal.utf8) }).count < values.count ? "a value twice" : nil
  }

  @Test(arguments: 0..<20) func `a normal form is flat, sorted, and without repetitions`(
    seed: UInt64
  ) {
    var random = SeededGenerator(seed: seed)
    for _ in 0..<60 {
      let predicate = RandomPredicates.predicate(&random, depth: 4)
      let normal = predicate.normalised()
      #expect(fault(normal) == nil, "seed \(seed): \(predicate) became \(normal)")
      #expect(normal.termCount <= predicate.termCount)
    }
  }

  @Test func `a normal form holds for the same records, by the second evaluator`() throws {
    var truths = 0
    for seed in 0..<UInt64(240) {
      var random = SeededGenerator(seed: seed &+ 500)
      // The phrases are about the record, so that they often hold.
      let about = OracleRecords.record(&random)
      var phrases = OraclePhrases(about: about, random)
      let text = phrases.predicate(3)
      random = phrases.random
      guard text.utf8.count <= PredicateLimits.textBytes else { continue }
      let expected = try OracleParser.parse(text, arguments: phrases.arguments)
      let arguments = phrases.arguments.map { Value($0) }
      // Printed, so that the second parser reads the form and the second evaluator evaluates it.
      let form = try Predicate(text, arguments: arguments).normalised().description
      guard form.utf8.count <= PredicateLimits.textBytes else { continue }
      let found = try OracleParser.parse(form)
      for record in [about] + (0..<4).map({ _ in OracleRecords.changed(about, &random) }) {
        let evaluation = OracleEvaluation(record, now: 1_700_000_000_000_000)
        let truth = evaluation.holds(expected)
        truths += truth ? 1 : 0
        #expect(evaluation.holds(found) == truth, "seed \(seed): \(text) became \(form)")
      }
    }
    #expect((100..<1100).contains(truths), "\(truths)")
  }

  @Test(
    arguments: zip(
      [
        "a == 5.0", "a == TRUE", "a IN {5, 5.0, 5}", "a IN {}", "NONE a IN {}", "ALL a IN {}",
        "NONE a == 1", "NOT NONE a == 1", "NOT (a == 1 AND NOT b == 2)",
        "a == 1 AND FALSEPREDICATE",
        "a == 1 OR TRUEPREDICATE", "a == 1 OR FALSEPREDICATE", "NOT TRUEPREDICATE",
        "a == 1 AND (a == 1 AND a == 1.0)", "NOT a < 5", "a BETWEEN {1.0, 2.0}",
        "a == {TRUE, 2.0, 2.5}",
      ],
      [
        "a == 5", "a == 1", "a == 5", "FALSEPREDICATE", "TRUEPREDICATE", "ALL a IN {}",
        "NOT ANY a == 1", "ANY a == 1", "NOT a == 1 OR b == 2", "FALSEPREDICATE", "TRUEPREDICATE",
        "a == 1", "FALSEPREDICATE", "a == 1", "NOT a < 5", "a BETWEEN {1, 2}", "a == {1, 2, 2.5}",
      ]))
  func `a predicate has this normal form`(text: String, form: String) throws {
    let wanted: Predicate = try Predicate(form)
    guard case .or(let operands) = wanted else {
      #expect(try Predicate(text).normalised().description == wanted.description)
      return
    }
    guard case .or(let found) = try Predicate(text).normalised() else {
      Issue.record("\(text) is no OR")
      return
    }
    #expect(Set(found.map(\.description)) == Set(operands.map(\.description)))
  }

  @Test func `canonically equivalent texts stay two values, and two predicates`() throws {
    let (one, two) = ("\u{E9}", "e\u{301}")
    let predicate = try Predicate("a IN {'\(one)', '\(two)', '\(one)'}").normalised()
    guard case .comparison(let comparison) = predicate,
      case .values(let values) = comparison.operand
    else {
      Issue.record("\(predicate)")
      return
    }
    #expect(values.count == 2)
    guard case .or(let operands) = try Predicate("a == '\(one)' OR a == '\(two)'").normalised()
    else {
      Issue.record("two operands became one")
      return
    }
    #expect(operands.count == 2)
  }
}
