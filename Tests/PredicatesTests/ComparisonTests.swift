// Operators, their sides, and the types that each accepts.

import PredicateWorld
import Records
import Testing

@testable import Predicates

@Suite("B1 comparisons and their types")
struct ComparisonTests {
  private func isValid(_ text: String) -> Bool { (try? Predicate(text)) != nil }

  @Test(arguments: Relation.allCases) func `exchanging the sides twice changes nothing`(
    relation: Relation
  ) throws {
    switch relation {
    case .equal, .notEqual: #expect(relation.mirrored == relation)
    case .less, .lessOrEqual, .greater, .greaterOrEqual:
      #expect(relation.mirrored != relation && relation.mirrored?.mirrored == relation)
      #expect(relation.mirrored?.isOrdering == true)
    case .in: #expect(relation.mirrored == .contains)
    case .between, .contains, .beginsWith, .endsWith, .like: #expect(relation.mirrored == nil)
    }
  }

  @Test(arguments: ["==", "!=", "<", "<=", ">", ">="])
  func `a field on the right means what it means on the left`(sign: String) throws {
    let turned = ["<": ">", "<=": ">=", ">": "<", ">=": "<="][sign] ?? sign
    for value in ["5", "-2.5", "'x'", "date(7)", "now()"] {
      #expect(try Predicate("\(value) \(sign) a") == Predicate("a \(turned) \(value)"))
    }
    let distance = "distanceToLocation:fromLocation:(p, location(1, 2))"
    guard sign.contains("<") || sign.contains(">") else { return }
    #expect(try Predicate("7 \(sign) \(distance)") == Predicate("\(distance) \(turned) 7"))
  }

  @Test func `only BETWEEN and the four signs depend on an order`() {
    let ordering = Relation.allCases.filter(\.isOrdering)
    #expect(ordering == [.less, .lessOrEqual, .greater, .greaterOrEqual, .between])
    #expect(Set(Relation.allCases.map(\.text)).count == Relation.allCases.count)
    #expect(SystemField.allCases.filter(\.isDate) == [.creationDate, .modificationDate])
    #expect(FieldPath.system(.recordID).isSystem && !FieldPath.field("recordID").isSystem)
  }

  /// One literal of each class.
  private static let literals: [(ComparisonClass, String)] = [
    (.text, "'x'"), (.number, "5"), (.number, "2.5"), (.date, "date(7)"), (.bytes, "bytes('00')"),
    (.location, "location(1, 2)"), (.reference, "reference('r')"),
    (.asset, "asset('\(String(repeating: "0", count: 64))', 1)"),
  ]

  /// The table of docs/predicates.md.
  private func isPossible(_ relation: Relation, _ found: ComparisonClass, isAny: Bool) -> Bool {
    switch relation {
    case .equal, .notEqual: true
    case .less, .lessOrEqual, .greater, .greaterOrEqual: [.text, .number, .date].contains(found)
    case .contains: isAny ? found == .text : true
    case .beginsWith, .endsWith, .like: found == .text
    case .between, .in: false
    }
  }

  @Test(arguments: Relation.allCases)
  func `an operator accepts the classes of values that it can compare`(relation: Relation) throws {
    for (found, literal) in Self.literals {
      for prefix in ["", "ANY ", "ALL ", "NONE "] {
        for letters in ["", "[c]", "[d]", "[cd]"] {
          let text = "\(prefix)a \(relation.text)\(letters) \(literal)"
          let expected =
            isPossible(relation, found, isAny: !prefix.isEmpty)
            && (letters.isEmpty || found == .text)
          #expect(isValid(text) == expected, "\(text)")
        }
      }
    }
    let acceptsBoolean = [.equal, .notEqual, .contains].contains(relation)
    #expect(isValid("a \(relation.text) TRUE") == acceptsBoolean)
  }

  @Test func `bounds are two values of one class that has an order`() {
    for (one, low) in Self.literals {
      for (other, high) in Self.literals {
        let isPossible = one == other && [.text, .number, .date].contains(one)
        let text = "a BETWEEN {\(low), \(high)}"
        #expect(isValid(text) == isPossible, "\(text)")
        #expect(isValid("a IN {\(low), \(high)}"))
      }
    }
    for text in ["{}", "{1}", "{1, 2, 3}", "{1, TRUE}", "nil", "now()", "1"] {
      #expect(!isValid("a BETWEEN \(text)"), "\(text)")
    }
  }

  @Test func `system fields are compared with dates or references`() throws {
    for field in SystemField.allCases {
      for (found, literal) in Self.literals {
        let text = "\(field.text) == \(literal)"
        let isPossible = field.isDate ? found == .date : found == .reference || found == .text
        #expect(isValid(text) == isPossible, "\(text)")
        #expect(!isValid("ANY \(text)"), "\(text)")
        let order = "\(field.text) < \(literal)"
        #expect(isValid(order) == (field.isDate && found == .date), "\(order)")
      }
      #expect(isValid("\(field.text) == now()") == field.isDate)
      #expect(isValid("\(field.text) != nil"))
    }
  }

  /// Random comparisons of any shape: those that the check accepts are compiled and evaluated.
  @Test(arguments: 0..<10) func `what the check accepts is evaluated without harm, and printed`(
    seed: UInt64
  ) throws {
    var random = SeededGenerator(seed: seed)
    var accepted = 0
    for _ in 0..<250 {
      var comparison = self.comparison(&random)
      guard comparison.resolveTypes() == nil else { continue }
      accepted += 1
      var again = comparison
      let finding = again.resolveTypes()
      #expect(finding == nil && again == comparison, "seed \(seed): \(comparison)")
      let predicate = Predicate.comparison(comparison)
      #expect(try Predicate(predicate.description).description == predicate.description)
      // now() has no meaning for elements, which only the compiler reports.
      guard comparison.operand != .now || comparison.quantifier == .whole else { continue }
      var evaluator = try PredicateEvaluator(predicate, now: RandomRecords.times[2])
      for _ in 0..<4 {
        let fields = RandomRecords.fields(&random)
        let system = RandomRecords.system(&random)
        let plain = PlainEvaluation(fields, system, now: RandomRecords.times[2])
        let found = try evaluator.matches(fields, system)
        #expect(found == plain.holds(predicate), "seed \(seed): \(predicate) of \(fields.all)")
      }
    }
    #expect((20..<250).contains(accepted), "\(accepted)")
  }

  private func comparison(_ random: inout SeededGenerator) -> Comparison {
    let keys: [FieldKey] = ["name", "age", "score", "born", "tags", "misc", "phones", "parent"]
    let path: FieldPath =
      switch random.below(6) {
      case 0: .entry("phones", random.percent(50) ? "value" : "label")
      case 1: .system(random.one(of: SystemField.allCases))
      default: .field(random.one(of: keys))
      }
    let values = (0..<random.below(4)).map { _ in RandomRecords.scalar(&random) }
    let operand: Comparison.Operand =
      switch random.below(8) {
      case 0: .nothing
      case 1: .now
      case 2: .values(values)
      case 3: .value(.list(values))
      default: .value(RandomRecords.scalar(&random))
      }
    return Comparison(
      path, random.one(of: Relation.allCases), operand,
      quantifier: random.one(of: [.whole, .whole, .any, .all, .none]),
      options: random.percent(70) ? [] : TextOptions(rawValue: UInt8(random.below(4))))
  }
}
