// Printed predicates: every value and every name reads as itself, and parentheses keep the tree.

import PredicateOracle
import PredicateWorld
import Records
import Testing

@testable import Predicates

@Suite("B1 printing predicates")
struct PredicateDescriptionTests {
  @Test(arguments: 0..<8) func `the literal of a value reads as the value`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    for _ in 0..<150 {
      let value = Value(NastyValues.scalar(&random))
      let text = "a == \(value.literal)"
      guard text.utf8.count <= PredicateLimits.textBytes else { continue }
      guard case .comparison(let found) = try Predicate(text), case .value(let read) = found.operand
      else {
        Issue.record("seed \(seed): \(text) is no comparison with a value")
        continue
      }
      #expect(read.literal.utf8.elementsEqual(value.literal.utf8), "seed \(seed): \(text)")
      #expect(read.comparisonClass == value.comparisonClass)
      if case .string(let one) = value, case .string(let other) = read {
        #expect(one.utf8.elementsEqual(other.utf8), "seed \(seed): \(text)")
      } else {
        #expect(read == value, "seed \(seed): \(text)")
      }
    }
  }

  @Test func `a double keeps its bits, and stays a double`() throws {
    let numbers: [Double] = [
      -0.0, 1, 1e21, 1e-7, 0.1, 1 / 3, .greatestFiniteMagnitude, .leastNonzeroMagnitude, 0x1p63,
    ]
    for number in numbers {
      let text = "a == \(Value.double(number).literal)"
      guard case .comparison(let found) = try Predicate(text),
        case .value(.double(let read)) = found.operand
      else {
        Issue.record("\(text) is no comparison with a double")
        continue
      }
      #expect(read.bitPattern == number.bitPattern, "\(text)")
    }
  }

  @Test func `dates of every year read as themselves`() throws {
    var random = SeededGenerator(seed: 5)
    var times: [Int64] = [.min, .max, 0, -1, 1, 253_402_300_799_999_999, 253_402_300_800_000_000]
    for _ in 0..<300 { times.append(Int64(bitPattern: random.next()) >> Int64(random.below(40))) }
    for time in times {
      let value = Value.date(Timestamp(microseconds: time))
      guard case .comparison(let found) = try Predicate("a == \(value.literal)") else { continue }
      #expect(found.operand == .value(value), "\(time) \(value.literal)")
    }
  }

  @Test func `names that are keywords or system fields are escaped, and others are not`() throws {
    let keywords = Keyword.allCases.flatMap { [$0.rawValue, $0.text] }
    for name in keywords + SystemField.allCases.map(\.text) {
      let key = try FieldKey(name)
      #expect(FieldPath.field(key).description == "#\(name)")
      for path in [FieldPath.field(key), .entry(key, "value"), .entry("phones", key)] {
        let isEntry = if case .entry = path { true } else { false }
        let text = "\(isEntry ? "ANY " : "")\(path) == 1"
        guard case .comparison(let found) = try Predicate(text) else { continue }
        #expect(found.path == path, "\(text)")
      }
    }
    for name in ["name", "index", "android", "nothing", "recordid", "RecordID", "now", "date"] {
      #expect(FieldPath.field(try FieldKey(name)).description == name)
      guard case .comparison(let found) = try Predicate("\(name) == 1") else { continue }
      #expect(found.path == .field(try FieldKey(name)))
    }
    for field in SystemField.allCases { #expect(FieldPath.system(field).description == field.text) }
  }

  @Test func `parentheses are where the tree needs them, and the printed tree is the same`() throws
  {
    let leaves = try ["a == 1", "b == 2", "c == 3"].map { try Predicate($0) }
    let table: [(Predicate, String)] = [
      (.or([.and([leaves[0], leaves[1]]), leaves[2]]), "a == 1 AND b == 2 OR c == 3"),
      (.and([.or([leaves[0], leaves[1]]), leaves[2]]), "(a == 1 OR b == 2) AND c == 3"),
      (.and([.and([leaves[0], leaves[1]]), leaves[2]]), "(a == 1 AND b == 2) AND c == 3"),
      (.or([leaves[0], .or([leaves[1], leaves[2]])]), "a == 1 OR (b == 2 OR c == 3)"),
      (.not(.and([leaves[0], leaves[1]])), "NOT (a == 1 AND b == 2)"),
      (.not(.not(leaves[0])), "NOT NOT a == 1"),
      (.and([.not(leaves[0]), leaves[1]]), "NOT a == 1 AND b == 2"),
    ]
    for (tree, text) in table {
      #expect(tree.description == text)
      #expect(try Predicate(text) == tree, "\(text)")
    }
  }
}
