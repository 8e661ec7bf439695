// Whatever can be said, said at random: reading back what was printed gives the same, normalising
// changes no answer, and a program answers what plain evaluation of the tree does.

import PredicateWorld
import Predicates
import Records
import Testing

@Suite("B1 predicates over random records")
struct PredicatePropertyTests {
  @Test(arguments: 0..<40) func `a printed predicate reads back the same`(seed: UInt64) throws {
    var dice = SeededDice(seed: seed)
    for _ in 0..<100 {
      let predicate = RandomPredicates.predicate(&dice)
      let text = predicate.description
      guard text.utf8.count <= PredicateLimits.textBytes else { continue }
      let again = try Predicate(text)
      #expect(again.description == text)
      #expect(again.bytewise == predicate.bytewise, "\(text)")
    }
  }

  @Test(arguments: 0..<24)
  func `a program answers what plain evaluation answers`(seed: UInt64) throws {
    var dice = SeededDice(seed: seed)
    for _ in 0..<40 {
      let predicate = RandomPredicates.predicate(&dice)
      let normalised = predicate.normalised()
      var evaluator = try PredicateEvaluator(predicate, now: RandomRecords.times[2])
      for _ in 0..<12 {
        let fields = RandomRecords.fields(&dice)
        let system = RandomRecords.system(&dice)
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
    var dice = SeededDice(seed: seed)
    for _ in 0..<100 {
      let predicate = RandomPredicates.predicate(&dice)
      let normalised = predicate.normalised()
      #expect(predicate.turned(&dice).normalised() == normalised)
      #expect(normalised.normalised() == normalised)
    }
  }
}

extension Predicate {
  /// The tree with its texts told apart byte by byte, which `==` does not.
  fileprivate var bytewise: [UInt8] { Array("\(self)".utf8) }

  /// The same with the operands of AND and OR in another order and NOT NOT here and there.
  fileprivate func turned(_ dice: inout SeededDice) -> Predicate {
    let turned: Predicate
    switch self {
    case .not(let operand): turned = .not(operand.turned(&dice))
    case .and(let operands):
      var shuffled = operands.map { $0.turned(&dice) }
      shuffled.shuffle(using: &dice)
      turned = .and(shuffled)
    case .or(let operands):
      var shuffled = operands.map { $0.turned(&dice) }
      shuffled.shuffle(using: &dice)
      turned = .or(shuffled)
    case .constant, .comparison, .words, .distance: turned = self
    }
    return dice.percent(20) ? .not(.not(turned)) : turned
  }
}
