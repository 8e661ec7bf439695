// Patterns of LIKE, compared with a matcher that tries every split.

import PredicateOracle
import PredicateWorld
import Records
import Testing

@testable import Predicates

@Suite("B1 patterns of LIKE")
struct LikePatternTests {
  private func matches(_ text: String, _ pattern: String, steps: Int = 1 << 24) -> Bool {
    let (text, pattern) = (Array(text.utf8), Array(pattern.utf8))
    return text.withUnsafeBufferPointer { text in
      pattern.withUnsafeBufferPointer {
        var steps = steps
        return LikePattern.matches(text, $0, steps: &steps)
      }
    }
  }

  /// The rule of docs/predicates.md, as a recursion over code points.
  private func rule(_ text: ArraySlice<Unicode.Scalar>, _ pattern: ArraySlice<Unicode.Scalar>)
    -> Bool
  {
    guard let first = pattern.first else { return text.isEmpty }
    let rest = pattern.dropFirst()
    switch first {
    case "*": return rule(text, rest) || !text.isEmpty && rule(text.dropFirst(), pattern)
    case "?": return !text.isEmpty && rule(text.dropFirst(), rest)
    case "\\" where !rest.isEmpty:
      return text.first == rest.first && rule(text.dropFirst(), rest.dropFirst())
    default: return text.first == first && rule(text.dropFirst(), rest)
    }
  }

  @Test(arguments: 0..<8) func `random patterns match what the rule says`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let letters = Array("ab\u{E9}\u{4E2D}\u{10400}*?\\".unicodeScalars)
    var matched = 0
    for _ in 0..<1200 {
      let text = (0..<random.below(7)).map { _ in random.one(of: letters) }
      var pattern = random.percent(60) ? text : []
      for _ in 0..<random.below(4) {
        let added: [Unicode.Scalar] = random.one(of: [["*"], ["?"], ["\\", "*"], ["\\"], ["a"]])
        pattern.insert(contentsOf: added, at: random.below(pattern.count + 1))
      }
      let written = (
        String(String.UnicodeScalarView(text)), String(String.UnicodeScalarView(pattern))
      )
      let expected = rule(text[...], pattern[...])
      matched += expected ? 1 : 0
      #expect(matches(written.0, written.1) == expected, "seed \(seed): \(written)")
    }
    #expect((50..<1150).contains(matched))
  }

  @Test(arguments: 0..<4) func `every match of a pattern begins with its literal prefix`(
    seed: UInt64
  ) {
    var random = SeededGenerator(seed: seed)
    for _ in 0..<300 {
      let text = NastyTexts.text(&random)
      guard text.utf8.count < 500 else { continue }
      let piece = NastyTexts.part(text, &random)
      for pattern in ["\(piece)*", "*\(piece)", "\(piece)?*", "\\\(piece)*", piece, text] {
        let prefix = LikePattern.literalPrefix(of: Array(pattern.utf8))
        if matches(text, pattern) {
          #expect(text.utf8.starts(with: prefix), "seed \(seed): \(text) LIKE \(pattern)")
        }
      }
    }
  }

  @Test(
    arguments: zip(
      ["abc", "a*", "?a", "\\*a*", "a\\\\b?c", "ab\\", "", "*", "\\?\\*"],
      ["abc", "a", "", "*a", "a\\b", "ab\\", "", "", "?*"]))
  func `the literal prefix is what is before the first star or question mark`(
    pattern: String, prefix: String
  ) {
    #expect(LikePattern.literalPrefix(of: Array(pattern.utf8)) == Array(prefix.utf8))
  }

  @Test func `many stars take time by the product of the lengths, and the steps end them`() {
    let text = String(repeating: "a", count: 2000)
    let pattern = String(repeating: "*a", count: 100) + "*b"
    #expect(!matches(text, pattern))
    #expect(matches(text, String(repeating: "*a", count: 100) + "*"))
    #expect(!matches(text, String(repeating: "*a", count: 100) + "*", steps: 50))
    #expect(matches("", "***") && !matches("", "?") && !matches("", "*?") && matches("é", "?"))
  }

  @Test func `texts that are not UTF-8 do no harm`() {
    var random = SeededGenerator(seed: 9)
    for _ in 0..<2000 {
      let text = (0..<random.below(6)).map { _ in UInt8(random.below(256)) }
      let pattern: [UInt8] = (0..<random.below(6)).map { _ in
        random.one(of: [42, 63, 92, 0xC3, 0xF0, 0xFF, 97])
      }
      text.withUnsafeBufferPointer { text in
        pattern.withUnsafeBufferPointer {
          var steps = 1000
          let isMatch = LikePattern.matches(text, $0, steps: &steps)
          #expect(steps > 0 && (!isMatch || !pattern.isEmpty || text.isEmpty))
        }
      }
    }
  }
}
