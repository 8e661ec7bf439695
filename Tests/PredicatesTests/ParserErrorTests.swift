// Hostile texts: mutations of valid predicates, random bytes, deep nesting and huge literals. Each is either
// parsed, and then printed and parsed to the same, or rejected with a column inside of the text and a
// sentence that says what is wrong.

import PredicateOracle
import PredicateWorld
import Records
import Testing

@testable import Predicates

@Suite("B1 hostile predicates")
struct ParserErrorTests {
  /// Parses `text`. Returns whether it is valid.
  private func check(_ text: String, _ seed: UInt64, arguments: [Value] = []) -> Bool {
    let predicate: Predicate
    do throws(RecordsError) {
      predicate = try Predicate(text, arguments: arguments)
    } catch {
      check(error, of: text, seed)
      return false
    }
    #expect(predicate.termCount <= PredicateLimits.terms, "seed \(seed): \(text)")
    let printed = predicate.description
    guard printed.utf8.count <= PredicateLimits.textBytes else { return true }
    let again = try? Predicate(printed)
    #expect(again?.description.utf8.elementsEqual(printed.utf8) == true, "seed \(seed): \(text)")
    return true
  }

  private func check(_ error: RecordsError, of text: String, _ seed: UInt64) {
    let place: Comment = "seed \(seed): \(text.debugDescription): \(error)"
    guard text.utf8.count <= PredicateLimits.textBytes else {
      #expect(error.code == .limitExceeded && error.column == nil, place)
      return
    }
    #expect(error.code == .invalidArguments || error.code == .limitExceeded, place)
    #expect((1...text.count + 1).contains(error.column ?? 0), place)
    #expect(error.message.hasPrefix("Column \(error.column ?? 0): "), place)
    #expect(error.message.hasSuffix("."), place)
    #expect(error.message.utf8.count < 1000, place)
    if error.message.contains("Expected ") {
      #expect(error.message.contains(", found "), place)
    }
  }

  private func mutated(_ text: String, _ random: inout SeededGenerator) -> String {
    let signs = Array("()[]{}'\"\\.,%@#!=<>&|:-*? \n\t09eaz_é\u{301}\u{0}".unicodeScalars)
    var scalars = Array(text.unicodeScalars)
    for _ in 0..<1 + random.below(3) {
      let index = random.below(scalars.count + 1)
      switch random.below(5) {
      case 0 where index < scalars.count: scalars.remove(at: index)
      case 1 where index < scalars.count: scalars[index] = random.one(of: signs)
      case 2:
        let end = index + random.below(scalars.count - index + 1)
        scalars.insert(contentsOf: scalars[index..<end], at: random.below(scalars.count + 1))
      case 3: scalars.removeSubrange(index..<index + random.below(scalars.count - index + 1))
      default: scalars.insert(random.one(of: signs), at: index)
      }
    }
    return String(String.UnicodeScalarView(scalars))
  }

  @Test func `a mutation of a valid predicate is parsed or rejected with a column`() {
    var (valid, invalid) = (0, 0)
    for seed in 0..<UInt64(400) {
      var random = SeededGenerator(seed: seed &+ 900)
      var phrases = OraclePhrases(about: OracleRecords.record(&random), random)
      let text = phrases.predicate(2)
      random = phrases.random
      for _ in 0..<4 {
        let isValid = check(
          mutated(text, &random), seed, arguments: phrases.arguments.map { Value($0) })
        if isValid { valid += 1 } else { invalid += 1 }
      }
    }
    #expect(valid > 20 && invalid > 400, "\(valid) valid, \(invalid) invalid")
  }

