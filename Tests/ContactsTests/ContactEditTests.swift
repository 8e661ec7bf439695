// Edits name only what differs, and never touch what they do not know.

import Records
import Testing

@testable import Contacts

@Suite("C12, A2 contact edit")
struct ContactEditTests {
  var generator = SystemRandomNumberGenerator()

  func contact(_ fields: Fields) -> Contact {
    ContactRecord.contact(named: RecordName(stored: "c"), fields: fields)
  }

  @Test mutating func `a new contact holds what was given, in order`() throws {
    let edit = ContactEdit(
      firstName: " Amy ", lastName: "Bell", company: "",
      phones: [.add(label: "home", value: "1"), .add(label: "", value: "2")],
      emails: [.add(label: "work", value: "a@example.com")])
    let fields = try edit.changes(to: Fields(), using: &generator).applied(to: Fields())
    let made = contact(fields)
    #expect(made.firstName == "Amy")
    #expect(made.company == "")
    #expect(fields["company"] == nil)
    #expect(made.phones.map(\.value) == ["1", "2"])
    #expect(made.phones.map(\.label) == ["home", ""])
    #expect(made.emails.map(\.value) == ["a@example.com"])
  }

  @Test mutating func `an edit that sets what is there changes nothing`() throws {
    let fields: Fields = ["firstName": .string("Amy")]
    let edit = ContactEdit(firstName: "Amy")
    #expect(try edit.changes(to: fields, using: &generator).isEmpty)
  }

  @Test mutating func `unknown fields and entry properties survive every edit`() throws {
    let id = EntryID(7)
    let entry = Entry(
      id: id, position: .between(nil, nil),
      fields: ["label": .string("home"), "value": .string("1"), "extension": .int64(3)])
    let fields: Fields = [
      "firstName": .string("Amy"), "shoeSize": .double(38.5), "phones": .entries([entry]),
    ]
    let edit = ContactEdit(
      firstName: "Ann",
      phones: [.change(id, label: "work", value: nil), .add(label: "", value: "2")])
    let changes = try edit.changes(to: fields, using: &generator)
    #expect(changes.set["shoeSize"] == nil)
    #expect(changes.removed.isEmpty)
    let result = changes.applied(to: fields)
    #expect(result["shoeSize"] == .double(38.5))
    guard case .entries(let entries) = result["phones"] else {
      Issue.record("The phones are gone.")
      return
    }
    #expect(entries[0].fields["extension"] == .int64(3))
    #expect(entries[0].fields["label"] == .string("work"))
    #expect(entries[0].fields["value"] == .string("1"))
  }

  @Test mutating func `the last entry's removal removes the field`() throws {
    let entry = Entry(
      id: EntryID(7), position: .between(nil, nil), fields: ["value": .string("1")])
    let edit = ContactEdit(phones: [.remove(EntryID(7))])
    let changes = try edit.changes(to: ["phones": .entries([entry])], using: &generator)
    #expect(changes.removed.map(\.text) == ["phones"])
  }

  @Test func `an entry that is not there is an unknown item`() {
    let edit = ContactEdit(emails: [.change(EntryID(9), label: nil, value: "x@y")])
    var generator = SystemRandomNumberGenerator()
    let error = #expect(throws: RecordsError.self) {
      try edit.changes(to: Fields(), using: &generator)
    }
    #expect(error?.code == .unknownItem)
    #expect(error?.field == "emails")
  }

  @Test mutating func `replacing keeps entries by id, drops unnamed ones, adds new ones`() throws {
    let start = try ContactEdit(
      firstName: "Amy",
      phones: [.add(label: "a", value: "1"), .add(label: "b", value: "2")]
    ).changes(to: Fields(), using: &generator).applied(to: Fields())
    let before = contact(start)
    let draft = ContactDraft(
      firstName: "Amy",
      phones: [
        .init(id: before.phones[1].id, label: "b", value: "22"), .init(label: "c", value: "3"),
      ])
    let edit = ContactEdit.replacing(before, with: draft)
    let after = contact(try edit.changes(to: start, using: &generator).applied(to: start))
    #expect(after.phones.map(\.value) == ["22", "3"])
    #expect(after.phones[0].id == before.phones[1].id)
  }

  @Test func `a field of an unexpected kind reads as absent`() {
    let odd = contact(["firstName": .int64(3), "phones": .string("1"), "lastName": .string("B")])
    #expect(odd == Contact(id: RecordName(stored: "c"), lastName: "B"))
  }
}
