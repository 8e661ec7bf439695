// Cards of clients that do not ask whether the card has changed.

import ContactCards
import Contacts
import Records
import Testing

@testable import CardDAV

@Suite("D3 merging cards")
struct CardMergeTests {
  private func lena() throws -> ServedContact {
    var served = ServedContact()
    var edit = ContactEdit(firstName: "Lena", lastName: "Winter", company: "Clocks")
    edit[.phones] = [.add(label: "home", value: "1"), .add(label: "work", value: "2")]
    edit[.note] = "A note."
    edit.categories = ["choir"]
    try served.edit(edit)
    return served
  }

  @Test func `two clients and a device that change different fields all keep their changes`() throws
  {
    var served = try lena()
    let base = served.card()
    var first = base
    first["TITLE"] = "Baker"
    var second = base
    second["ORG"] = "Watches"
    try served.put(first, base: base)
    try served.edit(ContactEdit(firstName: "Magdalena"))
    try served.put(second, base: base)
    let contact = served.contact
    #expect(contact.title == "Baker")
    #expect(contact.company == "Watches")
    #expect(contact.firstName == "Magdalena")
    #expect(contact.note == "A note.")
    #expect(contact.phones.map(\.value) == ["1", "2"])
  }

  @Test func `a client removes what it was served and no more`() throws {
    var served = try lena()
    let base = served.card()
    var edit = ContactEdit()
    edit[.phones] = [.add(label: "home", value: "3")]
    edit.categories = ["choir", "boat"]
    try served.edit(edit)
    var body = base
    body.properties.removeAll { $0.value == "1" }
    body["NOTE"] = nil
    body["CATEGORIES"] = nil
    try served.put(body, base: base)
    #expect(served.contact.phones.map(\.value) == ["2", "3"])
    #expect(served.contact.note.isEmpty)
    #expect(served.contact.categories == ["boat"])
  }

  @Test func `a removal does not reach what another has changed since`() throws {
    var served = try lena()
    let base = served.card()
    let home = try #require(served.contact.phones.first)
    var edit = ContactEdit(phones: [.change(home.id, label: nil, value: "11")])
    edit[.note] = "A better note."
    try served.edit(edit)
    var body = base
    body.properties.removeAll { $0.value == "1" }
    body["NOTE"] = nil
    try served.put(body, base: base)
    #expect(served.contact.phones.map(\.value) == ["11", "2"])
    #expect(served.contact.note == "A better note.")
  }

  @Test func `two new numbers for one are both kept`() throws {
    var served = try lena()
    let base = served.card()
    let home = try #require(served.contact.phones.first)
    try served.edit(ContactEdit(phones: [.change(home.id, label: nil, value: "11")]))
    var body = base
    let index = try #require(body.properties.firstIndex { $0.value == "1" })
    body.properties[index].value = "12"
    try served.put(body, base: base)
    #expect(served.contact.phones.map(\.value) == ["11", "2", "12"])
    #expect(served.contact.phones.map(\.label) == ["home", "work", "home"])
  }

  @Test func `without a base nothing is removed`() throws {
    var served = try lena()
    let card = ServedContact.read(
      """
      BEGIN:VCARD
      VERSION:3.0
      N:Sommer;Lena;;;
      FN:Lena Sommer
      TEL;TYPE=HOME:9
      EMAIL:lena@example.org
      END:VCARD

      """.utf8)
    try served.put(card, base: nil)
    let contact = served.contact
    #expect(contact.lastName == "Sommer")
    #expect(contact.phones.map(\.value) == ["1", "2", "9"])
    #expect(contact.emails.map(\.value) == ["lena@example.org"])
    #expect(contact.note == "A note.")
    #expect(contact.categories == ["choir"])
    #expect(contact.company == "Clocks")
  }

  @Test func `the photo that a client was not served stays`() throws {
    var served = try lena()
    let base = served.card()
    var edit = ContactEdit()
    edit.photo = .set(ContactPhoto(media: .inline([0xFF, 0xD8, 0xFF, 1]), mediaType: "image/jpeg"))
    try served.edit(edit)
    var body = base
    body["TITLE"] = "Baker"
    try served.put(body, base: base)
    #expect(served.contact.photo != nil)
    #expect(served.contact.title == "Baker")
    let withPhoto = served.card()
    var without = withPhoto
    without["PHOTO"] = nil
    try served.put(without, base: withPhoto)
    #expect(served.contact.photo == nil)
  }

