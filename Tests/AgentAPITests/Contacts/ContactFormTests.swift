// What clients send: absent, empty and wrong are three things.

import Contacts
import Foundation
import Records
import Testing

@testable import AgentAPI

@Suite("contact form")
struct ContactFormTests {
  func form(_ text: String) throws -> ContactForm {
    try JSONDecoder().decode(ContactForm.self, from: Data(text.utf8))
  }

  @Test func `absent stays, null and empty remove`() throws {
    let edit = try form(#"{"firstName":null,"lastName":""}"#).edit()
    #expect(edit[.firstName] == "")
    #expect(edit[.lastName] == "")
    #expect(edit[.company] == nil)
    #expect(edit[.phones].isEmpty)
  }

  @Test func `an entry is added, changed or removed`() throws {
    let id = EntryID(7)
    let edit = try form(
      """
      {"phones":[{"value":"1"},{"id":"\(id)","label":"x"},{"id":"\(id)","removed":true}]}
      """
    ).edit()
    #expect(
      edit[.phones] == [
        .add(label: "", value: "1"), .change(id, label: "x", value: nil), .remove(id),
      ])
  }

  @Test func `a mistyped key is refused, what is only told is passed over`() throws {
    let error = #expect(throws: RecordsError.self) { try form(#"{"fristName":"A"}"#) }
    #expect(error?.code == .invalidArguments)
    #expect(error?.field == "fristName")
    #expect(throws: Never.self) { try form(#"{"schema":1,"id":"x","sortName":"s","synced":true}"#) }
  }

  @Test func `a contact of the agent can be sent back`() throws {
    var contact = ContactItem()
    contact.firstName = "Ada"
    contact.phones = [LabeledItem(id: EntryID(7).description, label: "home", value: "1")]
    contact.nickname = "Countess"
    contact.photo = PhotoItem(mediaType: "image/png", sizeBytes: 1, digest: "00")
    contact.version = 5
    let text = String(decoding: try OrderedJSON.bytes(of: SingleView(contact)), as: UTF8.self)
    let form = try form(text)
    #expect(form.texts[.firstName] == "Ada")
    #expect(form.texts[.nickname] == "Countess")
    #expect(form.lists[.phones]?.first?.id == EntryID(7))
    #expect(!form.isPhotoRemoved)
  }

  @Test func `every property that only the agent sets is a key of a contact`() throws {
    let bytes = try OrderedJSON.bytes(of: SingleView(ContactItem()))
    let object = try JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any]
    #expect(ContactItem.Key.readOnly.isSubset(of: try #require(object).keys))
  }

  @Test(
    arguments: [#"{"phones":[{"label":"x"}]}"#, #"{"phones":[{"id":"zz","value":"1"}]}"#])
  func `an entry that means nothing is refused`(text: String) {
    #expect(throws: RecordsError.self) { _ = try form(text).edit() }
  }
}

@Suite("A2 contact form, every property")
struct WholeContactFormTests {
  func form(_ text: String) throws -> ContactForm {
    try JSONDecoder().decode(ContactForm.self, from: Data(text.utf8))
  }

  @Test func `every text and list is read`() throws {
    let edit = try form(
      """
      {"nickname":"Bo","birthday":"--06-05","emergency":true,"departments":["Works"],
       "categories":null,"photo":null,"addresses":[{"label":"home","city":"Malmö"}],
       "phones":[{"value":"1","kinds":["Voice","msg"],"preference":1}]}
      """
    ).edit()
    #expect(edit.texts == [.nickname: "Bo", .birthday: "--06-05"])
    #expect(edit[.addresses] == [.insert([.label: "home", .city: "Malmö"])])
    #expect(
      edit[.phones] == [.insert([.value: "1", .kinds: "voice,msg", .preference: "1"])])
    #expect(edit.isEmergency == true)
    #expect(edit.departments == ["Works"])
    #expect(edit.categories == [])
    #expect(edit.photo == .remove)
  }

  @Test(arguments: [
    #"{"phones":[{"value":"1","street1":"x"}]}"#, #"{"phones":[{"value":"1","lable":"x"}]}"#,
    #"{"phones":[{"value":"1","preference":0}]}"#, #"{"addresses":[{"value":"x"}]}"#,
  ])
  func `an entry says only what its list can hold`(text: String) {
    let error = #expect(throws: RecordsError.self) { try form(text) }
    #expect(error?.code == .invalidArguments)
  }

  @Test func `a whole contact leaves the picture, the UID and other properties`() throws {
    var contact = Contact(id: RecordName(stored: "c"), firstName: "Bo")
    contact.uid = "urn:uuid:1"
    contact.note = "gone"
    contact.photo = ContactPhoto(media: .inline([1]), mediaType: "image/png")
    var property = OtherProperty(id: EntryID(5), position: .between(nil, nil))
    property.name = "X-SHOE-SIZE"
    contact.other = [property]
    let draft = try form(#"{"firstName":"Bo"}"#).draft(of: contact)
    var expected = ContactDraft(contact)
    expected[.note] = ""
    #expect(draft == expected)
  }
}
