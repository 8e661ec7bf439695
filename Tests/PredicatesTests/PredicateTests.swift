// The laws of logic and of comparisons, on random predicates and records with missing fields, values of
// other kinds and values at the limits of their kinds.

import PredicateOracle
import PredicateWorld
import Records
import Testing

@testable import Predicates

@Suite("B1 the laws of predicates")
struct PredicateTests {
  private static let now = Timestamp(microseconds: 1_700_000_000_000_000)

  /// Records of both generators: one has values that often match, the other values at limits.
  private static func records(
    _ count: Int, _ random: inout SeededGenerator
  ) -> [(EncodedRecord, SystemFields)] {
    (0..<count).map { number in
      if number % 2 == 0 {
        return (EncodedRecord(RandomRecords.fields(&random)), RandomRecords.system(&random))
      }
      let record = OracleRecords.record(&random)
      return (record.encoded, record.systemFields)
    }
  }

  /// Checks that two predicates hold for the same records. Returns for how many they hold.
  private static func compare(
    _ left: Predicate, _ right: Predicate, _ records: [(EncodedRecord, SystemFields)],
    _ law: Comment
  ) throws -> Int {
    var one = try PredicateEvaluator(left, now: now)
    var other = try PredicateEvaluator(right, now: now)
    var count = 0
    for (record, system) in records {
      let isTrue = try one.matches(record, system)
      count += isTrue ? 1 : 0
      let found = try other.matches(record, system)
      #expect(found == isTrue, law)
      if found != isTrue { Issue.record("\(left) and \(right)") }
    }
    return count
  }

