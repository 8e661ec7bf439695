// Pages of contacts read in one pass mean what the general decoder reads in them.

import Foundation
import PredicateWorld
import Records
import Testing

@testable import AgentAPI

@Suite("C1 reading a list")
struct ContactsViewTests {
  private static let contact = #"""
    {"schema":1,"contacts":[{"id":"a","name":"Zed \"Z\" Ad\u00e4ms \ud83c\udf89\n","firstName":"Zed",
     "lastName":"","company":"Acme\/Co","sortName":"Adams Zed","sectionKey":"A","sortIndex":0,
     "group":"g","phones":[{"id":"1","label":"home","value":"+1 555","kinds":["cell"]}],
     "emails":[],"addresses":[{"id":"2","label":"","street1":"]}","street2":"","city":"","state":"","zipcode":"","country":""}],"emergency":false,"note":"","birthday":null,"photo":null,"other":[],
     "created":"2026-01-01T00:00:00Z","modified":"2026-01-02T00:00:00Z",
     "modifiedBy":{"account":"ada","device":"laptop"},"synced":true,"version":7}],
     "language":"en","next":"12.3.last1.AA=="}
    """#

  @Test func `one pass reads what the decoder reads`() throws {
    let bytes = Array(Self.contact.utf8)
    let line = try #require(ContactsView.lines(ofPage: bytes).first)
    let page = try JSONDecoder().decode(ContactsView.self, from: Data(bytes))
    let contact = try #require(page.contacts.first)
    #expect(line.name == "Zed \"Z\" Adäms 🎉\n")
    Self.expectEqual(line, contact)
    #expect(line.created == "2026-01-01T00:00:00Z")
    #expect(contact.version == 7)
    #expect(page.next == "12.3.last1.AA==")
  }

  @Test(arguments: 0..<30 as Range<UInt64>)
  func `one pass reads what the agent writes`(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let contacts: [ContactItem] = (0..<3).map { _ in .random(&generator) }
    let page = try OrderedJSON.bytes(
      of: ContactsView(contacts: contacts, language: "en", next: nil))
    let lines = try ContactsView.lines(ofPage: page)
    #expect(lines.count == 3, "seed \(seed)")
    for (line, contact) in zip(lines, contacts) { Self.expectEqual(line, contact) }
  }

  private static func expectEqual(_ line: ContactItem.Line, _ contact: ContactItem) {
    #expect(line.id == contact.id)
    #expect(line.name == contact.name)
    #expect(line.firstName == contact.firstName)
    #expect(line.company == contact.company)
    #expect(line.sortName == contact.sortName)
    #expect(line.sectionKey == contact.sectionKey)
    #expect(line.group == contact.group)
    #expect(line.phones == contact.phones.map(\.value))
    #expect(line.emails == contact.emails.map(\.value))
    #expect(line.modified == contact.modified.description)
    #expect(line.synced == contact.synced)
  }

  @Test(arguments: [
    "", "{", "[]", #"{"contacts":{}}"#, #"{"contacts":[{"id":1}]}"#, #"{"contacts":[{"id":"a"]}"#,
    #"{"contacts":[{"name":"\ud800"}]}"#, #"{"contacts":[{"name":"\q"}]}"#,
    #"{"other":"# + String(repeating: "[", count: 100_000),
  ])
  func `what is no page of contacts is refused`(text: String) {
    #expect(throws: JSONScanner.Unexpected.self) {
      try ContactsView.lines(ofPage: Array(text.utf8))
    }
  }

  @Test func `every beginning of a page is refused, and none brings the reader down`() {
    let bytes = Array(Self.contact.utf8)
    for count in 0..<(bytes.count - 1) {
      #expect(throws: JSONScanner.Unexpected.self) {
        try ContactsView.lines(ofPage: Array(bytes[..<count]))
      }
    }
  }
}
