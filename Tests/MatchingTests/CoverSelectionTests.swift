// Texts in the index: prefixes, suffixes and fragments at the lengths of their keys, IN lists at the limit
// of a cover, and texts that are all equal, sorted or very long.

import PredicateWorld
import Predicates
import Records
import Testing

@testable import Matching

@Suite("B1 texts in the index")
struct CoverSelectionTests {
  private static func state(_ text: String) -> IndexModel.State {
    (["t": .string(text), "l": .list([.string(text), .int64(1)])], IndexWorld.system)
  }

  /// 32 bytes are the most of a prefix key, and three those of a fragment.
  @Test(arguments: [0, 2, 3, 4, 8, 31, 32, 33, 100])
  func `texts that begin, end or contain a text of this length are found`(length: Int) throws {
    var model = IndexModel()
    try model.insertRest()
    let core = String((0..<length).map { Character(UnicodeScalar(UInt8(97 + $0 % 26))) })
    for word in ["BEGINSWITH", "ENDSWITH", "CONTAINS", "LIKE", "=="] {
      for options in ["", "[cd]"] {
        for field in ["t", "ANY l"] {
          let pattern = word == "LIKE" ? "\(core)*" : core
          try model.insert(Predicate("\(field) \(word)\(options) '\(pattern)'"))
        }
      }
    }
    let texts = [
      core, core.uppercased(), "x" + core, core + "x", "x" + core + "x", String(core.dropLast()),
      String(core.dropFirst()), "", "é" + core, core + core, String(core.dropLast()) + "?",
    ]
    for text in texts { model.check(new: Self.state(text), "\(text)") }
    var random = SeededGenerator(seed: UInt64(length))
    for _ in 0..<6 {
      let (old, new) = (random.one(of: texts), random.one(of: texts))
      model.check(old: Self.state(old), new: Self.state(new), "\(old) \(new)")
    }
    #expect(model.matchCount > 60)
  }

  @Test(arguments: [1, 2, 255, 256, 257, 1024])
  func `an IN of this many values is found by each of them`(count: Int) throws {
    var model = IndexModel()
    try model.insertRest()
    let list = Value.list((0..<count).map { .int64(Int64($0)) })
    try model.insert(Predicate("n IN %@", arguments: [list]))
    try model.insert(Predicate("ANY l IN %@", arguments: [list]))
    try model.insert(Predicate("n IN %@ AND t == 'x'", arguments: [list]))
    for number in [-1, 0, 1, count / 2, count - 1, count] {
      let value = Value.int64(Int64(number))
      let fields: Fields = ["n": value, "l": .list([.string("y"), value]), "t": .string("x")]
      model.check(new: (fields, IndexWorld.system), "\(number) of \(count)")
    }
    #expect(model.matchCount >= 9)
  }

  @Test(arguments: ["equal", "sorted", "long"])
  func `adversarial texts are found, and their memory is given back`(kind: String) throws {
    var random = SeededGenerator(seed: 5)
    var model = IndexModel()
    try model.insertRest()
    let bytes = model.index.byteCount
    func text(_ number: Int) -> String {
      switch kind {
      case "equal": "the same"
      case "sorted": String(repeating: "a", count: number % 60)
      default: String(repeating: "long ", count: 700) + "\(number)"
      }
    }
    for round in 0..<3 {
      var numbers: [UInt32] = []
      for number in 0..<200 {
        let relation = ["==", "BEGINSWITH", "ENDSWITH", "CONTAINS", ">="][number % 5]
        let condition = try Predicate("t \(relation) %@", arguments: [.string(text(number))])
        let second = try Predicate("n == \(number % 7)")
        numbers.append(try model.insert(number % 2 == 0 ? condition : .and([condition, second])))
      }
      for number in [0, 1, 59, 60, 199] {
        let fields: Fields = ["t": .string(text(number)), "n": .int64(Int64(number % 7))]
        model.check(new: (fields, IndexWorld.system), "\(kind), round \(round)")
      }
      for number in numbers.shuffled(using: &random) { model.remove(number) }
    }
    #expect(model.matchCount > 15)
    let partition = try #require(model.index.partition(.publicDatabase, "Contact"))
    #expect(partition.count == Partition.scanMax + 1)
    #expect(partition.symbols.count == Partition.scanMax + 1)
    // One round of the long texts alone is 700 KB.
    #expect(model.index.byteCount < bytes + 3_000_000)
  }
}
