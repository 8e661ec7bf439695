// The flags of `edit` for entries as changes of a contact.

import ArgumentParser
import Testing

@testable import ControlCommands

@Suite("C4 flags for entries")
struct EntryFlagsTests {
  private static let contact = FormValue.object([
    "phones": .list([.object(["id": .text("aa11"), "value": .text("1")])]),
    "urls": .list([
      .object(["id": .text("bb22"), "value": .text("a.example")]),
      .object(["id": .text("bc33"), "value": .text("b.example")]),
    ]),
    "categories": .list([.text("choir"), .text("friends")]),
  ])

  private static func changes(
    _ line: [String], to changes: [String: FormValue] = [:]
  ) throws -> [String: FormValue] {
    let flags = try EntryFlags.parse(line)
    #expect(flags.isEmpty == line.isEmpty)
    var changes = changes
    try flags.add(to: &changes, of: contact)
    return changes
  }

  @Test func `entries are changed, labeled and removed by the beginnings of their ids`() throws {
    let changes = try Self.changes([
      "--set-phone", "AA=home:555", "--set-url", "bb=blog=https://ada.example/?a=b", "--rm-url",
      "bc", "--label", "aa1=boat",
    ])
    #expect(
      changes == [
        "phones": .list([
          .object(["id": .text("aa11"), "label": .text("home"), "value": .text("555")]),
          .object(["id": .text("aa11"), "label": .text("boat")]),
        ]),
        "urls": .list([
          .object([
            "id": .text("bb22"), "label": .text("blog"),
            "value": .text("https://ada.example/?a=b"),
          ]),
          .object(["id": .text("bc33"), "removed": .flag(true)]),
        ]),
      ])
  }

  @Test func `a new category is added to those of the contact, and a removed one is taken out`()
    throws
  {
    let added: [String: FormValue] = ["categories": .list([.text("rowing"), .text("choir")])]
    #expect(
      try Self.changes([], to: added)["categories"]
        == .list([.text("choir"), .text("friends"), .text("rowing")]))
    #expect(
      try Self.changes(["--rm-category", "choir"])["categories"] == .list([.text("friends")]))
  }

  @Test(arguments: [
    (["--rm-category", "none"], "The contact has no category “none”; nothing was changed."),
    (["--rm-url", "aa"], "The contact has no entry “aa” (web address)."),
    (["--rm-url", "b"], "“b” matches 2 entries."),
  ])
  func `what the contact does not have is named`(line: [String], message: String) {
    let error = #expect(throws: ControlFailure.self) { try Self.changes(line) }
    #expect(error?.message == message)
  }

  @Test func `without flags nothing is changed`() throws {
    #expect(try Self.changes([]).isEmpty)
  }
}
