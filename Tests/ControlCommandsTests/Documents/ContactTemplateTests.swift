// A contact as a text, and back.

import AgentAPI
import Testing

@testable import ControlCommands

@Suite("A4 editing as a text")
struct ContactTemplateTests {
  static let contact = FormValue.object([
    "schema": .number(1), "id": .text("c1"), "firstName": .text("Ada: #1"),
    "lastName": .text("null"), "company": .text(""), "group": .text("g"),
    "emergency": .flag(true), "note": .text("first line\n\n  third: “x”"),
    "birthday": .null, "title": .text("\u{202E}odd\ttab\n"),
    "categories": .list([.text("a, b"), .text("- c")]),
    "phones": .list([
      .object(["id": .text("p1"), "label": .text("home"), "value": .text("+1 555")]),
      .object([
        "id": .text("p2"), "label": .text(""), "value": .text("@x"), "preference": .number(1),
        "kinds": .list([.text("voice"), .text("fax")]),
      ]),
    ]),
    "emails": .list([]), "addresses": .list([]),
    "other": .list([.object(["id": .text("o"), "name": .text("X-SHOE")])]),
  ])

  func read(_ text: String) throws -> ContactDocument {
    try ContactDocument(text, place: "The text")
  }

  @Test func `a text that was not touched changes nothing`() throws {
    let text = ContactTemplate(contact: Self.contact).text
    let document = try read(text)
    let difference = ContactDifference(from: Self.contact, to: document.contacts[0])
    #expect(difference.changes.isEmpty, "\(difference.changes)\n\(text)")
  }

  @Test func `an empty contact's text has the usual fields to fill in`() throws {
    let text = ContactTemplate(contact: .object([:])).text
    for name in [
      "namePrefix:", "firstName:", "middleName:", "lastName:", "nameSuffix:", "nickname:", "title:",
      "phones:", "street1:", "zipcode:", "urls:", "emergency: no", "categories:", "note:",
    ] {
      #expect(text.contains(name), "\(name)")
    }
    #expect(
      ContactDifference(from: .object([:]), to: try read(text).contacts[0]).changes.isEmpty)
  }

  @Test
  func `every field of the text can be filled in, notes in several lines and categories in one`()
    throws
  {
    let text = ContactTemplate(contact: .object([:])).text
      .replacing("nickname:\n", with: "nickname: Countess\n")
      .replacing("urls:\n", with: "urls: https://ada.example\n")
      .replacing("categories:\n", with: "categories: friends, choir\n")
      .replacing("note:\n", with: "note: |\n  one\n\n  two\n")
    let changes = ContactDifference(from: .object([:]), to: try read(text).contacts[0]).changes
    #expect(
      changes == [
        "nickname": .text("Countess"),
        "urls": .list([.object(["value": .text("https://ada.example")])]),
        "categories": .list([.text("friends"), .text("choir")]),
        "note": .text("one\n\ntwo\n"),
      ])
  }

  @Test func `only what was changed is sent`() throws {
    let text = ContactTemplate(contact: Self.contact).text
      .replacing("value: +1 555", with: "value: +1 556")
      .replacing("emergency: yes", with: "emergency: no")
      .replacing("emails:\n", with: "emails: [ada@example.com]\n")
    let difference = ContactDifference(from: Self.contact, to: try read(text).contacts[0])
    #expect(
      difference.changes == [
        "phones": .list([.object(["id": .text("p1"), "value": .text("+1 556")])]),
        "emergency": .flag(false),
        "emails": .list([.object(["value": .text("ada@example.com")])]),
      ])
    #expect(difference.places.isSuperset(of: ["phones/p1", "emergency"]))
  }

  @Test func `a line or an entry taken out is emptied or removed`() throws {
    let lines = ContactTemplate(contact: Self.contact).text
      .split(separator: "\n", omittingEmptySubsequences: false)
    let start = try #require(lines.firstIndex { $0.hasPrefix("  - label: home") })
    let without = lines[..<start] + lines[(start + 3)...]
    let text = without.filter { !$0.hasPrefix("firstName") }.joined(separator: "\n")
    let changes = ContactDifference(from: Self.contact, to: try read(text).contacts[0]).changes
    #expect(changes["firstName"] == .null)
    #expect(
      changes["phones"] == .list([.object(["id": .text("p1"), "removed": .flag(true)])]))
    #expect(changes.count == 2)
  }

  @Test func `what is wrong stands above its line, once, and goes in the next round`() throws {
    let text = "firstName: A\nphones:\n  - label: home\n    value: x\n  - value: y\n    id: p2\n"
    let problems = [
      ProblemView(field: "firstName", value: "A", message: "Too short."),
      ProblemView(field: "phones/new", value: "x", message: "No digit."),
      ProblemView(field: "phones/p2", value: "y", message: "No digit either."),
      ProblemView(field: "contact", value: "", message: "Empty."),
    ]
    let told = AnnotatedText.text(text, problems: problems, document: try read(text))
    #expect(
      told == """
        # ⚠ Empty.
        # ⚠ Too short.
        firstName: A
        phones:
          - label: home
            # ⚠ No digit.
            value: x
          # ⚠ No digit either.
          - value: y
            id: p2

        """)
    #expect(AnnotatedText.text(told, problems: [], document: try read(told)) == text)
  }

  @Test func `what two changed at the same place is known`() {
    let mine = ContactDifference(
      from: Self.contact, to: Self.changing("company", to: .text("Mine")))
    let theirs = ContactDifference(
      from: Self.contact, to: Self.changing("company", to: .text("Theirs")))
    let elsewhere = ContactDifference(
      from: Self.contact, to: Self.changing("title", to: .text("Other")))
    #expect(mine.places.intersection(theirs.places) == ["company"])
    #expect(mine.places.intersection(elsewhere.places).isEmpty)
  }

  static func changing(_ name: String, to value: FormValue) -> FormValue {
    guard case .object(var properties) = contact else { return contact }
    properties[name] = value
    return .object(properties)
  }
}
