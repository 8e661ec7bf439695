// What clients send: absent, empty and wrong are three things.

import Contacts
import Foundation
import Records
import Testing

@testable import AgentDaemon

@Suite("contact form")
struct ContactFormTests {
  func form(_ text: String) throws -> ContactForm {
    try JSONDecoder().decode(ContactForm.self, from: Data(text.utf8))
  }

  @Test func `absent stays, null and empty remove`() throws {
    let edit = try form(#"{"firstName":null,"lastName":""}"#).edit()
    #expect(edit.firstName == "")
    #expect(edit.lastName == "")
    #expect(edit.company == nil)
    #expect(edit.phones.isEmpty)
  }

  @Test func `an entry is added, changed or removed`() throws {
    let id = EntryID(7)
    let edit = try form(
      """
      {"phones":[{"value":"1"},{"id":"\(id)","label":"x"},{"id":"\(id)","removed":true}]}
      """
    ).edit()
    #expect(
      edit.phones == [
        .add(label: "", value: "1"), .change(id, label: "x", value: nil), .remove(id),
      ])
  }

  @Test func `a mistyped key is refused, what is only told is passed over`() throws {
    let error = #expect(throws: RecordsError.self) { try form(#"{"fristName":"A"}"#) }
    #expect(error?.code == .invalidArguments)
    #expect(error?.field == "fristName")
    #expect(throws: Never.self) { try form(#"{"schema":1,"id":"x","sortName":"s","synced":true}"#) }
  }

  @Test(
    arguments: [#"{"phones":[{"label":"x"}]}"#, #"{"phones":[{"id":"zz","value":"1"}]}"#])
  func `an entry that means nothing is refused`(text: String) {
    #expect(throws: RecordsError.self) { _ = try form(text).edit() }
  }
}
