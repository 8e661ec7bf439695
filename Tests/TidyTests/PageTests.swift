// Links between the pages and references to tests, and samples of broken ones.

import Testing

@Suite("Pages")
struct PageTests {
  @Test func `every page is linked from another page`() {
    expectNone(LinkRule.unlinked(in: SourceTree.pages))
  }

  @Test func `every link has a target`() {
    expectNone(LinkRule.broken(in: SourceTree.pages))
  }

  @Test func `every test that the page of faults names exists`() throws {
    let page = try #require(SourceTree.pages[TestReferenceRule.page])
    #expect(TestReferenceRule.references(on: page).count > 200)
    expectNone(TestReferenceRule.broken(on: page, files: SourceTree.tests))
  }

  @Test func `a reference to a test that does not exist is found`() {
    let file = SourceFile(
      path: "Tests/ATests/FirstTests.swift",
      text: "struct SecondTests {\n  @Test func `a list is kept`() {}\n}\n")
    let page = """
      | a | `FirstTests`: “list is kept”, “is lost”; `SecondTests`: “a list” | review |
      | b | `ThirdTests`; “is kept” | review |
      """
    let found = TestReferenceRule.broken(on: page, files: [file])
    #expect(
      found.map(\.sentence) == [
        "No such test's name contains “is lost”.", "No suite is named ThirdTests.",
      ])
    #expect(found.map(\.line) == [1, 2])
  }

  @Test func `a page without a link to it is found`() {
    let pages = [
      "README.md": "See [a](docs/a.md).", "docs/a.md": "[b](b/c.md#top) [a](a.md)",
      "docs/b/c.md": "", "docs/lonely.md": "[me](lonely.md)",
    ]
    #expect(LinkRule.unlinked(in: pages).map(\.path) == ["docs/lonely.md"])
  }

  @Test func `a link without a target is found`() {
    let pages = ["docs/a.md": "Fine.\n[gone](../gone.md) [web](https://example.org)"]
    let found = LinkRule.broken(in: pages) { $0 != "gone.md" }
    #expect(
      found == [Finding(path: "docs/a.md", line: 2, sentence: "The link to gone.md leads nowhere.")]
    )
  }
}
