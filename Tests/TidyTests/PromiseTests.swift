// Promises that are tested and shown, and samples of others.

import Testing

@Suite("Promises")
struct PromiseTests {
  @Test func `every promise of the address book has a test that names it`() {
    expectNone(PromiseRule.untested(in: SourceTree.tests))
  }

  @Test func `every promise of the address book is shown where the page says`() throws {
    expectNone(PromiseRule.unshown(on: try #require(SourceTree.pages[PromiseRule.page])))
  }

  @Test func `a promise that only a comment names has no test`() {
    let file = SourceFile(
      path: "Tests/ATests/ATests.swift",
      text: "// C1\n@Suite(\"C2, A1–A4\")\nstruct A {\n  @Test func `V1–V10 hold`() {}\n}\n")
    let found = PromiseRule.untested(in: [file]).map(\.sentence)
    #expect(found.count == 12)
    #expect(found.contains("No suite and no test names C1."))
    #expect(found.contains("No suite and no test names V11."))
    #expect(!found.contains("No suite and no test names V7."))
  }

  @Test func `a row whose section does not name it is found`() {
    let page = """
      ## First things, first
      Here it is (C1).
      ## Other
      Nothing.
      | C1 | a list | [First](#first-things-first) |
      | C2 | create | [Other](#other), [Elsewhere](protocol.md) |
      """
    #expect(PromiseRule.rows(of: page).map(\.sections) == [["first-things-first"], ["other"]])
    let found = PromiseRule.unshown(on: page).map(\.sentence)
    #expect(found.contains("The section #other does not name C2."))
    #expect(!found.contains { $0.contains("name C1") || $0.contains("for C1.") })
    #expect(found.contains("The table at the end has no row for V11."))
  }
}
