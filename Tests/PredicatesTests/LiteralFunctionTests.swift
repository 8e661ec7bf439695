// Literals that are written as functions, and hexadecimal digits.

import PredicateWorld
import Records
import Testing

@testable import Predicates

@Suite("B1 literal functions")
struct LiteralFunctionTests {
  private func isValid(_ literal: String) -> Bool { (try? Predicate("a == \(literal)")) != nil }

  @Test func `bytes and hexadecimal digits convert to each other`() {
    var random = SeededGenerator(seed: 7)
    for length in 0..<60 {
      let bytes = (0..<length).map { _ in UInt8(random.below(256)) }
      let digits = Hexadecimal.text(of: bytes)
      #expect(digits.count == 2 * length && digits == digits.lowercased())
      #expect(Hexadecimal.bytes(of: digits) == bytes)
      #expect(Hexadecimal.bytes(of: digits.uppercased()) == bytes)
      if length > 0 { #expect(Hexadecimal.bytes(of: String(digits.dropLast())) == nil) }
    }
    #expect(Hexadecimal.text(of: [0, 9, 10, 15, 16, 255]) == "00090a0f10ff")
  }

  @Test func `each character that is not a digit is rejected`() {
    for byte in UInt8(0)...0x7F {
      let isDigit = "0123456789abcdefABCDEF".utf8.contains(byte)
      let text = "0" + String(UnicodeScalar(byte))
      #expect((Hexadecimal.bytes(of: text) != nil) == isDigit, "\(byte)")
    }
    #expect(Hexadecimal.bytes(of: "é") == nil && Hexadecimal.bytes(of: "") == [])
  }

  @Test func `locations are valid up to the poles and the antimeridian`() {
    for literal in ["(90, 180)", "(-90, -180)", "(0, 0)", "(-90.0, 1e-5)", "(89.999, -179.999)"] {
      #expect(isValid("location\(literal)"), "\(literal)")
    }
    for literal in [
      "(90.001, 0)", "(-91, 0)", "(0, 180.001)", "(0, -181)", "(1)", "(1, 2, 3)", "('1', 2)",
      "(1, '2')", "(TRUE, 2)", "()",
    ] {
      #expect(!isValid("location\(literal)"), "\(literal)")
    }
  }

  @Test func `the other functions take the arguments of their rule only`() {
    let digest = String(repeating: "aB", count: 32)
    for literal in [
      "date('2026-11-21')", "date(-5)", "DATE(0)", "bytes('')", "reference('a')",
      "asset('\(digest)', 0)", "asset('\(digest)', 9223372036854775807)",
    ] {
      #expect(isValid(literal), "\(literal)")
    }
    for literal in [
      "date()", "date(1.5)", "date('x')", "date('2026-02-30')", "date(1, 2)", "date(TRUE)",
      "bytes(5)", "bytes('0', '0')", "bytes('zz')", "reference('')", "reference(1)",
      "reference('a', 'b')", "asset('\(digest)')", "asset('\(digest)', -1)",
      "asset('\(digest)', 1.0)", "asset('\(digest)00', 1)", "asset('\(digest.dropLast(2))', 1)",
      "now(1)", "time(1)", "date", "date (", "asset(1, 1)",
    ] {
      #expect(!isValid(literal), "\(literal)")
    }
  }

  @Test func `arguments are bound within functions too`() throws {
    let bound = try Predicate("a == date(%@)", arguments: [.int64(5)])
    #expect(bound == (try Predicate("a == date(5)")))
    #expect(throws: RecordsError.self) { try Predicate("a == date(%@)", arguments: [.list([])]) }
  }
}
