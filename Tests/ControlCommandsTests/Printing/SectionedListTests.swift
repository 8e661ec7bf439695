// Lists of contacts on a terminal of 80 columns.

import AgentAPI
import PredicateWorld
import Testing

@testable import ControlCommands

@Suite("C1, C3 the list of contacts on a terminal")
struct SectionedListTests {
  private static func contact(_ random: inout SeededGenerator) -> ContactItem.Line {
    var contact = ContactItem.Line()
    let letters = "abcdefghijklmnopqrstuvwxyz234567".map(String.init)
    contact.id = (0..<16).map { _ in random.one(of: letters) }.joined()
    contact.name = random.words(upTo: 30)
    contact.sectionKey = random.one(of: ["A", "李", "#"])
    contact.group = random.one(of: ["Family", "A group with a long title", random.words(upTo: 60)])
    if random.percent(80) {
      let digits = (0..<1 + random.below(20)).map { _ in random.one(of: ["0", "5", " ", "9"]) }
      contact.phones = ["+1" + digits.joined() + "7"]
    }
    if random.percent(60) { contact.emails = [random.words(upTo: 30) + "@example.com"] }
    return contact
  }

  @Test func `no line is wider than 80 columns, and phones and short ids are whole`() throws {
    var truncated = 0
    for seed in 0..<200 {
      var random = SeededGenerator(seed: UInt64(seed))
      let contacts = (0...random.below(8)).map { _ in Self.contact(&random) }
      let sections: [[SectionedList.Section]] = [
        [], [\.sectionKey], [\.group, \.sectionKey],
      ]
      let by = random.one(of: sections)
      let lines = SectionedList.lines(contacts, by: by, limit: 80, heading: { $0 })
      for line in lines {
        #expect(TextWidth.columns(of: line) <= 80, "seed \(seed): \(line)")
        if line.contains("…") { truncated += 1 }
      }
      let short = ShortIDs(contacts.map(\.id))
      for contact in contacts {
        let id = short[contact.id]
        let line = try #require(lines.first { $0.hasSuffix(id) }, "seed \(seed): \(id)")
        #expect(contact.phones.allSatisfy { line.contains($0) }, "seed \(seed): \(line)")
      }
    }
    #expect(truncated > 100)
  }

  @Test func `the name comes first, then phone, e-mail and the short id`() {
    var contact = ContactItem.Line()
    (contact.id, contact.name) = ("abcdefghijklmnop", "Amy Bell")
    (contact.phones, contact.emails) = (["+1 555 010 0100"], ["amy@example.com"])
    #expect(
      SectionedList.lines([contact], by: [], limit: 80, heading: { $0 })
        == ["Amy Bell  +1 555 010 0100  amy@example.com  abcdef"])
    #expect(
      SectionedList.lines([contact], by: [], limit: 40, heading: { $0 })
        == ["Amy Bell  +1 555 010 0100  abcdef"])
    #expect(
      SectionedList.lines([contact], by: [], limit: 33, heading: { $0 })
        == ["Amy Bell  +1 555 010 0100  abcdef"])
  }

  @Test func `a contact without a phone shows its e-mail address if these have no column`() {
    var long = ContactItem.Line()
    (long.id, long.name) = ("abcdefghijklmnop", "Wilhelmina Featherstonehaugh-Cholmondeley")
    (long.phones, long.emails) = (["+1 555 010 0100"], ["wilhelmina@featherstone.example.com"])
    var short = ContactItem.Line()
    (short.id, short.name, short.emails) = ("qrstuvwxyz234567", "Bo", ["bo@orchard.example.com"])
    let contacts = [long, short]
    let lines = SectionedList.lines(contacts, by: [], limit: 80, heading: { $0 })
    #expect(
      lines == [
        "Wilhelmina Featherstonehaugh-Cholmondeley  +1 555 010 0100         abcdef",
        "Bo                                         bo@orchard.example.com  qrstuv",
      ])
    let wide = SectionedList.lines(contacts, by: [], limit: 200, heading: { $0 })
    #expect(wide[0].contains("+1 555 010 0100  wilhelmina@"))
    #expect(wide[1].hasSuffix("bo@orchard.example.com               qrstuv"))
    let narrow = SectionedList.lines(contacts, by: [], limit: 40, heading: { $0 })
    #expect(
      narrow == [
        "Wilhelmina Fea…  +1 555 010 0100  abcdef", "Bo               bo@orchard.exa…  qrstuv",
      ])
  }

  @Test func `a name is truncated before a phone number`() {
    var contact = ContactItem.Line()
    (contact.id, contact.name) = ("abcdefghijklmnop", "Wilhelmina Featherstonehaugh")
    contact.phones = ["+1 555 010 0100"]
    #expect(
      SectionedList.lines([contact], by: [], limit: 40, heading: { $0 })
        == ["Wilhelmina Fea…  +1 555 010 0100  abcdef"])
  }
}
