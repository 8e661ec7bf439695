// Tokens: their ranges, kinds and columns.

import PredicateOracle
import PredicateWorld
import Records
import Testing

@testable import Predicates

@Suite("B1 tokens of a predicate")
struct LexerTests {
  private func tokens(_ text: String) throws -> [Token] {
    var lexer = Lexer(Array(text.utf8))
    var tokens: [Token] = []
    repeat { tokens.append(try lexer.next()) } while tokens.last?.kind != .end
    return tokens
  }

  private func kinds(_ text: String) throws -> [Token.Kind] {
    try tokens(text).dropLast().map(\.kind)
  }

  @Test(arguments: [
    ("=", Relation.equal), ("==", .equal), ("!=", .notEqual), ("<>", .notEqual), ("<", .less),
    ("<=", .lessOrEqual), ("=<", .lessOrEqual), (">", .greater), (">=", .greaterOrEqual),
    ("=>", .greaterOrEqual),
  ])
  func `a sign is one token, with and without blanks around it`(sign: String, relation: Relation)
    throws
  {
    let wanted: [Token.Kind] = [.word, .relation(relation), .whole(-5)]
    #expect(try kinds("a\(sign)-5") == wanted && kinds(" a\t\(sign)\n-5 ") == wanted)
  }

  @Test func `signs of one and of two characters are different tokens`() throws {
    #expect(try kinds("!a != b") == [.not, .word, .relation(.notEqual), .word])
    #expect(try kinds("a&&b||!!c") == [.word, .and, .word, .or, .not, .not, .word])
    #expect(try kinds("===") == [.relation(.equal), .relation(.equal)])
    #expect(try kinds("< =") == [.relation(.less), .relation(.equal)])
    for text in ["&", "|", "a & b", "a | b", "$", "-", "- 5", "#5", "#", "%", "% @", "é"] {
      #expect(throws: RecordsError.self, "\(text)") { try kinds(text) }
    }
  }

  @Test(arguments: [
    "0", "-0", "7", "-12", "9223372036854775807", "-9223372036854775808", "1.5", "-1.5", "0.1",
    "1e3", "1E3", "1e+3", "1e-3", "12.25e-2", "1.7976931348623157e308", "5e-324", "007", "00.5",
  ])
  func `a number has the value that the standard library reads`(text: String) throws {
    let wanted: Token.Kind? = Int64(text).map(Token.Kind.whole) ?? Double(text).map(Token.Kind.real)
    #expect(try kinds(text) == [wanted])
    #expect(try kinds("\(text))") == [wanted, .sign(41)])
  }

  @Test func `a point or an exponent without digits does not belong to a number`() throws {
    #expect(try kinds("1.") == [.whole(1), .sign(46)] && kinds("1..2").count == 4)
    #expect(throws: RecordsError.self) { try kinds("1e") }
    #expect(throws: RecordsError.self) { try kinds("1e+") }
    #expect(throws: RecordsError.self) { try kinds("9223372036854775808") }
    #expect(throws: RecordsError.self) { try kinds("-9223372036854775809") }
    #expect(throws: RecordsError.self) { try kinds("1.8e308") }
  }

  @Test(arguments: 0..<6) func `a quoted text has the scalars that were written`(seed: UInt64)
    throws
  {
    var random = SeededGenerator(seed: seed)
    for _ in 0..<100 {
      let text = NastyTexts.text(&random)
      var writer = OracleWriter(random)
      guard let literal = writer.literal(.text(text)) else { continue }
      random = writer.random
      let found = try kinds(literal)
      guard case .text(let read)? = found.first else {
        Issue.record("seed \(seed): \(literal) is no text")
        continue
      }
      #expect(found.count == 1 && read.utf8.elementsEqual(text.utf8), "seed \(seed): \(literal)")
    }
  }

  @Test(arguments: [
    "\\u12", "\\u12g4", "\\u+123", "\\ud800", "\\udfff", "\\x", "\\", "\\u", "\\0", "\\ ",
  ])
  func `an invalid escape is an error at its backslash`(escape: String) throws {
    let error = #expect(throws: RecordsError.self) { try kinds("a == 'å\(escape)'") }
    // A backslash before the closing quote escapes it, so that the text is not closed.
    #expect(error?.column == (escape == "\\" ? 6 : 8), "\(String(describing: error))")
  }

  /// Tokens cover the text: they follow each other, and only blanks are between them.
  @Test(arguments: 0..<8) func `no byte of a text is lost between tokens`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    for _ in 0..<60 {
      let text = RandomPredicates.predicate(&random).description
      let bytes = Array(text.utf8)
      var end = 0
      for token in try tokens(text) {
        #expect(token.range.lowerBound >= end && token.range.upperBound <= bytes.count)
        let between = bytes[end..<token.range.lowerBound]
        #expect(between.allSatisfy { $0 == 32 }, "seed \(seed): \(text)")
        end = token.range.upperBound
      }
      #expect(end == bytes.count)
    }
  }

  @Test func `a column counts characters, wherever the fault is`() {
    let lexer = Lexer(Array("aé\u{301}👩‍👩‍👧‍👦 == 한".utf8))
    #expect(lexer.error("x", at: 0).column == 1 && lexer.error("x", at: 1).column == 2)
    #expect(lexer.error("x", at: lexer.bytes.count).column == 9)
    #expect(lexer.error("x", at: lexer.bytes.count + 50).column == 9)
    #expect(lexer.error("x", at: 1).message == "Column 2: x")
  }

  @Test func `the distance function is one token, and similar words are not`() throws {
    #expect(try kinds("distanceToLocation:fromLocation:(") == [.distanceFunction, .sign(40)])
    #expect(try kinds("distanceToLocation") == [.word])
    #expect(throws: RecordsError.self) { try kinds("distancetolocation:fromlocation:(") }
    #expect(throws: RecordsError.self) { try kinds("distanceToLocation:from") }
    #expect(try kinds("#distanceToLocation") == [.escapedWord])
  }
}
