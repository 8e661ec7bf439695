// The texts that the parser accepts, and its errors.

import PredicateWorld
import Records
import Testing

@testable import Predicates

@Suite("B1 parsing predicates")
struct ParserTests {
  @Test(arguments: [
    ("city == 'Umeå'", "city == 'Umeå'"),
    ("city = \"x\" and age <> 3", "city == 'x' AND age != 3"),
    ("a<1 or b=>2 AND NOT c =< 3", "a < 1 OR b >= 2 AND NOT c <= 3"),
    ("(a == 1 || b == 2) && !(c == 3)", "(a == 1 OR b == 2) AND NOT c == 3"),
    ("5 < age", "age > 5"), ("'x' IN tags", "tags CONTAINS 'x'"),
    ("age between {1, 5}", "age BETWEEN {1, 5}"), ("age IN { }", "age IN {}"),
    ("name beginswith[CD] 'a'", "name BEGINSWITH[cd] 'a'"),
    ("ANY phones.value BEGINSWITH '+46'", "ANY phones.value BEGINSWITH '+46'"),
    ("some tags == 'x'", "ANY tags == 'x'"), ("NONE tags == 'x'", "NONE tags == 'x'"),
    ("name == nil OR name != NULL", "name == nil OR name != nil"),
    ("flag == YES", "flag == TRUE"), ("truepredicate", "TRUEPREDICATE"),
    ("self contains 'a b'", "SELF CONTAINS 'a b'"),
    ("born > date('2026-02-28T23:00:00+01:00')", "born > date('2026-02-28T22:00:00Z')"),
    ("born == date('2024-02-29')", "born == date('2024-02-29T00:00:00Z')"),
    ("born < now()", "born < now()"), ("photo == bytes('00FF')", "photo == bytes('00ff')"),
    ("parent == reference('p')", "parent == reference('p')"),
    ("recordID == 'p'", "recordID == reference('p')"),
    ("#recordID == 'p'", "#recordID == 'p'"), ("#in == 1 AND date == 2", "#in == 1 AND date == 2"),
    ("score > -1.5e3", "score > -1500.0"),
    ("name == 'it\\'s \\\\ \\u00e9'", "name == 'it\\'s \\\\ é'"),
    (
      "distanceToLocation:fromLocation:(place, location(59.3, 18)) < 500",
      "distanceToLocation:fromLocation:(place, location(59.3, 18.0)) < 500.0"
    ),
    ("tags == {'a', 2}", "tags == {'a', 2}"), ("((a == 1))", "a == 1"),
  ])
  func `a parsed predicate prints in one form`(text: String, printed: String) throws {
    #expect(try Predicate(text).description == printed)
  }

  @Test(arguments: [
    ("", 1, "the end of the text"), ("city", 5, "Expected a comparison"),
    ("city contins 'x'", 6, "Did you mean CONTAINS?"),
    ("city == 'x' adn age == 1", 13, "Did you mean AND?"),
    ("city == 'x", 9, "no closing '"), ("åäö == 1", 1, "“å” cannot be used"),
    ("name == 'åäö' AND age > ten", 25, "Put texts in quotes"),
    ("(a == 1", 8, "Expected “)”"), ("a == 1)", 7, "Expected AND, OR or the end"),
    ("a == %d", 6, "%@"), ("a == %@", 6, "There is no argument"),
    ("name matches 'x'", 6, "Regular expressions"), ("a == 12x", 6, "directly followed"),
    ("a == 99999999999999999999", 6, "64-bit integer"), ("a == 1e999", 6, "too large"),
    ("age BETWEEN 5", 13, "two bounds"), ("age BETWEEN {1, 'x'}", 13, "two numbers"),
    ("age BETWEEN {1}", 13, "two bounds"), ("age IN 5", 8, "requires a list"),
    ("age > {1, 2}", 7, "requires one value"), ("age > nil", 5, "nil can only"),
    ("flag < TRUE", 6, "have an order"), ("photo < bytes('00')", 7, "have an order"),
    ("age ==[c] 5", 7, "[c] can only be used"), ("name ==[x] 'a'", 9, "ignore case"),
    ("name LIKE 5", 11, "requires a text"), ("phones.value == 'x'", 1, "ANY, ALL or NONE"),
    ("ANY creationDate == 5", 5, "one value"), ("creationDate == 5", 17, "is a date"),
    ("recordID < 'a'", 10, "is a reference"), ("recordID == 5", 13, "is a reference"),
    ("ANY tags == nil", 13, "never nil"), ("ANY ANY tags == 1", 5, "must precede the field"),
    ("1 == 1", 1, "One side"), ("a == b", 6, "not with another field"),
    ("a IN {1, nil}", 10, "cannot contain nil"), ("a IN {1, {2}}", 10, "Expected a value"),
    ("self == 'x'", 6, "with CONTAINS"), ("self CONTAINS '-'", 15, "at least one word"),
    ("'a' LIKE name", 5, "must be on the left of LIKE"),
    ("a == date('2025-02-29')", 6, "date requires"),
    ("a == bytes('0')", 6, "two for each byte"), ("a == location(91, 0)", 6, "within ±90"),
    ("a == asset('00', 1)", 6, "SHA-256"), ("a == data('x')", 6, "no function"),
    ("a == 'x\\q'", 8, "backslash"), ("a == '\\ud83d\\ude00'", 7, "of a character"),
    ("a == date(date('x'))", 11, "Expected a value"),
    ("distanceToLocation:fromLocation:(p, 5) < 1", 37, "must be a location"),
    ("distanceToLocation:fromLocation:(p, location(0,0)) == 1", 52, "<, <=, > or >="),
    ("distanceToLocation:fromLocation:(p, location(0,0)) < -1", 54, "0 or greater"),
    ("distanceToLocation:fromLocation:(p, location(0,0)) <[c] 1", 53, "does not accept [c]"),
  ])
  func `an error names its column`(text: String, column: Int, words: String) throws {
    let error = try #require(throws: RecordsError.self) { try Predicate(text) }
    #expect(error.column == column, "\(error)")
    #expect(error.description.contains(words), "\(error)")
    #expect(error.code == .invalidArguments)
  }

