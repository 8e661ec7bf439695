// Limits of the lengths of files and functions, and samples that exceed them.

import Testing

@Suite("Lengths")
struct LengthTests {
  private let written = SourceTree.sources.filter { !$0.isGenerated }

  @Test func `no file is longer than 600 lines`() {
    expectNone(LengthRule.longFiles(in: written + SourceTree.tests))
  }

  @Test func `nine of ten files keep to 300 lines, half of them to 150`() {
    #expect(LengthRule.distribution(of: written) == [])
  }

  @Test func `no function is longer than 70 lines`() {
    expectNone(LengthRule.longFunctions(in: written + SourceTree.tests))
  }

  @Test func `a file of 601 lines is found`() {
    #expect(LengthRule.longFiles(in: [file(lines: 600)]).isEmpty)
    #expect(LengthRule.longFiles(in: [file(lines: 601)]).count == 1)
  }

  @Test func `many files of medium length are found`() {
    let short = [SourceFile](repeating: file(lines: 10), count: 8)
    #expect(LengthRule.distribution(of: short + [file(lines: 500)]).isEmpty)
    #expect(LengthRule.distribution(of: short + [file(lines: 500), file(lines: 500)]).count == 1)
    #expect(LengthRule.distribution(of: [file(lines: 151), file(lines: 160)]).count == 1)
  }

  @Test func `a function of 71 lines is found by its name`() throws {
    let text = function(lines: 70, named: "fits") + function(lines: 71, named: "grows")
    let found = LengthRule.longFunctions(in: [sample("Records", text)], ratchet: [:])
    #expect(found.map(\.line) == [71])
    #expect(try #require(found.first).sentence.contains("grows"))
  }

  @Test func `a function on the ratchet may shrink but not grow`() {
    let key = "Sources/Records/Sample.swift:grows"
    let files = [sample("Records", function(lines: 80, named: "grows"))]
    #expect(LengthRule.longFunctions(in: files, ratchet: [key: 80]).isEmpty)
    #expect(LengthRule.longFunctions(in: files, ratchet: [key: 79]).count == 1)
    #expect(LengthRule.longFunctions(in: files, ratchet: [key: 81]).count == 1)
    #expect(LengthRule.longFunctions(in: [], ratchet: [key: 80]).count == 1)
  }

  @Test func `braces in literals and requirements without a body do not count`() {
    let text = """
      protocol Store {
        func open()
        func close(_ all: Bool)
          throws
      }
      func say() {
        print("}{{{")  // {{
      }
      func wait(
        for moments: Int
      ) async
        -> Int
      {
        moments
      }
      """
    let spans = FunctionSpan.all(in: sample("Records", text))
    #expect(spans.map(\.name) == ["say", "wait"])
    #expect(spans.map(\.lineCount) == [3, 7])
  }

  private func file(lines: Int) -> SourceFile {
    sample("Records", String(repeating: "// A line.\n", count: lines))
  }

  private func function(lines: Int, named name: String) -> String {
    "func \(name)() {\n" + String(repeating: "  work()\n", count: lines - 2) + "}\n"
  }
}
