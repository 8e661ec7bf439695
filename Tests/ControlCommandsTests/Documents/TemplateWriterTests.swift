// Values in YAML are read as what they were, whatever YAML could take them for.

import PredicateWorld
import Testing

@testable import ControlCommands

@Suite("A4 values in YAML")
struct TemplateWriterTests {
  private static func read(_ text: String) throws -> FormValue {
    try #require(try ContactDocument(text, place: "The text").contacts.first)
  }

  /// `"#"` with a keycap is one character, which begins with YAML's sign for a comment.
  @Test(arguments: [
    "#️⃣ Team", "We are #️⃣1", "*️⃣ Stars", "a: \u{301}b", "a #\u{301}", "-\u{301}", "&\u{20E3}",
    "[\u{301}", "\"\u{301}", "'\u{301}", "~", "null", "Null", "NULL", "", " a", "a ", "a:", ": a",
    "- a", "?", "? a", "!tag", "%a", "@a", "`a", "a\tb", "a\\b", "a\"b", "#", "a#b", "a #b", "---",
    "...", "<<", "=", "0123", "1e3", "0x1F", "yes", "2026-11-21", "a\nb", "\na", "a\n", "a\n\nb",
    "  a\nb", "a\r\nb", "a\rb", "a\u{85}b", "a\u{2028}b", "a\u{FEFF}", "a\u{FFFF}", "\u{10FFFF}",
    "a\u{0}b", "{a}", "[a]", "a, b", "a: b: c", "|", ">", "|-", "李: 龙", "a\n#b", "a\n- b\n  c",
    "a\n\tb", "a \nb", "a\n ", "a\n\n", "\u{7F}", "\u{A0}a\u{A0}",
  ])
  func `a value is read as it was written`(value: String) throws {
    var writer = TemplateWriter()
    writer.line("firstName", value)
    writer.words("categories", [value, "last"])
    writer.heading("phones")
    writer.entryLine("label", .text(value), isFirst: true)
    writer.entryLine("value", .text(value), isFirst: false)
    writer.entryLine("kinds", .list([.text(value), .text("last")]), isFirst: false)
    writer.line("lastName", "end")
    let contact = try Self.read(writer.text)
    let expected: FormValue = value.isEmpty ? .null : .text(value)
    #expect(contact["firstName"] == expected, "\(writer.text)")
    #expect(contact["categories"] == .list([.text(value), .text("last")]), "\(writer.text)")
    let phone = contact["phones"]?.items.first
    #expect(phone?["label"] == expected && phone?["value"] == expected, "\(writer.text)")
    #expect(phone?["kinds"] == .list([.text(value), .text("last")]), "\(writer.text)")
    #expect(contact["lastName"] == .text("end"), "\(writer.text)")
  }

  @Test func `so is any text`() throws {
    for seed in 0..<400 {
      var random = SeededGenerator(seed: UInt64(seed))
      let value = random.hostile(upTo: 8)
      var writer = TemplateWriter()
      writer.line("note", value)
      writer.heading("phones")
      writer.entryLine("label", .text(value), isFirst: true)
      writer.line("lastName", "end")
      let contact = try Self.read(writer.text)
      let expected: FormValue = value.isEmpty ? .null : .text(value)
      // Equal characters may be different bytes, so scalars are compared.
      for read in [contact["note"], contact["phones"]?.items.first?["label"]] {
        let isSame = Array((read?.text ?? "").unicodeScalars) == Array(value.unicodeScalars)
        #expect(read == expected && isSame, "seed \(seed): \(writer.text)")
      }
      #expect(contact["lastName"] == .text("end"), "seed \(seed): \(writer.text)")
      for scalar in writer.text.unicodeScalars where scalar != "\n" {
        #expect(scalar.properties.generalCategory != .control, "seed \(seed)")
        #expect(!(0x202A...0x202E).contains(scalar.value), "seed \(seed)")
      }
    }
  }

  @Test func `a comment is one line, whatever it says`() throws {
    for seed in 0..<100 {
      var random = SeededGenerator(seed: UInt64(seed))
      var writer = TemplateWriter()
      writer.line("firstName", "A")
      writer.comment(random.hostile(upTo: 8), indent: random.percent(50) ? "  " : "")
      writer.line("lastName", "B")
      #expect(
        try Self.read(writer.text)
          == .object(["firstName": .text("A"), "lastName": .text("B")]),
        "seed \(seed): \(writer.text)")
    }
  }
}
