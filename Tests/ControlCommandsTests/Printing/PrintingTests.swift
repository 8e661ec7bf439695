// Printed text cannot control the terminal, even if another account wrote it.

import AgentAPI
import Testing

@testable import ControlCommands

@Suite("terminal safety")
struct PrintingTests {
  @Test(
    arguments: [
      ("plain", "plain"), ("a\u{1B}[2Jb", "a[2Jb"), ("tab\there", "tab here"),
      ("line\nbreak", "line break"), ("\u{202E}evil", "evil"), ("é李", "é李"),
      ("bell\u{7}\u{9B}1m", "bell1m"),
    ])
  func `no control character survives`(raw: String, shown: String) {
    #expect(PlainText.clean(raw) == shown)
  }

  @Test func `sections begin where the letter changes`() {
    let contacts = [("1", "Amy"), ("2", "Ann"), ("3", "Bo")].map { id, name in
      var line = ContactItem.Line()
      (line.id, line.name, line.sectionKey) = (id, name, String(name.prefix(1)))
      return line
    }
    let lines = SectionedList.lines(
      contacts, by: [\.sectionKey], limit: 80, heading: { "[\($0)]" })
    #expect(
      lines == ["[A]", "  Amy  1", "  Ann  2", "", "[B]", "  Bo   3"])
  }

  @Test func `pages become one object without a cursor`() throws {
    let pages = [#"{"schema":1,"contacts":[1],"next":"x"}"#, #"{"schema":1,"contacts":[2]}"#]
    let joined = try JSONText.joined(pages.map { Array($0.utf8) }, list: "contacts")
    let text = String(decoding: joined, as: UTF8.self)
    #expect(text.contains(#""contacts":[1,2]"#))
    #expect(!text.contains("next"))
  }
}
