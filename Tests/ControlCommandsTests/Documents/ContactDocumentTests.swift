// Contacts as people write them down.

import Testing

@testable import ControlCommands

@Suite("A2 contacts in YAML and JSON")
struct ContactDocumentTests {
  func read(_ text: String) throws -> [FormValue] {
    try ContactDocument(text, place: "FILE").contacts
  }

  func entry(_ properties: [String: String]) -> FormValue {
    .object(properties.mapValues { .text($0) })
  }

  @Test func `plain words are texts, whatever YAML takes them for`() throws {
    let contact = try #require(
      try read(
        """
        firstName: No
        company: 3.10
        emergency: yes
        phones:
          - label: home
            value: 0123
          - 555 0100
        addresses:
          - {label: home, zipcode: 00501, city: Holtsville}
        note: |
          one
          two
        nickname: ~
        """
      ).first)
    #expect(contact["firstName"] == .text("No"))
    #expect(contact["company"] == .text("3.10"))
    #expect(contact["emergency"] == .flag(true))
    #expect(
      contact["phones"]
        == .list([entry(["label": "home", "value": "0123"]), entry(["value": "555 0100"])]))
    #expect(contact["addresses"]?.items.first?["zipcode"] == .text("00501"))
    #expect(contact["note"] == .text("one\ntwo\n"))
    #expect(contact["nickname"] == .null)
  }

  @Test func `JSON is read as it is printed, and several contacts as several`() throws {
    let one = try read(#"{"firstName":"A","emergency":false,"phones":[{"value":"\ud83d\ude00"}]}"#)
    #expect(one.first?["emergency"] == .flag(false))
    #expect(one.first?["phones"] == .list([entry(["value": "😀"])]))
    #expect(try read(#"[{"firstName":"A"},{"firstName":"B"}]"#).count == 2)
    #expect(try read(#"{"schema":1,"contacts":[{"firstName":"A"}]}"#).count == 1)
    #expect(
      try read("- first: A\n- first: B\n").map { $0["firstName"] } == [.text("A"), .text("B")])
  }

  @Test func `each value's line is known`() throws {
    let lines = try ContactDocument(
      "firstName: A\n# told\nphones:\n  - label: home\n    value: 1\n", place: "FILE"
    ).lines
    #expect(lines["firstName"] == 1)
    #expect(lines["phones/0"] == 4)
    #expect(lines["phones/0/value"] == 5)
  }

  @Test func `a “#” within a line belongs to the value`() throws {
    let contact = try #require(
      try read(
        "nickname: #1 Fan\naddresses:\n  - street1: Main 1 #2\n  # - city: Umeå\nnote: \"a\"\n"
      ).first)
    #expect(contact["nickname"] == .text("#1 Fan"))
    #expect(contact["addresses"]?.items == [entry(["street1": "Main 1 #2"])])
  }

  @Test(arguments: ["first: A\nfirstName: B\n", "email: a@b\nemails: [c@d]\n"])
  func `a field under two names is refused`(text: String) {
    let error = #expect(throws: ControlFailure.self) { try read(text) }
    #expect(error?.message.contains("the same field") == true)
  }

  @Test(
    arguments: [
      ("firstName: [A", "line"), ("firstName: A\nfirstName: B", "twice"), ("just words", "lines"),
      ("{\"firstName\": }", "JSON"), ("", "empty"), ("# nothing\n", "empty"),
    ])
  func `an error names the line that cannot be read`(text: String, told: String) {
    let error = #expect(throws: ControlFailure.self) { try read(text) }
    #expect(error?.exitCode == .content)
    #expect(error?.message.contains(told) == true, "\(error?.message ?? "")")
    #expect(error?.message.contains("FILE") == true)
  }

  @Test func `a few lines that mean billions of values are refused`() {
    var text = "a: &a [x,x,x,x,x,x,x,x,x,x]\n"
    for (name, last) in zip("bcdefghij", "abcdefghi") {
      text += "\(name): &\(name) [\((0..<10).map { _ in "*\(last)" }.joined(separator: ","))]\n"
    }
    #expect(throws: ControlFailure.self) { try read(text) }
  }
}
