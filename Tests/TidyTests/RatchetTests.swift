// Faults whose number may only fall, and samples of each.

import Testing

@Suite("Faults whose number may only fall")
struct RatchetTests {
  private let written = SourceTree.sources.filter { !$0.isGenerated }
  private let ratchet = Ratchet(SourceTree.text(at: Ratchet.path))

  @Test func `words that have a plainer one only decrease`() {
    let rule = PlainWordRule(SourceTree.text(at: PlainWordRule.path))
    let texts = SourceTree.texts.filter {
      $0.key != PlainWordRule.path && !$0.key.hasSuffix(".pb.swift")
    }
    let found = texts.sorted { $0.key < $1.key }.flatMap { rule.findings(in: $1, at: $0) }
    expectNone(
      ratchet.differences("plain-words", found: Dictionary(grouping: found, by: Self.area)))
  }

  @Test func `files named by gerunds only decrease`() {
    expectNone(ratchet.differences("gerund-files", found: byArea(ShapeRule.gerund)))
  }

  @Test func `types with many properties only decrease`() {
    expectNone(ratchet.differences("wide-types", found: byArea(SizeRule.wideTypes)))
  }

  @Test func `functions with many parameters only decrease`() {
    expectNone(ratchet.differences("wide-functions", found: byArea(SizeRule.wideFunctions)))
  }

  @Test func `type names that two targets use only decrease`() {
    let found = SizeRule.sharedNames(in: written)
    expectNone(ratchet.differences("shared-names", found: ["Sources": found]))
  }

  @Test func `one fault more and one fault fewer than recorded are found`() {
    let ratchet = Ratchet("# A comment.\nkind Sources/A 2\n")
    let fault = Finding(path: "Sources/A/A.swift", line: 1, sentence: "A fault.")
    let two = ["Sources/A": [fault, fault]]
    #expect(ratchet.differences("kind", found: two).isEmpty)
    #expect(ratchet.differences("kind", found: ["Sources/A": [fault, fault, fault]]).count == 1)
    #expect(ratchet.differences("kind", found: [:]).map(\.path) == [Ratchet.path])
    #expect(ratchet.differences("other", found: two).count == 1)
  }

  @Test func `words are found in names, and phrases across lines`() {
    let rule = PlainWordRule("gadgets\nvery blue\n")
    let text =
      "func runGadgets() {}  // one of very\n// blue gadgets\nlet veryBlue = 1\nvery, blue\n"
    #expect(rule.findings(in: text, at: "A.swift").map(\.line) == [1, 1, 2, 3])
  }

  @Test func `a type with 13 stored properties is found, unless it has no functions`() {
    let properties = (1...12).map { "  var p\($0) = 0\n" }.joined()
    let computed =
      "  var sum: Int { p1 }\n  static let zero = 0\n  func f() {\n    let a = 1\n  }\n"
    func found(_ members: String) -> Int {
      SizeRule.wideTypes(in: sample("Records", "struct A {\n\(members)}\n")).count
    }
    #expect(found(properties + computed) == 0)
    #expect(found(properties + "  let a: Int\n" + computed) == 1)
    #expect(found(properties + "  let a, b: Int\n") == 0)
  }

  @Test func `a function with seven parameters is found`() {
    let six =
      "func f(\n  a: Int, b: [String: Int], c: (x: Int, y: Int), d: Int,\n  e: Int, _ f: Int"
    #expect(SizeRule.wideFunctions(in: sample("Records", six + "\n) {\n}\n")).isEmpty)
    #expect(SizeRule.wideFunctions(in: sample("Records", six + ", g: Int\n) {\n}\n")).count == 1)
  }

  @Test func `a type name of two targets is found, except CloudKit's in the client`() {
    let one = SourceFile(path: "Sources/A/T.swift", text: "package struct T {\n}\n")
    let other = SourceFile(path: "Sources/B/T.swift", text: "struct T {\n}\n")
    let client = SourceFile(path: "Sources/BrokerClient/T.swift", text: "public struct T {\n}\n")
    #expect(SizeRule.sharedNames(in: [one, other]).count == 1)
    #expect(SizeRule.sharedNames(in: [one, client]).isEmpty)
  }

  private func byArea(_ rule: (SourceFile) -> [Finding]) -> [String: [Finding]] {
    Dictionary(grouping: written.flatMap(rule), by: Self.area)
  }

  /// Returns `Sources/Records` for a file of that target, and the top folder or the file itself for others.
  private static func area(_ finding: Finding) -> String {
    let parts = finding.path.split(separator: "/")
    return parts.first == "Sources" ? parts.prefix(2).joined(separator: "/") : String(parts[0])
  }
}
