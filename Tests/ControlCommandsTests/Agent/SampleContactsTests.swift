// Sample contacts as the agent shows them, unchanged and with each change that a user can make.

import AgentAPI
import Contacts
import Records
import Testing

@testable import ControlCommands

@Suite("A1 sample contacts")
struct SampleContactsTests {
  /// The samples, each with what the agent shows of it.
  private static func samples() throws -> [(contact: Contact, item: ContactItem)] {
    try BundledContacts.all().map { sample in
      let contact = ContactRecord.contact(named: sample.name, fields: sample.fields)
      var item = ContactItem()
      item.id = "jzrczirp3kwdjvmp"
      item.firstName = contact.firstName
      item.lastName = contact.lastName
      item.company = contact.company
      item.phones = contact.phones.map { LabeledItem(id: "p", label: $0.label, value: $0.value) }
      item.emails = contact.emails.map { LabeledItem(id: "e", label: $0.label, value: $0.value) }
      item.name = ContactName(contact).displayName
      item.synced = true
      item.version = 3
      return (contact, item)
    }
  }

  @Test func `all ten are untouched as they come`() throws {
    let samples = try Self.samples()
    #expect(samples.count == 10)
    for (contact, item) in samples {
      #expect(SampleContacts.isUntouched(item, sample: contact), "\(item.name)")
    }
  }

  private static let edits: [@Sendable (inout ContactItem) -> Void] = [
    { $0.firstName += "x" }, { $0.lastName += "x" }, { $0.company += "x" }, { $0.note = "met" },
    { $0.emergency = true }, { $0.birthday = "--06-05" }, { $0.nickname = "x" },
    { $0.categories = ["x"] }, { $0.phones.append(LabeledItem(id: "q", label: "", value: "1")) },
    { $0.emails.append(LabeledItem(id: "q", label: "", value: "a@b")) },
    { $0.phones = $0.phones.isEmpty ? [LabeledItem(id: "q", label: "", value: "1")] : [] },
  ]

  @Test func `one edit makes a sample the user's own`() throws {
    for (contact, item) in try Self.samples() {
      for (number, edit) in Self.edits.enumerated() {
        var edited = item
        edit(&edited)
        #expect(
          !SampleContacts.isUntouched(edited, sample: contact), "\(item.name), edit \(number)")
      }
      for index in item.phones.indices {
        var edited = item
        edited.phones[index].label += "x"
        #expect(!SampleContacts.isUntouched(edited, sample: contact), "\(item.name)")
        edited = item
        edited.phones[index].value += "0"
        #expect(!SampleContacts.isUntouched(edited, sample: contact), "\(item.name)")
      }
    }
  }

  @Test func `no sample counts as another`() throws {
    let samples = try Self.samples()
    for (left, sample) in samples.enumerated() {
      for (right, other) in samples.enumerated() where left != right {
        #expect(!SampleContacts.isUntouched(other.item, sample: sample.contact))
      }
    }
  }
}
