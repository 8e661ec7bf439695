// Contacts in JSON that another program wrote: what has no place is reported.

import Contacts
import Testing

@testable import ContactCards

@Suite("A2, F2 members of a contact in JSON")
struct ContactNodeReaderTests {
  private func read(_ text: String) throws -> ImportedContact {
    var file = ContactFile(format: .json)
    return try #require((file.feed(text.utf8) + file.finish()).first)
  }

  @Test(
    arguments: [
      (#""lastName": ["Quill"]"#, "lastName"), (#""shoeSize": "38""#, "shoeSize"),
      (#""phones": [{"value": "1", "colour": "red"}]"#, "phones/colour"),
      (#""phones": [{"value": {"x": 1}}]"#, "phones/value"),
      (#""addresses": ["Main 1"]"#, "addresses"),
      (#""phones": [["1"]]"#, "phones"), (#""firstName": "Eve""#, "firstName"),
      (#""photo": {"sizeBytes": 7}"#, "photo"), (#""emergency": "perhaps""#, "emergency"),
      (#""categories": [1, {"a": 1}]"#, "categories"),
      (#""other": [{"name": "X-A", "value": "b", "content": {"data": "?"}}]"#, "other/content"),
    ])
  func `a value without a place is reported with its member`(member: String, place: String) throws {
    let contact = try read("{\"firstName\": \"Ada\", \(member)}")
    #expect(contact.draft[.firstName] == "Ada")
    #expect(contact.findings.map(\.property) == [place])
    #expect(contact.findings.map(\.outcome) == [.lost])
  }

  @Test func `one text is a list of one`() throws {
    let contact = try read(
      #"{"firstName": "Ada", "phones": ["1", {"value": "2"}], "emails": "a@x.org", "categories": "choir"}"#
    )
    #expect(contact.draft[.phones].map { $0[.value] } == ["1", "2"])
    #expect(contact.draft[.emails].map { $0[.value] } == ["a@x.org"])
    #expect(contact.draft.categories == ["choir"])
    #expect(contact.findings.isEmpty)
  }

  @Test func `what is null, and what describes a contact, is not reported`() throws {
    let contact = try read(
      #"{"id": "c1", "firstName": "Ada", "note": null, "phones": null, "photo": null, "version": null}"#
    )
    #expect(contact.findings.isEmpty)
  }
}