  @Test func `arguments are bound as values, never parsed as text`() throws {
    let predicate = try Predicate(
      "name == %@ AND age IN %@", arguments: [.string("x' OR 'a' == 'a"), .list([.int64(1)])])
    #expect(predicate.description == "name == 'x\\' OR \\'a\\' == \\'a' AND age IN {1}")
  }

  /// The quantifier was once ignored, so that NONE matched as ANY does.
  @Test(arguments: [
    "NONE self CONTAINS 'x'", "ANY distanceToLocation:fromLocation:(p, location(0, 0)) < 1",
    "ALL 1 > distanceToLocation:fromLocation:(p, location(0, 0))",
  ])
  func `ANY, ALL and NONE are rejected for operands without elements`(text: String) throws {
    let error = try #require(throws: RecordsError.self) { try Predicate(text) }
    #expect(error.column == 1 && error.message.contains("ANY, ALL and NONE"), "\(error)")
  }

  @Test func `an extra argument, or one that cannot be compared, is rejected`() throws {
    let tooMany = try #require(throws: RecordsError.self) {
      try Predicate("a == %@", arguments: [.int64(1), .int64(2)])
    }
    #expect(tooMany.message.contains("2 arguments were given for 1"))
    for value in [Value.entries([]), .unknown([1]), .double(.nan)] {
      #expect(throws: RecordsError.self) { try Predicate("a == %@", arguments: [value]) }
    }
  }

  @Test func `a value without a literal cannot be bound either, alone or in a list`() {
    let nowhere = Location(latitudeDegrees: .nan, longitudeDegrees: 0)
    let lists = [.double(.infinity), .list([]), .entries([]), .location(nowhere)] as [Value]
    for value in lists.map({ .list([$0]) }) + [Value.location(nowhere), .double(-.infinity)] {
      #expect(throws: RecordsError.self) { try Predicate("a == %@", arguments: [value]) }
      #expect(throws: RecordsError.self) { try Predicate("a IN %@", arguments: [value]) }
    }
  }

  @Test func `a predicate of 4096 bytes is parsed, a longer one is rejected`() throws {
    let text = "a == '" + String(repeating: "x", count: 4089) + "'"
    _ = try Predicate(text)
    let error = try #require(throws: RecordsError.self) { try Predicate(text + " ") }
    #expect(error.code == .limitExceeded)
  }

  @Test func `32 levels are parsed, the next is rejected with its column`() throws {
    let open = String(repeating: "(", count: 32)
    _ = try Predicate(open + "a == 1" + String(repeating: ")", count: 32))
    let error = try #require(throws: RecordsError.self) { try Predicate(open + "(a == 1") }
    #expect(error.code == .limitExceeded && error.column == 33)
    #expect(throws: RecordsError.self) {
      try Predicate(String(repeating: "NOT ", count: 33) + "a == 1")
    }
  }

  @Test func `256 terms are parsed, the next is rejected with its column; a list is one term`()
    throws
  {
    let term = "a == 1 AND "
    _ = try Predicate(String(repeating: term, count: 255) + "a IN {1, 2, 3}")
    let error = try #require(throws: RecordsError.self) {
      try Predicate(String(repeating: term, count: 256) + "b == 1")
    }
    #expect(error.code == .limitExceeded && error.column == 256 * 11 + 1)
  }

  @Test(arguments: 0..<20) func `no text crashes the parser`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let pieces = [
      "a", "==", "'x'", "(", ")", "{", "}", ",", "AND", "OR", "NOT", "ANY", "IN", "BETWEEN", "%@",
      "now()", "date(", "5", "-", ".", "[", "c]", "nil", "#", "\\", "'", "\"", "é", "\u{0}",
      "distanceToLocation:fromLocation:(", "self", "CONTAINS", "1e", "location", "\u{301}",
    ]
    for _ in 0..<500 {
      let text = (0..<random.below(12)).map { _ in random.one(of: pieces) }.joined(
        separator: random.percent(70) ? " " : "")
      do {
        let predicate = try Predicate(text)
        #expect(throws: Never.self) { try Predicate(predicate.description) }
      } catch {
        #expect(error.column != nil, "\(text)")
      }
    }
  }
}
