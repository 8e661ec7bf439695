// A caret stands under what is wrong.

import PredicateWorld
import Testing

@testable import ControlCommands

@Suite("the place in a text")
struct TextExcerptTests {
  @Test func `the caret stands under the character, also behind wide ones and at the end`() {
    #expect(TextExcerpt.lines(of: "a === 1", column: 5) == ["  a === 1", "      ^"])
    #expect(TextExcerpt.lines(of: "王 = 1", column: 3) == ["  王 = 1", "     ^"])
    #expect(TextExcerpt.lines(of: "a ==", column: 5) == ["  a ==", "      ^"])
    #expect(
      TextExcerpt.lines(of: "a\tb\u{1B}[2J", column: 99).allSatisfy { !$0.contains("\u{1B}") })
  }

  @Test func `a long text is cut around the place`() {
    let text = String(repeating: "x", count: 200) + "!" + String(repeating: "y", count: 200)
    let lines = TextExcerpt.lines(of: text, column: 201)
    #expect(lines[0].count <= 74 && lines[0].hasPrefix("  …x") && lines[0].hasSuffix("…"))
    #expect(Array(lines[0])[lines[1].count - 1] == "!")
  }

  /// A long text of wide characters was cut before the column of the caret.
  @Test(arguments: ["x", "é", "李", "👩‍👩‍👧", "น้ำ"])
  func `a long text of any characters is cut around the place`(character: String) {
    let text = String(repeating: character, count: 150)
    for column in [1, 20, 31, 32, 40, 75, 150, 151] {
      let lines = TextExcerpt.lines(of: text, column: column)
      #expect(TextWidth.columns(of: lines[0]) <= 74, "\(column)")
      #expect(lines[1].count <= TextWidth.columns(of: lines[0]) + 1, "\(column)")
    }
  }

  @Test func `the caret is below the character that it means, in any text`() throws {
    for seed in 0..<300 {
      var random = SeededGenerator(seed: UInt64(seed))
      let text = Array(random.words(upTo: 60))
      let column = 1 + random.below(text.count + 1)
      let lines = TextExcerpt.lines(of: String(text), column: column)
      try #require(lines.count == 2)
      #expect(lines[1].last == "^" && lines[1].dropLast().allSatisfy { $0 == " " })
      #expect(TextWidth.columns(of: lines[0]) <= 74, "seed \(seed)")
      // The character whose first column is that of the caret.
      var width = 0
      var found: Character?
      for character in lines[0] {
        let next = TextWidth.columns(of: character)
        if width == lines[1].count - 1, next > 0 {
          found = character
          break
        }
        width += next
      }
      let meant = column <= text.count ? text[column - 1] : nil
      guard meant.map({ TextWidth.columns(of: $0) > 0 }) ?? true else { continue }
      #expect(found == meant || found == "…", "seed \(seed), column \(column): \(lines)")
    }
  }
}
