// Pages of contacts read in one pass mean what the general decoder reads in them.

import FoundationEssentials
import Testing

@testable import ControlCommands

@Suite("C1 reading a list")
struct ContactListReaderTests {
  private static let contact = #"""
    {"schema":1,"contacts":[{"id":"a","name":"Zed \"Z\" Ad\u00e4ms \ud83c\udf89\n","firstName":"Zed",
     "lastName":"","company":"Acme\/Co","sortName":"Adams Zed","sectionKey":"A","sortIndex":0,
     "group":"g","phones":[{"id":"1","label":"home","value":"+1 555","kinds":["cell"]}],
     "emails":[],"addresses":[{"street1":"]}"}],"emergency":false,"note":"","birthday":null,
     "created":"2026-01-01T00:00:00Z","modified":null,
     "modifiedBy":{"account":"ada","device":"laptop"},"synced":true}],
     "language":"en","next":"12.3.last1.AA=="}
    """#

  @Test func `one pass reads what the decoder reads`() throws {
    let bytes = Array(Self.contact.utf8)
    let read = try #require(ContactListReader.contacts(bytes).first)
    let decoded = try #require(
      JSONDecoder().decode(ContactsView.self, from: Data(bytes)).contacts.first)
    #expect(read.name == "Zed \"Z\" Adäms 🎉\n")
    #expect(read.name == decoded.name)
    #expect(read.company == decoded.company)
    #expect(read.phones.map(\.value) == ["+1 555"])
    #expect(read.phones.map(\.label) == decoded.phones.map(\.label))
    #expect(read.modifiedBy?.device == "laptop")
    #expect(read.modified == nil)
    #expect(read.created == decoded.created)
    #expect(read.synced)
    #expect(read.sectionKey == "A")
  }

  @Test(arguments: [
    "", "{", "[]", #"{"contacts":{}}"#, #"{"contacts":[{"id":1}]}"#, #"{"contacts":[{"id":"a"]}"#,
    #"{"contacts":[{"name":"\ud800"}]}"#, #"{"contacts":[{"name":"\q"}]}"#,
    #"{"other":"# + String(repeating: "[", count: 100_000),
  ])
  func `what is no page of contacts is refused`(text: String) {
    let error = #expect(throws: ControlFailure.self) {
      try ContactListReader.contacts(Array(text.utf8))
    }
    #expect(error?.code == "incompatibleVersion")
  }

  @Test func `every beginning of a page is refused, and none brings the reader down`() {
    let bytes = Array(Self.contact.utf8)
    for count in 0..<(bytes.count - 1) {
      #expect(throws: ControlFailure.self) {
        try ContactListReader.contacts(Array(bytes[..<count]))
      }
    }
  }
}
