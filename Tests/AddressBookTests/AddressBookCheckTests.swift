// The check of the search index against the records. A test changes one side behind the store's back.

import AddressBook
import AgentStore
import DeviceRoom
import DeviceStore
import GRDB
import Records
import Testing

@Suite("A damaged search index")
struct AddressBookCheckTests {
  private let database: DeviceDatabase
  private let device: TestDevice

  init() throws {
    database = try DeviceDatabase.inMemory()
    device = try TestDevice(Room(), "laptop", database: database, isOnline: false)
    for name in ["Adams", "Bell", "Cole"] { try device.save(name, ["lastName": .string(name)]) }
  }

  private func execute(_ sql: String) throws {
    try database.writer.write { try $0.execute(sql: sql) }
  }

  @Test func `an intact index has no findings`() throws {
    #expect(try device.reader.findings() == [])
    try device.save("Bell", ["lastName": .string("Zimmer")])
    try device.delete("Adams")
    #expect(try device.reader.findings() == [])
  }

  @Test func `a contact with another text in the index is found`() throws {
    try execute(
      """
      UPDATE record SET shown = (SELECT shown FROM record WHERE name = 'Cole')
      WHERE name = 'Adams'
      """)
    let findings = try device.reader.findings()
    #expect(findings.count == 1)
    #expect(findings.first?.hasPrefix("The contact “Cole” (") == true, "\(findings)")
    #expect(findings.first?.hasSuffix(") differs from the search index.") == true, "\(findings)")
  }

  @Test func `a contact that the index lacks is found`() throws {
    try execute(
      """
      INSERT INTO contact_text (contact_text, rowid, text)
        SELECT 'delete', contact.record, contact.text
        FROM contact JOIN record ON record.id = contact.record WHERE record.name = 'Bell';
      DELETE FROM contact WHERE record = (SELECT id FROM record WHERE name = 'Bell');
      """)
    let findings = try device.reader.findings()
    #expect(findings.count == 1)
    #expect(findings.first?.hasPrefix("The contact “Bell” (") == true, "\(findings)")
  }

  @Test func `the index is not checked while it is rebuilt`() throws {
    try execute(
      """
      UPDATE record SET shown = (SELECT shown FROM record WHERE name = 'Cole')
      WHERE name = 'Adams';
      UPDATE contact_ordering SET next_language = 'sv', next_version = 'x';
      """)
    #expect(try device.reader.findings() == [])
  }
}
