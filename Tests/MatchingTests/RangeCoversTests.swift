// Ranges of numbers and dates in the index, with values at, just below and just above each bound.

import PredicateWorld
import Predicates
import Records
import Testing

@testable import Matching

@Suite("B1 ranges in the index")
struct RangeCoversTests {
  private static let wholes: [Int64] = {
    var wholes: [Int64] = [.min, .min + 1, -1, 0, 1, .max - 1, .max]
    for power in [Int64(10), 31, 53, 62] {
      let bound = Int64(1) << power
      wholes += [bound - 1, bound, bound + 1, -bound - 1, -bound, -bound + 1]
    }
    return wholes
  }()
  private static let reals: [Double] = [
    -0.5, 0.5, 0x1p53, -0x1p53, 0x1p63, -0x1p63, 0x1p63.nextDown, 1e300, -1e300, 1e-300, 9.3e18,
    1.5, 1023.5,
  ]

  private static func number(_ random: inout SeededGenerator) -> Value {
    random.percent(70) ? .int64(random.one(of: wholes)) : .double(random.one(of: reals))
  }

  private static func predicate(_ random: inout SeededGenerator) -> Predicate {
    func term(_ relation: Relation, _ value: Value) -> Predicate {
      .comparison(Comparison(.field("n"), relation, .value(value)))
    }
    let (one, other) = (number(&random), number(&random))
    switch random.below(6) {
    case 0: return term(.less, one)
    case 1: return term(.lessOrEqual, one)
    case 2: return term(.greater, one)
    case 3: return term(.greaterOrEqual, one)
    case 4: return .and([term(.greater, one), term(.lessOrEqual, other)])
    default: return .comparison(Comparison(.field("n"), .between, .values([one, other])))
    }
  }

  private static func states() -> [IndexModel.State] {
    let values: [Value] = wholes.map { .int64($0) } + reals.map { .double($0) }
    let others: [Value] = [.boolean(true), .string("1"), .date(Timestamp(microseconds: 1))]
    let records = (values + others).map { ["n": $0] as Fields } + [[:]]
    return records.map { ($0, IndexWorld.system) }
  }

  @Test(arguments: 0..<4) func `every value finds the ranges that contain it, exactly`(
    seed: UInt64
  ) throws {
    var random = SeededGenerator(seed: seed)
    var model = IndexModel()
    try model.insertRest()
    var numbers: [UInt32] = []
    for _ in 0..<120 { numbers.append(try model.insert(Self.predicate(&random))) }
    let states = Self.states()
    for state in states { model.check(new: state, "seed \(seed)") }
    for number in numbers.shuffled(using: &random).prefix(90) { model.remove(number) }
    for state in states { model.check(old: state, "seed \(seed)") }
    for _ in 0..<30 {
      model.check(old: random.one(of: states), new: random.one(of: states), "seed \(seed)")
    }
    #expect(model.matchCount > 1000)
  }

  @Test func `ranges of dates are found to the microsecond`() throws {
    let times: [Int64] = [.min, -1, 0, 1, 1_700_000_000_000_000, 1 << 53 + 1, .max]
    var model = IndexModel()
    try model.insertRest()
    for low in times {
      for sign in ["<", "<=", ">", ">=", "=="] {
        try model.insert(Predicate("n \(sign) date(\(low))"))
      }
      for high in times { try model.insert(Predicate("n BETWEEN {date(\(low)), date(\(high))}")) }
    }
    for time in times {
      for offset in [Int64(-1), 0, 1] {
        let value = Value.date(Timestamp(microseconds: time &+ offset))
        model.check(new: (["n": value], IndexWorld.system), "\(time) \(offset)")
      }
    }
    #expect(model.matchCount > 300)
  }

  /// Every interval of a small line, with integer and with real bounds, against every value.
  @Test(arguments: [("", ""), (".0", ".0"), (".5", ""), ("", ".5")])
  func `all intervals of a small line are found by all values in them`(low: String, high: String)
    throws
  {
    var model = IndexModel()
    try model.insertRest()
    for start in -9...9 {
      for end in start...min(9, start + 6) {
        try model.insert(Predicate("n >= \(start)\(low) AND n <= \(end)\(high)"))
      }
    }
    for quarter in -40...40 {
      let real = Value.double(Double(quarter) / 4)
      model.check(new: (["n": real], IndexWorld.system), "\(quarter) quarters")
      guard quarter % 4 == 0 else { continue }
      model.check(new: (["n": .int64(Int64(quarter / 4))], IndexWorld.system), "\(quarter / 4)")
    }
    #expect(model.matchCount > 500)
  }
}
