import Contacts
import Records
import Testing

@Suite("Merge of two contacts loses nothing")
struct ContactMergeTests {
  private func entries(_ list: [(UInt128, Fields)]) -> Value {
    .entries(
      list.enumerated().map { index, entry in
        Entry(
          id: EntryID(entry.0), position: Position(stored: String(index + 1)), fields: entry.1)
      })
  }

  private func merged(_ kept: Fields, _ given: Fields) -> (contact: Contact, moved: [String]) {
    let merge = ContactMerge(kept: kept, given: given)
    let contact = ContactRecord.contact(
      named: RecordName(stored: "a"), fields: merge.changes.applied(to: kept))
    return (contact, merge.moved.map { "\($0.property)>\($0.destination)" })
  }

  @Test func `what only the other has is taken over`() {
    let (contact, moved) = merged(
      ["firstName": .string("Ada")], ["company": .string("Engines"), "emergency": .boolean(true)])
    #expect(contact.firstName == "Ada" && contact.company == "Engines" && contact.isEmergency)
    #expect(moved.isEmpty)
  }

  @Test func `equal phones are merged into one, with the properties of both`() {
    let (contact, _) = merged(
      ["phones": entries([(1, ["label": .string("home"), "value": .string("+15550100199")])])],
      [
        "phones": entries([
          (2, ["label": .string("mobile"), "value": .string("(555) 010-0199")]),
          (3, ["value": .string("555-010-0000")]),
        ])
      ])
    #expect(contact.phones.map(\.value) == ["+15550100199", "555-010-0000"])
    #expect(contact.phones[0].label == "home")
    #expect(contact.phones[0].details.kinds == "mobile")
    #expect(contact.phones.map(\.id) == [EntryID(1), EntryID(3)])
  }

  @Test func `entries that differ in what cannot be joined both stay`() {
    let (contact, _) = merged(
      ["emails": entries([(1, ["value": .string("a@b.se"), "parameters": .string("X=1")])])],
      ["emails": entries([(2, ["value": .string("A@b.se"), "parameters": .string("X=2")])])])
    #expect(contact.emails.count == 2)
  }

  @Test func `an entry id of both is not used twice`() {
    let (contact, _) = merged(
      ["phones": entries([(1, ["value": .string("111 111 111")])])],
      ["phones": entries([(1, ["value": .string("222 222 222")])])])
    #expect(Set(contact.phones.map(\.id)).count == 2)
  }

  @Test func `a single value is the first contact's; the other is reported and moved`() {
    let (contact, moved) = merged(
      [
        "firstName": .string("Ada"), "birthday": .string("1815-12-10"), "note": .string("One"),
        "uid": .string("u1"), "photo": .bytes([1]), "photoType": .string("image/png"),
      ],
      [
        "firstName": .string("Augusta"), "birthday": .string("1816"), "note": .string("Two"),
        "uid": .string("u2"), "photo": .bytes([2]), "photoType": .string("image/jpeg"),
      ])
    #expect(contact.firstName == "Ada" && contact.birthday == "1815-12-10")
    #expect(contact.dates.map(\.value) == ["1816"] && contact.dates[0].label == "birthday")
    for text in ["One", "Two", "first name: Augusta"] { #expect(contact.note.contains(text)) }
    #expect(Set(contact.other.map(\.name)) == ["X-FORMER-UID", "PHOTO"])
    #expect(contact.other.first { $0.name == "PHOTO" }?.content == .inline([2]))
    #expect(contact.photo?.mediaType == "image/png")
    #expect(
      moved == ["birthday>dates", "firstName>note", "photo>other", "uid>other"])
  }

  @Test func `what a newer version wrote is kept beside`() {
    let (_, moved) = merged(["shoeSize": .int64(38)], ["shoeSize": .int64(39)])
    #expect(moved == ["shoeSize>shoeSizeMerged"])
    let merge = ContactMerge(kept: ["shoeSize": .int64(38)], given: ["shoeSize": .int64(39)])
    #expect(merge.changes.set == ["shoeSizeMerged": .int64(39)])
  }

  @Test func `the same contact twice changes nothing`() {
    let fields: Fields = [
      "firstName": .string("Ada"), "note": .string("n"), "departments": .list([.string("x")]),
      "phones": entries([(1, ["value": .string("5550100199")])]),
    ]
    #expect(ContactMerge(kept: fields, given: fields).changes.isEmpty)
  }
}