  @Test(arguments: 0..<10) func `the laws of AND, OR and NOT hold`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var held = 0
    for _ in 0..<12 {
      let (a, b, c) = (
        RandomPredicates.predicate(&random, depth: 1),
        RandomPredicates.predicate(&random, depth: 1),
        RandomPredicates.term(&random)
      )
      let laws: [(Predicate, Predicate, Comment)] = [
        (.not(.and([a, b])), .or([.not(a), .not(b)]), "De Morgan, AND"),
        (.not(.or([a, b])), .and([.not(a), .not(b)]), "De Morgan, OR"),
        (.not(.not(a)), a, "double negation"),
        (.and([a, b, c]), .and([.and([c, b]), a]), "the order and grouping of AND"),
        (.or([a, b, c]), .or([.or([c, b]), a]), "the order and grouping of OR"),
        (.and([a, .or([b, c])]), .or([.and([a, b]), .and([a, c])]), "AND over OR"),
        (.or([a, .and([b, c])]), .and([.or([a, b]), .or([a, c])]), "OR over AND"),
        (.or([a, .and([a, b])]), a, "absorption"), (.and([a, .or([a, b])]), a, "absorption"),
        (.and([a, .not(a)]), .constant(false), "contradiction"),
        (.or([a, .not(a)]), .constant(true), "no third truth value"),
        (.and([a, a]), a, "AND with itself"), (.or([a, .constant(false)]), a, "OR with false"),
      ]
      let records = Self.records(6, &random)
      for (left, right, law) in laws {
        held += try Self.compare(left, right, records, "\(law), seed \(seed)")
      }
    }
    #expect((1..<12 * 13 * 6).contains(held))
  }

  private static let keys: [FieldKey] = [
    "name", "city", "age", "score", "born", "tags", "misc", "absent", "blob", "parent", "flag",
  ]

  private static func options(_ value: Value, _ random: inout SeededGenerator) -> TextOptions {
    value.comparisonClass == .text ? TextOptions(rawValue: UInt8(random.below(4))) : []
  }

  @Test(arguments: 0..<10) func `IN is an OR of equalities, and != the present, comparable rest`(
    seed: UInt64
  ) throws {
    var random = SeededGenerator(seed: seed)
    for _ in 0..<30 {
      let path = FieldPath.field(random.one(of: Self.keys))
      let records = Self.records(8, &random)
      let values = (0..<1 + random.below(4)).map { _ in Value(NastyValues.scalar(&random)) }
      let options = Self.options(values[0], &random)
      func term(_ relation: Relation, _ value: Value, _ quantifier: Quantifier) -> Predicate {
        .comparison(
          Comparison(path, relation, .value(value), quantifier: quantifier, options: options))
      }
      for quantifier in [Quantifier.whole, .any] {
        let listed = Comparison(
          path, .in, .values(values), quantifier: quantifier, options: options)
        let each = values.map { term(.equal, $0, quantifier) }
        _ = try Self.compare(.comparison(listed), .or(each), records, "IN, seed \(seed)")
      }
      for value in values {
        let equal = term(.equal, value, .whole)
        let different = term(.notEqual, value, .whole)
        let both = try Self.compare(.and([equal, different]), .constant(false), records, "==, !=")
        #expect(both == 0)
        let none = term(.equal, value, .none)
        _ = try Self.compare(none, .not(term(.equal, value, .any)), records, "NONE is NOT ANY")
      }
    }
  }

  @Test(arguments: 0..<10) func `BETWEEN and the six signs agree with each other`(seed: UInt64)
    throws
  {
    var random = SeededGenerator(seed: seed)
    var held = 0
    for _ in 0..<30 {
      let path = FieldPath.field(random.one(of: ["name", "age", "score", "born", "misc", "flag"]))
      let records = Self.records(8, &random)
      let bounds: [Value] =
        switch random.below(3) {
        case 0: [.string(NastyTexts.text(&random)), .string(NastyTexts.text(&random))]
        case 1: NastyValues.moments.shuffled(using: &random).prefix(2).map { Value(.moment($0)) }
        default:
          [.int64(random.one(of: NastyValues.wholes)), .double(random.one(of: NastyValues.reals))]
        }
      let options = Self.options(bounds[0], &random)
      func term(_ relation: Relation, _ value: Value) -> Predicate {
        .comparison(Comparison(path, relation, .value(value), options: options))
      }
      let between = Predicate.comparison(
        Comparison(path, .between, .values(bounds), options: options))
      let signs = Predicate.and([term(.greaterOrEqual, bounds[0]), term(.lessOrEqual, bounds[1])])
      held += try Self.compare(between, signs, records, "BETWEEN, seed \(seed)")
      let value = bounds[0]
      let laws: [(Predicate, Predicate)] = [
        (term(.lessOrEqual, value), .or([term(.less, value), term(.equal, value)])),
        (term(.greaterOrEqual, value), .or([term(.greater, value), term(.equal, value)])),
        (term(.notEqual, value), .or([term(.less, value), term(.greater, value)])),
        (.and([term(.less, value), term(.greaterOrEqual, value)]), .constant(false)),
        (.and([term(.lessOrEqual, value), term(.greaterOrEqual, value)]), term(.equal, value)),
      ]
      for (left, right) in laws {
        held += try Self.compare(left, right, records, "signs, seed \(seed)")
      }
    }
    #expect(held > 0)
  }

  @Test func `comparisons are counted, and only now() depends on the time`() throws {
    let table: [(String, Int, Bool)] = [
      ("TRUEPREDICATE", 1, false), ("a == 1", 1, false), ("a IN {1, 2, 3}", 1, false),
      ("NOT (a == 1 AND b == 2)", 2, false), ("a == 1 OR NOT b < now()", 2, true),
      ("self CONTAINS 'x' AND (b == 1 OR now() > c)", 3, true), ("a == 'now()'", 1, false),
    ]
    for (text, count, usesNow) in table {
      let predicate = try Predicate(text)
      #expect(predicate.termCount == count && predicate.usesNow == usesNow, "\(text)")
    }
  }

  @Test func `now() is the given time in every comparison`() throws {
    var random = SeededGenerator(seed: 1)
    let system = RandomRecords.system(&random)
    let orders: [(Int64, [String])] = [
      (-1, ["<", "<=", "!="]), (0, ["==", "<=", ">="]), (1, [">", ">=", "!="]),
    ]
    for (offset, signs) in orders {
      let time = Timestamp(microseconds: Self.now.microseconds + offset)
      for sign in ["==", "!=", "<", "<=", ">", ">="] {
        var evaluator = try PredicateEvaluator(Predicate("born \(sign) now()"), now: Self.now)
        #expect(try evaluator.matches(["born": .date(time)], system) == signs.contains(sign))
        let bare = Value.int64(time.microseconds)
        #expect(try !evaluator.matches(["born": bare], system), "a number is no date")
      }
    }
  }
}
