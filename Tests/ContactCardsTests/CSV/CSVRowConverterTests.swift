// Columns that mean the same: each value has a place of its own.

import Contacts
import Testing

@testable import ContactCards

@Suite("A2, F2 a row as a contact")
struct CSVRowConverterTests {
  private func read(_ header: String, _ row: String) throws -> ImportedContact {
    var file = ContactFile(format: .csv)
    return try #require((file.feed("\(header)\n\(row)\n".utf8) + file.finish()).first)
  }

  private func others(_ contact: ImportedContact) -> [String] {
    contact.draft[.other].map { "\($0[.name])=\($0[.value])" }
  }

  @Test func `two columns of one name are two entries`() throws {
    let contact = try read("Name,E-mail,E-mail,Phone,phone", "Du Pe,a@x.org,b@x.org,1,2")
    #expect(contact.draft[.emails].map { $0[.value] } == ["a@x.org", "b@x.org"])
    #expect(contact.draft[.phones].map { $0[.value] } == ["1", "2"])
    #expect(contact.findings.isEmpty)
  }

  @Test func `repeated columns of an entry belong together in their order`() throws {
    let names = "E-mail 1 - Label,E-mail 1 - Value"
    let contact = try read("First Name,\(names),\(names)", "Ada,home,a@x.org,work,b@x.org")
    #expect(contact.draft[.emails].map { $0[.label] } == ["home", "work"])
    #expect(contact.draft[.emails].map { $0[.value] } == ["a@x.org", "b@x.org"])
  }

  @Test(
    arguments: [
      ("First Name,Notes,Note", "Ada,one,two", "X-NOTE=two"),
      ("First Name,Given Name", "Ada,Eve", "X-GIVEN-NAME=Eve"),
      ("First Name,Group,Group", "Ada,Choir,Club", "X-GROUP=Club"),
      (
        "First Name,Business Country,Business Country/Region", "Ada,Sweden,Norway",
        "X-BUSINESS-COUNTRY-REGION=Norway"
      ),
      ("First Name,Emergency", "Ada,perhaps", "X-EMERGENCY=perhaps"),
    ])
  func `a second value of a field is kept under its column's name, and reported`(
    header: String, row: String, kept: String
  ) throws {
    let contact = try read(header, row)
    #expect(others(contact) == [kept])
    #expect(contact.findings.map(\.outcome) == [.kept])
    #expect(contact.draft[.firstName] == "Ada")
  }

  @Test(arguments: [
    "Language", "ABLabel", "Emergency contact", "Phonetic/First Name", "Kind", "Anniversary!",
  ])
  func `a column is not kept under a name that means something in a card`(_ name: String) throws {
    let contact = try read("First Name,\(name)", "Ada,TRUE")
    let kept = try #require(contact.draft[.other].first)
    #expect(kept[.name] == "X-COLUMN")
    #expect(kept[.parameters] == "X-NAME=\(name)")
    #expect(kept[.value] == "TRUE")
  }

  @Test func `a column with the name of a card's property is that`() throws {
    let contact = try read(
      "First Name,Skype,Telegram,Assistant,Gender", "Ada,ada.l,@ada,Bo Bee,Female")
    #expect(contact.draft[.instantMessages].map { $0[.value] } == ["ada.l", "@ada"])
    #expect(contact.draft[.instantMessages].map { $0[.label] } == ["skype", "telegram"])
    #expect(contact.draft[.related].map { $0[.label] } == ["assistant"])
    #expect(others(contact) == ["GENDER=Female"])
  }

  @Test func `a second value that is the same, and further words of a list, need no place`() throws
  {
    let contact = try read(
      "First Name,Note,Notes,Categories,Labels,Department,Organization Department",
      "Ada,x,x,choir;club,club,Sales,Support")
    #expect(contact.draft[.note] == "x")
    #expect(contact.draft.categories == ["choir", "club"])
    #expect(contact.draft.departments == ["Sales", "Support"])
    #expect(contact.findings.isEmpty && others(contact).isEmpty)
  }

  @Test func `the second and the third line of an Outlook street are one field`() throws {
    let contact = try read(
      "First Name,Home Street,Home Street 2,Home Street 3", "Ada,Main 1,Back,Yard")
    #expect(contact.draft[.addresses].map { $0[.street2] } == ["Back\nYard"])
  }

  @Test func `a whole address is used where its parts are not there`() throws {
    let names = "First Name,Address 1 - Formatted,Address 1 - Street"
    let whole = try read(names, "Ada,\"Main 1, Umeå\",")
    #expect(whole.draft[.addresses].map { $0[.street1] } == ["Main 1, Umeå"])
    let parts = try read(names, "Ada,\"Main 1, Umeå\",Main 1")
    #expect(parts.draft[.addresses].map { $0[.street1] } == ["Main 1"])
  }
}
