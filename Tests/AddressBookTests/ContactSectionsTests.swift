// Headings with their counts, kept right through every change.

import AddressBook
import Contacts
import DeviceRoom
import DeviceStore
import Records
import Testing

@Suite("A2, A3 sections of a list")
struct ContactSectionsTests {
  private let device: TestDevice

  init() throws {
    device = try TestDevice(Room(), "laptop", isOnline: false)
    for name in ["Adams", "Amis", "Bell", "Иванов", "42"] { try save(name) }
  }

  private func save(_ name: String, in zone: ZoneID = .standard) throws {
    try device.save(name, ["lastName": .string(name), "firstName": .string("Zed")], in: zone)
  }

  private func counts(_ order: ContactOrder = .last, _ zone: ZoneID? = nil) throws -> [String] {
    try device.reader.sections(order, zone: zone).map { "\($0.label) \($0.contacts) \($0.start)" }
  }

  @Test func `each heading tells how many stand under it and where it begins`() throws {
    #expect(try counts() == ["A 2 0", "B 1 2", "И 1 3", "# 1 4"])
    #expect(try counts(.first) == ["Z 5 0"])
    #expect(try counts(.modified).isEmpty)
  }

  @Test func `a heading's cursor begins the list with its contacts`() throws {
    for section in try device.reader.sections(.last) {
      let page = try device.reader.contacts(ContactQuery(cursor: section.cursor, limit: 1))
      #expect(page.rows.map(\.sectionKey) == [section.label])
      #expect(page.rows.map(\.sortIndex) == [section.start])
    }
  }

  @Test func `edits and deletions keep the counts right`() throws {
    try device.save("Bell", ["lastName": .string("Ödman")])
    try device.delete("Adams")
    #expect(try counts() == ["A 1 0", "O 1 1", "И 1 2", "# 1 3"])
    #expect(try device.reader.contactCount() == 4)
  }

  @Test func `a refused action changes no count`() throws {
    #expect(throws: RecordsError.self) {
      try device.edit([
        .save(TestDevice.contact("new", ["lastName": .string("Adler")])),
        .delete(RecordID(zone: .standard, name: RecordName(stored: "nobody")), version: nil),
      ])
    }
    try save("Cole")
    #expect(try counts() == ["A 2 0", "B 1 2", "C 1 3", "И 1 4", "# 1 5"])
  }

  @Test func `a group has headings of its own, which go with it`() throws {
    let zone = ZoneID(name: ZoneName(7))
    try device.edit([.createZone(zone, title: "Choir")])
    try save("Alto", in: zone)
    #expect(try counts(.last, zone) == ["A 1 0"])
    #expect(try counts().first == "A 3 0")
    for order in ContactOrder.allCases {
      let page = try device.reader.contacts(ContactQuery(order: order, zone: zone))
      #expect(page.rows.map(\.record.id.name.text) == ["Alto"])
    }
    #expect(try device.reader.groups().map(\.contacts) == [5, 1])
    try device.edit([.deleteZone(zone)])
    #expect(try counts(.last, zone).isEmpty)
    #expect(try counts().first == "A 2 0")
  }
}
