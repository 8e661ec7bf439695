// Hot keys: a list at, below and above the length at which it is split into pairs.

import PredicateWorld
import Predicates
import Records
import Testing

@testable import Matching

@Suite("B1 hot keys in the index")
struct KeyPairsTests {
  private static func state(_ city: String, _ number: Int) -> IndexModel.State {
    let fields: Fields = [
      "city": .string(city), "state": .string("s\(number % 7)"), "age": .int64(Int64(number % 90)),
    ]
    return (fields, IndexWorld.system)
  }

  private static func predicate(_ number: Int) throws -> Predicate {
    // Half have the same second equality, so that both of its values are hot, and a quarter have none.
    let second =
      switch number % 4 {
      case 0: "age >= \(number % 90)"
      case 1: "state == 's\(number % 7)'"
      default: "state == 's3'"
      }
    return try Predicate("city == 'hot' AND \(second) AND NOT label == 'l\(number)'")
  }

  private static func check(_ model: inout IndexModel, _ place: Comment) {
    let states = [state("hot", 3), state("hot", 11), state("cold", 3), state("cold", 4)]
    for state in states { model.check(new: state, place) }
    for (old, new) in [(0, 1), (0, 2), (2, 1), (2, 3)] {
      model.check(old: states[old], new: states[new], place)
      model.check(old: states[new], new: states[old], place)
    }
  }

  @Test(arguments: [511, 690, 1100])
  func `a list near the limit has the matches of the plain list, while it grows and shrinks`(
    count: Int
  ) throws {
    var random = SeededGenerator(seed: UInt64(count))
    var model = IndexModel()
    var numbers: [UInt32] = []
    for number in 0..<count { numbers.append(try model.insert(Self.predicate(number))) }
    Self.check(&model, "\(count) inserted")
    numbers.shuffle(using: &random)
    for number in numbers.dropLast(count / 8) { model.remove(number) }
    Self.check(&model, "an eighth of \(count) left")
    for number in count..<count + 40 { try model.insert(Self.predicate(number)) }
    Self.check(&model, "forty inserted again")
    model.removeAll(&random)
    #expect(model.index.partition(.publicDatabase, "Contact") == nil && model.matchCount > 500)
  }

  @Test func `a list is split when it reaches the limit, and only then`() throws {
    var model = IndexModel()
    func hasPairs() throws -> Bool {
      let partition = try #require(model.index.partition(.publicDatabase, "Contact"))
      return (1..<partition.symbols.symbols.count).contains {
        partition.symbols[UInt32($0)].uses > 0 && partition.symbols[UInt32($0)].hasPairs != 0
      }
    }
    for number in 0..<Int(Partition.hotListCount) - 1 {
      try model.insert(Predicate("city == 'hot' AND NOT label == 'l\(number)'"))
    }
    #expect(try !hasPairs())
    try model.insert(Predicate("city == 'hot' AND NOT label == 'last'"))
    #expect(try hasPairs())
    Self.check(&model, "split")
  }
}
