// The table of one edit's path, and samples of tables with faults.

import Testing

@Suite("The path of one edit")
struct EditPathTests {
  @Test func `every file and function of the path exists, and the path is short`() throws {
    let page = try #require(SourceTree.pages[EditPathRule.page])
    expectNone(EditPathRule(page).findings(in: SourceTree.sources))
  }

  @Test func `a missing file, a missing function and a file named twice are found`() {
    let file = SourceFile(path: "Sources/A/First.swift", text: "func send() {\n}\n")
    let path = Self.path([
      "| `A/First.swift` | `send` encodes it |", "| `A/First.swift` | `receive` decodes it |",
      "| `A/Second.swift` | `send` repeats it |", "| `A/First.swift` | nothing |",
    ])
    #expect(
      path.findings(in: [file]).map(\.description) == [
        "docs/architecture.md:6: Sources/A/First.swift has no function “receive”.",
        "docs/architecture.md:7: There is no file Sources/A/Second.swift.",
        "docs/architecture.md:8: The row names no function.",
        "docs/architecture.md:6: Sources/A/First.swift is named twice.",
        "docs/architecture.md:8: Sources/A/First.swift is named twice.",
      ])
  }

  @Test func `a return to a target is counted each time`() {
    let rows = ["A/a", "A/b", "B/a", "A/c", "C/a", "B/b", "A/d"].map { "| `\($0).swift` | `f` |" }
    #expect(Self.path(rows).returns == 3)
  }

  @Test func `a path with too many files or returns is found`() {
    func count(files: Int, targets: Int) -> Int {
      let paths = (0..<files).map { "T\($0 % targets)/F\($0).swift" }
      let sources = paths.map { SourceFile(path: "Sources/\($0)", text: "func f() {\n}\n") }
      return Self.path(paths.map { "| `\($0)` | `f` |" }).findings(in: sources).count
    }
    #expect(count(files: 36, targets: 36) == 0)
    #expect(count(files: 37, targets: 37) == 1)
    #expect(count(files: 10, targets: 2) == 0)
    #expect(count(files: 11, targets: 2) == 1)
  }

  @Test func `a page without the table is found`() {
    #expect(EditPathRule("# A page\n").findings(in: []).count == 1)
  }

  private static func path(_ rows: [String]) -> EditPathRule {
    let lines = ["# A page", "## The path of one edit", "| file | what happens |", "| --- | --- |"]
    return EditPathRule(
      (lines + rows + ["## Another section", "| `A/Other.swift` |"]).joined(separator: "\n"))
  }
}
