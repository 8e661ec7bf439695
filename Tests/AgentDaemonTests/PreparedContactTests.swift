import AddressBook
import Collation
import ContactCards
import Contacts
import DeviceStore
import Records
import Testing

@testable import AgentDaemon

struct PreparedContactTests {
  private let preparation = ContactPreparation(language: .neutral)

  private func contact(_ card: String) throws -> ImportedContact {
    var file = ContactFile(format: .vcard)
    let lines = "BEGIN:VCARD\r\nVERSION:3.0\r\n\(card)\r\nEND:VCARD\r\n"
    let contacts = file.feed(Array(lines.utf8)) + file.finish()
    return try #require(contacts.first)
  }

  @Test func `a contact may exist under its UID and under the name that an import derives`()
    throws
  {
    let contact = try contact("UID:ann-1\r\nFN:Ann Lee\r\nN:Lee;Ann;;;")
    let prepared = PreparedContact(contact, in: .standard, among: nil, with: preparation)
    #expect(prepared.names == [RecordName(stored: "ann-1"), contact.recordName])
    #expect(prepared.recordName == contact.recordName)
  }

  @Test func `a new contact's record has the fields of the card`() throws {
    let prepared = PreparedContact(
      try contact("FN:Ann Lee\r\nN:Lee;Ann;;;"), in: .standard, among: nil, with: preparation)
    let fields = try #require(prepared.creation).applied(to: Fields())
    #expect(fields["firstName"] == .string("Ann") && fields["lastName"] == .string("Lee"))
    #expect(prepared.encoding == EncodedFields(fields) && prepared.listed != nil)
  }

  @Test func `nothing is made for a contact that the address book probably has`() throws {
    let prepared = PreparedContact(
      try contact("FN:Ann Lee\r\nN:Lee;Ann;;;"), in: .standard, among: nil, with: nil)
    #expect(prepared.creation == nil && prepared.encoding == nil && prepared.listed == nil)
  }

  @Test func `the public id is that of the record in the group for which it was made`() throws {
    let prepared = PreparedContact(
      try contact("FN:Ann Lee\r\nN:Lee;Ann;;;"), in: .standard, among: nil, with: preparation)
    let record = RecordID(zone: .standard, name: prepared.recordName)
    #expect(prepared.publicID(of: record) == record.publicID)
    let other = ZoneID(owner: .current, name: ZoneName(7))
    #expect(prepared.publicID(of: RecordID(zone: other, name: prepared.recordName)) == nil)
    let another = RecordID(zone: .standard, name: RecordName(stored: "another"))
    #expect(prepared.publicID(of: another) == nil)
  }
}