  @Test(arguments: 0..<4) func `random bytes are rejected with a column`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    for _ in 0..<300 {
      let bytes = (0..<random.below(40)).map { _ in UInt8(random.below(256)) }
      #expect(!check(String(decoding: bytes, as: UTF8.self), seed))
      let ascii = (0..<random.below(40)).map { _ in UInt8(32 + random.below(95)) }
      _ = check(String(decoding: ascii, as: UTF8.self), seed)
    }
  }

  @Test func `every beginning of a predicate is parsed or rejected at its end or before`() {
    let text =
      "NOT (ANY phones.value BEGINSWITH[cd] '+46' AND age BETWEEN {1, -2.5e3}) OR born < now() "
      + "|| distanceToLocation:fromLocation:(place, location(59.3, 18)) >= 500 && x IN {bytes('0f')}"
    var valid = 0
    for count in 0...text.unicodeScalars.count {
      let start = String(String.UnicodeScalarView(text.unicodeScalars.prefix(count)))
      valid += check(start, UInt64(count)) ? 1 : 0
    }
    // After each of the last comparisons, and after each digit of the 500 and the blank after it.
    #expect((3..<20).contains(valid), "\(valid)")
  }

  @Test(
    arguments: ["(", "NOT ", "!", "((!", "NOT(", "{", "[", "'", "#", "a.", "ANY ", "a == {", "%@"])
  func `endless repetitions end with an error, and no stack overflows`(piece: String) {
    for count in [1, 31, 33, 200, PredicateLimits.textBytes / piece.utf8.count, 5000] {
      #expect(!check(String(repeating: piece, count: count), UInt64(count)))
      let text = String(repeating: piece, count: count) + "a == 1"
      if check(text, UInt64(count)) { #expect(count <= PredicateLimits.depth, "\(piece)") }
    }
  }

  @Test func `the depth is that of the deepest part, not the sum of all parts`() throws {
    let deep = String(repeating: "(", count: 32) + "a == 1" + String(repeating: ")", count: 32)
    #expect(throws: Never.self) { try Predicate("\(deep) AND \(deep) OR NOT a == 1") }
    #expect(throws: RecordsError.self) { try Predicate("\(deep) AND NOT \(deep)") }
    let nots = String(repeating: "NOT ", count: 16) + String(repeating: "(", count: 16)
    #expect(throws: Never.self) {
      try Predicate(nots + "a == 1" + String(repeating: ")", count: 16))
    }
    #expect(throws: RecordsError.self) {
      try Predicate("NOT " + nots + "a == 1" + String(repeating: ")", count: 16))
    }
  }

  @Test func `1024 values of a list are parsed, one more is rejected, written or bound`() throws {
    let list = { (count: Int) in
      "{" + Array(repeating: "1", count: count).joined(separator: ",") + "}"
    }
    #expect(throws: Never.self) { try Predicate("a IN \(list(1024))") }
    let written = #expect(throws: RecordsError.self) { try Predicate("a IN \(list(1025))") }
    #expect(written?.code == .limitExceeded && written?.column == 6)
    let bound = { (count: Int) in Value.list([Value](repeating: .int64(1), count: count)) }
    #expect(throws: Never.self) { try Predicate("a IN %@", arguments: [bound(1024)]) }
    let error = #expect(throws: RecordsError.self) {
      try Predicate("a IN %@", arguments: [bound(1025)])
    }
    #expect(error?.code == .limitExceeded && error?.column == 6)
  }

  @Test func `huge numbers and texts of a literal are rejected or read exactly`() throws {
    let digits = String(repeating: "9", count: 4000)
    for text in ["a == \(digits)", "a == -\(digits)", "a == \(digits).5", "a == 1e\(digits)"] {
      #expect(!check(text, 0))
    }
    #expect(check("a == 0.\(digits)", 0) && check("a == 1e-\(digits)", 0), "it is rounded")
    #expect(check("a == '\(digits)'", 0) && !check("a == date(\(digits))", 0))
    #expect(check("\(String(repeating: "a", count: 64)) == 1", 0))
    #expect(!check("\(String(repeating: "a", count: 4000)) == 1", 0), "names have a limit")
    let huge = Value.string(String(repeating: "x", count: 1 << 20))
    #expect(throws: Never.self) { try Predicate("a == %@", arguments: [huge]) }
  }
}
