// Pairs of probable duplicates on a terminal.

import AgentAPI
import Testing

@testable import ControlCommands

@Suite("duplicates on a terminal")
struct DuplicateListTests {
  private static func contact(
    _ id: String, phones: [String] = [], emails: [String] = [], company: String = "",
    group: String = "g1"
  ) -> ContactItem.Line {
    var line = ContactItem.Line()
    (line.id, line.name, line.group) = (id, "Greta Halm", group)
    (line.phones, line.emails, line.company) = (phones, emails, company)
    return line
  }

  private static let pair = DuplicatesView.Pair(
    contacts: [
      DuplicatesView.Contact(id: "3mt7o7aaaaaaaaaa", name: "Greta Halm"),
      DuplicatesView.Contact(id: "uim3inaaaaaaaaaa", name: "Greta Halm"),
    ],
    reasons: [
      DuplicatesView.Reason(fact: "email", value: "greta.halm@orchard.example.com"),
      DuplicatesView.Reason(fact: "name", value: "Greta Halm"),
    ])

  private static func lines(_ contacts: [ContactItem.Line], limit: Int = 80) -> [String] {
    DuplicateList.lines([pair, pair], contacts: contacts, groups: [], limit: limit)
  }

  @Test(arguments: [80, 200])
  func `each contact of a pair shows what the other one lacks, and the reasons are whole`(
    limit: Int
  ) {
    let email = "greta.halm@orchard.example.com"
    let lines = Self.lines(
      [
        Self.contact("3mt7o7aaaaaaaaaa", phones: ["+46 8 010 01"], emails: [email]),
        Self.contact("uim3inaaaaaaaaaa", emails: [email], company: "Halm Orchards"),
      ], limit: limit)
    #expect(
      lines.prefix(4) == [
        "Greta Halm  +46 8 010 01   3mt7o7", "Greta Halm  Halm Orchards  uim3in",
        "  same email greta.halm@orchard.example.com, same name Greta Halm", "",
      ])
    #expect(lines.dropFirst(4).elementsEqual(lines.prefix(3)))
  }

  @Test func `long reasons are wrapped, and long values truncated`() {
    let contacts = [
      Self.contact("3mt7o7aaaaaaaaaa", emails: [String(repeating: "long", count: 20)]),
      Self.contact("uim3inaaaaaaaaaa", phones: ["1", "2", "3"]),
    ]
    let lines = Self.lines(contacts, limit: 40)
    #expect(lines.allSatisfy { TextWidth.columns(of: $0) <= 40 })
    #expect(lines[0].hasSuffix("…  3mt7o7") && lines[1].contains("  1, 2  "))
    let reasons = lines[2...].prefix { !$0.isEmpty }.map { $0.dropFirst(2) }
    #expect(
      reasons.joined(separator: " ")
        == "same email greta.halm@orchard.example.com, same name Greta Halm")
  }

  @Test func `equal contacts show their groups, and an unknown one its name`() {
    let groups = [("g1", "Family"), ("g2", "Rowing")].map { id, title in
      GroupItem(
        id: id, title: title, role: "owner", writable: true, permission: "readWrite",
        owner: "alice",
        ownerDisplayName: "alice", shared: false, contacts: 2, synced: true)
    }
    let contacts = [
      Self.contact("3mt7o7aaaaaaaaaa", phones: ["1"]),
      Self.contact("uim3inaaaaaaaaaa", phones: ["1"], group: "g2"),
    ]
    let lines = DuplicateList.lines([Self.pair], contacts: contacts, groups: groups, limit: 80)
    #expect(
      lines.prefix(2) == ["Greta Halm  in Family  3mt7o7", "Greta Halm  in Rowing  uim3in"])
    #expect(Self.lines([]).first == "Greta Halm  3mt7o7")
    #expect(DuplicateList.lines([], contacts: [], groups: [], limit: 80).isEmpty)
  }
}
