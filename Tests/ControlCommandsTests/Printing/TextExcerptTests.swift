// A caret stands under what is wrong.

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
}
