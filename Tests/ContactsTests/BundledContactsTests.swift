// Two devices must make the very same ten records.

import Records
import Testing

@testable import Contacts

@Suite("A1 bundled contacts")
struct BundledContactsTests {
  @Test func `there are ten, with fixed names, and all are valid`() throws {
    let all = try BundledContacts.all()
    #expect(all.map(\.name.text).first == "bundled-1-01")
    #expect(all.map(\.name.text).last == "bundled-1-10")
    #expect(Set(all.map(\.name)).count == 10)
    for (name, fields) in all {
      let contact = ContactRecord.contact(named: name, fields: fields)
      #expect(ValidationProfile.standard.problems(in: contact).isEmpty)
    }
  }

  @Test func `reading them again gives the same bytes and ids of their own`() throws {
    let first = try BundledContacts.all()
    let second = try BundledContacts.all()
    #expect(first.map { EncodedRecord($0.fields) } == second.map { EncodedRecord($0.fields) })
    let contacts = first.map { ContactRecord.contact(named: $0.name, fields: $0.fields) }
    let ids = contacts.flatMap { ($0.phones + $0.emails).map(\.id) }
    #expect(Set(ids).count == ids.count)
  }
}
