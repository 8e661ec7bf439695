// The order and the counts of groups, and the groups that imported cards described.

import AddressBook
import Contacts
import DeviceRoom
import DeviceStore
import Records
import Testing

@Suite("Z1, Z3 groups in their order")
struct ContactGroupsTests {
  private static let bobs = ZoneID(owner: AccountID(0xB0B), name: ZoneName(7))

  private let room = Room()

  private func zone(_ number: UInt128) -> ZoneID { ZoneID(name: ZoneName(number)) }

  @Test func `the standard group is first, then own groups by title, then those of others`() throws
  {
    room.broker.share(Self.bobs, title: "Ales", owner: "bob", isWritable: false)
    let laptop = try TestDevice(room, "laptop")
    for (number, title) in [(1, "rowing"), (2, "Choir"), (3, "Éclairs")] {
      try laptop.edit([.createZone(zone(UInt128(number)), title: title)])
    }
    let groups = try laptop.reader.groups()
    #expect(groups.map(\.title) == ["", "Choir", "Éclairs", "rowing", "Ales"])
    #expect(groups.map(\.zone) == [.standard, zone(2), zone(3), zone(1), Self.bobs])
    #expect(groups.map(\.isWritable) == [true, true, true, true, false])
    #expect(groups.last?.ownerName == "bob" && groups.last?.isShared == true)
    #expect(groups.last?.role == .member && groups.first?.role == .owner)
  }

  @Test func `a group with an unsent change is not synchronized`() throws {
    let laptop = try TestDevice(room, "laptop")
    try laptop.edit([.createZone(zone(1), title: "Choir")])
    #expect(try laptop.reader.groups().map(\.isSynced) == [true, true])
    try laptop.goOffline()
    try laptop.edit([.renameZone(zone(1), title: "Band")])
    #expect(try laptop.reader.groups().map(\.title) == ["", "Band"])
    #expect(try laptop.reader.groups().last?.isSynced == false)
    try laptop.goOnline()
    #expect(try laptop.reader.groups().last?.isSynced == true)
  }

  @Test func `each group counts its own contacts`() throws {
    let laptop = try TestDevice(room, "laptop")
    try laptop.edit([.createZone(zone(1), title: "Choir")])
    for name in ["a", "b", "c"] { try laptop.save(name, ["lastName": .string(name)]) }
    try laptop.save("d", ["lastName": .string("d")], in: zone(1))
    #expect(try laptop.reader.groups().map(\.contacts) == [3, 1])
    #expect(try laptop.reader.contactCount() == 4)
    try laptop.delete("d", in: zone(1))
    #expect(try laptop.reader.groups().map(\.contacts) == [3, 0])
    #expect(try laptop.reader.contactCount() == 3)
  }

  @Test func `groups of cards are listed by zone, oldest first, and count as no contacts`() throws {
    let laptop = try TestDevice(room, "laptop")
    try laptop.edit([.createZone(zone(1), title: "Choir")])
    let places = [("x", ZoneID.standard), ("y", zone(1)), ("w", .standard)]
    for (name, place) in places {
      let save = LocalEdit.RecordSave(
        id: RecordID(zone: place, name: RecordName(stored: name)), type: GroupRecord.type,
        changes: FieldChanges(set: ["title": .string(name)]))
      try laptop.edit([.save(save)])
    }
    func names(_ zone: ZoneID?) throws -> [String] {
      try laptop.reader.groupRecords(in: zone).map(\.id.name.text)
    }
    #expect(try names(nil) == ["x", "y", "w"])
    #expect(try names(.standard) == ["x", "w"])
    #expect(try names(zone(1)) == ["y"])
    #expect(try laptop.reader.contactCount() == 0)
    try laptop.delete("x")
    #expect(try names(nil) == ["y", "w"])
  }
}
