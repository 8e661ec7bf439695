// The outside of files, and samples with faults.

import Testing

@Suite("Shape of files")
struct ShapeTests {
  private let written = SourceTree.sources.filter { !$0.isGenerated }

  @Test func `long files open with a header`() {
    // A test's names are its header.
    expectNone(written.flatMap(ShapeRule.header))
  }

  @Test func `files are named after a type they declare`() {
    expectNone(written.flatMap(ShapeRule.name))
  }

  @Test func `declarations that other targets see are documented`() {
    let requirements = Set(written.flatMap(ShapeRule.requirements))
    expectNone(written.flatMap { ShapeRule.documentation(in: $0, requirements: requirements) })
  }

  @Test func `a missing and an overlong header are found`() {
    let code = String(repeating: "let a = 1\n", count: 100)
    #expect(ShapeRule.header(of: sample("Records", code)).isEmpty)
    #expect(ShapeRule.header(of: sample("Records", "/// A noun.\n" + code)).count == 1)
    #expect(ShapeRule.header(of: sample("Records", "// A noun.\n" + code)).isEmpty)
    let endless = String(repeating: "// And so on.\n", count: 21)
    #expect(ShapeRule.header(of: sample("Records", endless)).count == 1)
  }

  @Test func `a file named by a gerund is found`() {
    #expect(ShapeRule.gerund(of: sample("Records", "", name: "Parking")).count == 1)
    #expect(ShapeRule.gerund(of: sample("Records", "", name: "String+Blanks")).isEmpty)
    #expect(ShapeRule.gerund(of: sample("Records", "", name: "RejectedEdits")).isEmpty)
  }

  @Test func `a memberwise initializer needs no documentation`() {
    let plain = "  package init(\n    a: Int\n  ) {\n    self.a = a\n  }\n"
    #expect(ShapeRule.documentation(in: sample("Records", "\n" + plain)).isEmpty)
    let other = "  package init(a: Int) {\n    self.a = max(a, 1)\n  }\n"
    #expect(ShapeRule.documentation(in: sample("Records", "\n" + other)).count == 1)
  }

  @Test func `a file named after another type is found`() {
    #expect(ShapeRule.name(of: sample("Records", "struct Other {}\n")).count == 1)
    #expect(ShapeRule.name(of: sample("Records", "package struct Sample {\n")).isEmpty)
    let extended = sample("Records", "extension Sample {\n", name: "Sample+Text")
    #expect(ShapeRule.name(of: extended).isEmpty)
    let coding = sample("Records", "extension Other {\n", name: "ValueCoding")
    #expect(ShapeRule.name(of: coding).isEmpty)
    let command = sample("ControlCommands", "struct AddCommand {\n", name: "Add")
    #expect(ShapeRule.name(of: command).isEmpty)
  }

  @Test(arguments: [
    "package struct Sample {", "  public static let limit = 1", "  package init(_ text: String) {",
  ])
  func `an undocumented declaration is found`(_ line: String) {
    #expect(ShapeRule.documentation(in: sample("Records", "\n\(line)\n")).map(\.line) == [2])
    #expect(ShapeRule.documentation(in: sample("Records", "/// So.\n\(line)\n")).isEmpty)
    let attributed = "/// So.\n@discardableResult\n\(line)\n"
    #expect(ShapeRule.documentation(in: sample("Records", attributed)).isEmpty)
  }

  @Test func `a requirement of a protocol is documented there`() {
    let text = "protocol Store {\n  func page(_ n: Int) -> Page\n}\npackage func other() {}\n"
    let requirements = ShapeRule.requirements(in: sample("Records", text))
    #expect(requirements == ["page"])
    let witness = sample("Records", "\npackage func page(_ n: Int) -> Page { }\n")
    #expect(ShapeRule.documentation(in: witness, requirements: requirements).isEmpty)
  }

  @Test func `literals, comments and raw identifiers are separated from code`() {
    let text = ##"let a = "/* no \("x" + ")") "; let b = #"\"#; func `is { so`() {} // "c"##
    let file = sample("Records", text + "\n")
    #expect(
      file.code[0].filter { $0 != " " } == "leta=;letb=;func`_______`(){}")
    #expect(file.comments[0].hasSuffix("// \"c"))
    #expect(file.strings[0].contains("/* no"))
  }
}
