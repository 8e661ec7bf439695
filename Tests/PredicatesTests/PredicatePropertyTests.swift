// Properties of random predicates: parsing a printed predicate gives the same predicate, normalizing does
// not change the result, and programs give the results of evaluating the tree.

import PredicateWorld
import Predicates
import Records
import TestTiers
import Testing

@Suite("B1 predicates over random records")
struct PredicatePropertyTests {
  @Test(arguments: 0..<UInt64(TestTier.cases(40)))
  func `a printed predicate parses to the same predicate`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    for _ in 0..<100 {
      let predicate = RandomPredicates.predicate(&random)
      let text = predicate.description
      guard text.utf8.count <= PredicateLimits.textBytes else { continue }
      let again = try Predicate(text)
      #expect(again.description == text)
      #expect(again.bytewise == predicate.bytewise, "\(text)")
    }
  }

  @Test(arguments: 0..<UInt64(TestTier.cases(24)))
  func `a program gives the result of plain evaluation`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    for _ in 0..<40 {
      let predicate = RandomPredicates.predicate(&random)
      let normalised = predicate.normalised()
      var evaluator = try PredicateEvaluator(predicate, now: RandomRecords.times[2])
      for _ in 0..<12 {
        let fields = RandomRecords.fields(&random)
        let system = RandomRecords.system(&random)
        let plain = PlainEvaluation(fields, system, now: RandomRecords.times[2])
        let expected = plain.holds(predicate)
        #expect(plain.holds(normalised) == expected, "\(predicate) normalised \(normalised)")
        let found = try evaluator.matches(fields, system)
        #expect(found == expected, "\(predicate) of \(fields.all) \(system)")
      }
    }
  }

  @Test(arguments: 0..<20)
  func `order and double negation do not change the normal form`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    for _ in 0..<100 {
      let predicate = RandomPredicates.predicate(&random)
      let normalised = predicate.normalised()
      #expect(predicate.turned(&random).normalised() == normalised)
      #expect(normalised.normalised() == normalised)
    }
  }
}

extension Predicate {
  /// The tree as bytes, because `==` treats canonically equivalent texts as equal.
  fileprivate var bytewise: [UInt8] { Array("\(self)".utf8) }

  /// An equivalent predicate: the operands of AND and OR are shuffled, and some terms get a NOT NOT.
  fileprivate func turned(_ random: inout SeededGenerator) -> Predicate {
    let turned: Predicate
    switch self {
    case .not(let operand): turned = .not(operand.turned(&random))
    case .and(let operands):
      var shuffled = operands.map { $0.turned(&random) }
      shuffled.shuffle(using: &random)
      turned = .and(shuffled)
    case .or(let operands):
      var shuffled = operands.map { $0.turned(&random) }
      shuffled.shuffle(using: &random)
      turned = .or(shuffled)
    case .constant, .comparison, .words, .distance: turned = self
    }
    return random.percent(20) ? .not(.not(turned)) : turned
  }
}
