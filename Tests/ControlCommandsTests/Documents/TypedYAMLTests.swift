// What a user types is what a parser of YAML returns.

import PredicateWorld
import Testing
import Yams

@testable import ControlCommands

@Suite("A2 YAML as people type it")
struct TypedYAMLTests {
  /// Returns the text of the value under `note`.
  private func note(_ text: String) throws -> String? {
    let typed = TypedYAML(text)
    return try Yams.compose(yaml: typed.text)?["note"]?.scalar.map { typed.restored($0.string) }
  }

  @Test(
    arguments: [
      "Ring twice #2", "#1 fan", "#", "a #b #c", "a#b #c", "#️⃣ sign", "&Co Sons", "!important",
      "! wow",
      "R&D #4", "x &y !z", "http://x.example/#top #2", "a\t#b",
    ])
  func `a value keeps the signs that YAML would drop`(value: String) throws {
    #expect(try note("note: \(value)\n") == value)
    #expect(try note("first: A\nnote:   \(value)\nlast: B\n") == value)
    #expect(try note("note: \(value)\r\nlast: B\r\n") == value)
  }

  @Test(arguments: [#""a #b""#, "'a #b'", "|-\n  a #b", ">-\n  a\n  #b", "a\n  #b"])
  func `quotes, blocks and further lines keep their meaning`(value: String) throws {
    // A line that begins with the sign is a comment, except in a block.
    #expect(try note("note: \(value)\n") == (value == "a\n  #b" ? "a" : "a #b"))
  }

  @Test func `lines that begin with the sign, and those of headings, are comments`() throws {
    let text = """
      # first
      phones: # those that answer
        # not this one
        - label: home # 1
          value: 1
        - # the boat's
          value: 2
      emails: # none
      note: x
      """
    let typed = TypedYAML(text)
    let root = try #require(try Yams.compose(yaml: typed.text))
    #expect(root["phones"]?.sequence?.count == 2)
    #expect(
      root["phones"]?[0]?["label"]?.scalar.map { typed.restored($0.string) } == "home # 1")
    #expect(root["phones"]?[1]?["value"]?.scalar?.string == "2")
    #expect(root["emails"]?.scalar.map { typed.restored($0.string) } == "# none")
  }

  @Test func `what follows a quoted value is an error of its line`() {
    #expect(throws: YamlError.self) { try note("note: \"Chief\" #9\n") }
  }

  @Test func `characters for private use are those that the user typed`() throws {
    #expect(try note("note: \u{E000}\u{E001} #1\n") == "\u{E000}\u{E001} #1")
    #expect(try note(#"note: "\U0000E000\uE001 #1""#) == "\u{E000}\u{E001} #1")
  }

  @Test func `a random value comes back from a plain line as it was`() throws {
    let signs = ["#", " #", "&", "!", "a", " b", "#c", "é", "1", "-", "\u{301}"]
    for seed in 0..<2000 {
      var random = SeededGenerator(seed: UInt64(seed))
      let value = "x" + (0..<random.below(8)).map { _ in random.one(of: signs) }.joined() + "y"
      #expect(try note("note: \(value)\n") == value, "seed \(seed)")
    }
  }
}