  @Test func `a new name is taken although the whole name is still the old one`() throws {
    var served = try lena()
    let base = served.card()
    var body = base
    body["N"] = "Sommer;Lena;;;"
    try #require(body["FN"] == "Lena Winter")
    try served.put(body, base: base)
    #expect(served.contact.lastName == "Sommer")
    #expect(served.contact.displayName.isEmpty)
  }

  @Test func `a whole name that a person has chosen stays when the parts change`() throws {
    var served = try lena()
    var base = served.card()
    var body = base
    body["FN"] = "The Boss"
    try served.put(body, base: base)
    base = served.card()
    body = base
    body["N"] = "Sommer;Lena;;Dr.;"
    try served.put(body, base: base)
    #expect(served.contact.displayName == "The Boss" && served.contact.lastName == "Sommer")
  }

  @Test func `a list in a name that comes back with escaped commas is no change`() throws {
    var served = try lena()
    var base = served.card()
    var body = base
    body["N"] = "Winter;Lena;Ann,Maria;Prof.,Dr.;Jr.,M.D."
    try served.put(body, base: base)
    base = served.card()
    body = base
    body["N"] = #"Winter;Lena;Ann\,Maria;Prof.\,Dr.;Jr.\,M.D."#
    body["TITLE"] = "Head"
    try served.put(body, base: base)
    #expect(served.contact.title == "Head" && served.contact.middleName == "Ann Maria")
    #expect(served.contact.namePrefix == "Prof. Dr." && served.contact.nameSuffix == "Jr., M.D.")
    // Another device has changed the prefix since: that is no conflict with the list.
    base = served.card()
    body = base
    body["N"] = #"Winter;Lena;Ann\,Maria;Prof.\,Dr.;Jr.\,M.D."#
    var prefix = ContactEdit()
    prefix[.namePrefix] = "Dr."
    try served.edit(prefix)
    let merge = CardMerge(body: body, base: base, present: served.card(), of: served.contact)
    #expect(merge.disputedTexts.isEmpty)
    try served.edit(merge.edit)
    #expect(served.contact.namePrefix == "Dr.")
  }

  @Test func `unknown properties come and go with their client`() throws {
    var served = try lena()
    let base = served.card()
    var body = base
    body["X-SHOE-SIZE"] = "38"
    try served.put(body, base: base)
    #expect(served.contact.other.map(\.name) == ["X-SHOE-SIZE"])
    // Another client does not know the property, and was served a card without it.
    var other = base
    other["TITLE"] = "Baker"
    try served.put(other, base: base)
    #expect(served.contact.other.map(\.value) == ["38"])
    var last = body
    last["X-SHOE-SIZE"] = nil
    try served.put(last, base: body)
    #expect(served.contact.other.isEmpty)
  }

  @Test func `several unknown properties of one name are all kept`() throws {
    var served = try lena()
    let base = served.card()
    var first = base
    first.properties.append(CardProperty(name: "X-SIZE", value: "38"))
    try served.put(first, base: base)
    var second = base
    second.properties.append(CardProperty(name: "X-SIZE", value: "39"))
    try served.put(second, base: nil)
    #expect(served.contact.other.map(\.value) == ["38", "39"])
    // Both change the first one.
    let shown = served.card()
    var third = shown
    var fourth = shown
    third["X-SIZE"] = "40"
    fourth["X-SIZE"] = "41"
    try served.put(third, base: shown)
    try served.put(fourth, base: shown)
    #expect(Set(served.contact.other.map(\.value)) == ["39", "40", "41"])
  }

  @Test func `two new values of one text are reported, and the later one is stored`() throws {
    var served = try lena()
    let base = served.card()
    try served.edit(ContactEdit(company: "Watches"))
    var body = base
    body["ORG"] = "Sundials"
    body["TITLE"] = "Baker"
    let merge = CardMerge(body: body, base: base, present: served.card(), of: served.contact)
    #expect(merge.disputedTexts == [.company])
    try served.edit(merge.edit)
    #expect(served.contact.company == "Sundials")
    #expect(served.contact.title == "Baker")
  }

  @Test(arguments: [CardVersion.three, .four])
  func `the card as it was served changes nothing`(version: CardVersion) throws {
    var served = try lena()
    let card = served.card(version)
    let edit = CardMerge(body: card, base: nil, present: card, of: served.contact).edit
    #expect(edit == ContactEdit())
    let before = served.fields
    try served.put(card, base: card)
    #expect(served.fields == before)
  }
}
