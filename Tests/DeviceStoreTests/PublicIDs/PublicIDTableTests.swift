import AgentStore
import Contacts
import DeviceRoom
import Records
import SyncCore
import Testing

@testable import AddressBook
@testable import DeviceStore

@Suite("Public ids and former ids in the database")
struct PublicIDTableTests {
  private let room = Room()
  private let groups = (5...15).map { ZoneID(name: ZoneName(UInt128($0))) }

  private static func id(_ name: String, _ zone: ZoneID) -> RecordID {
    RecordID(zone: zone, name: RecordName(stored: name))
  }

  private func device() throws -> TestDevice {
    let ada = try TestDevice(room, "laptop")
    try ada.edit(groups.enumerated().map { .createZone($1, title: "Group \($0)") })
    return ada
  }

  private func move(_ name: String, from source: ZoneID, to target: ZoneID, on device: TestDevice)
    throws
  {
    let fields = try #require(try device.fields(name, in: source))
    try device.edit([
      .save(TestDevice.contact(name, fields, in: target)),
      .delete(Self.id(name, source), version: nil),
    ])
  }

  private func found(_ id: PublicID, on device: TestDevice) throws -> [RecordID] {
    try device.reader.records(identifiedBy: id.text, type: ContactRecord.type).map(\.id)
  }

  @Test func `a list has stored ids and every device of the account has the same`() throws {
    let ada = try device()
    let phone = try TestDevice(room, "phone")
    for group in groups.prefix(3) { try ada.save("x", ["firstName": .string("X")], in: group) }
    let ids = try [ada, phone].map { device in
      try device.reader.contacts(ContactQuery()).rows.map(\.record.publicID)
    }
    #expect(Set(ids[0]).count == 3)
    #expect(Set(ids[0]) == Set(ids[1]))
    #expect(Set(ids[0]) == Set(groups.prefix(3).map { Self.id("x", $0).publicID }))
    for group in groups.prefix(3) {
      #expect(try found(Self.id("x", group).publicID, on: phone) == [Self.id("x", group)])
    }
  }

  @Test func `an id does not change because a namesake appears or goes`() throws {
    let ada = try device()
    try ada.save("x", ["firstName": .string("First")], in: groups[0])
    let before = try #require(try ada.reader.record(Self.id("x", groups[0]))).publicID
    try ada.save("x", ["firstName": .string("Second")], in: groups[1])
    #expect(try ada.reader.record(Self.id("x", groups[0]))?.publicID == before)
    try ada.delete("x", in: groups[1])
    #expect(try ada.reader.record(Self.id("x", groups[0]))?.publicID == before)
  }

  @Test func `a moved contact is found by its former ids, at most eight, newest first`() throws {
    let ada = try device()
    try ada.save("x", ["firstName": .string("X")], in: groups[0])
    for (source, target) in zip(groups, groups.dropFirst()) {
      try move("x", from: source, to: target, on: ada)
    }
    let last = Self.id("x", groups[10])
    let former = groups.dropLast().reversed().map { Self.id("x", $0).publicID }
    #expect(try ada.reader.formerIDs(of: last) == Array(former.prefix(8)))
    for id in former.prefix(8) { #expect(try found(id, on: ada) == [last]) }
    for id in former.dropFirst(8) { #expect(try found(id, on: ada).isEmpty) }
  }

  @Test func `back where it was, by a move or an undo, it keeps the ids it had elsewhere`() throws {
    let ada = try device()
    let (here, there) = (Self.id("x", groups[0]), Self.id("x", groups[1]))
    try ada.save("x", ["firstName": .string("X")], in: groups[0])
    try move("x", from: groups[0], to: groups[1], on: ada)
    try ada.perform(try ada.replica.undo(action: nil, now: Room.now).actions)
    #expect(try found(here.publicID, on: ada) == [here])
    #expect(try found(there.publicID, on: ada) == [here])
    #expect(try ada.reader.formerIDs(of: here) == [there.publicID])
    #expect(try ada.reader.formerIDs(of: there).isEmpty)
  }

  @Test func `the id of a record wins over a former id of another`() throws {
    let ada = try device()
    let (old, new) = (Self.id("x", groups[0]), Self.id("x", groups[1]))
    try ada.save("x", ["firstName": .string("Moved")], in: groups[0])
    try move("x", from: groups[0], to: groups[1], on: ada)
    #expect(try found(old.publicID, on: ada) == [new])
    try ada.save("x", ["firstName": .string("New here")], in: groups[0])
    #expect(try found(old.publicID, on: ada) == [old])
    #expect(try found(new.publicID, on: ada) == [new])
  }

  @Test func `what the broker refuses to take is found by the id it was moved to`() throws {
    let ada = try device()
    try ada.save("x", ["firstName": .string("X")], in: groups[0])
    try move("x", from: groups[0], to: groups[1], on: ada)
    room.broker.poison = (
      name: RecordName(stored: "x"), error: RecordsError(.quotaExceeded, "Full.")
    )
    try move("x", from: groups[1], to: groups[2], on: ada)
    let here = Self.id("x", groups[1])
    #expect(try ada.reader.record(here) != nil)
    for group in groups.prefix(3) {
      #expect(try found(Self.id("x", group).publicID, on: ada) == [here])
    }
  }

  @Test func `the contacts of a deleted group are found by their ids where they went`() throws {
    let ada = try TestDevice(room, "laptop", isOnline: false)
    // The broker never had the first of them, so its rows go at once.
    try ada.edit([.createZone(groups[0], title: "A")])
    try ada.goOnline()
    for group in groups.prefix(2) {
      if group != groups[0] {
        try ada.goOffline()
        try ada.edit([.createZone(group, title: "B")])
      }
      let name = "x\(group.name)"
      try ada.save(name, ["firstName": .string("X")], in: group)
      let fields = try #require(try ada.fields(name, in: group))
      try ada.edit([.save(TestDevice.contact(name, fields)), .deleteZone(group)])
      #expect(
        try found(Self.id(name, group).publicID, on: ada) == [Self.id(name, .standard)], "\(group)")
    }
  }

  @Test(arguments: [true, false])
  func `the contacts that leave a group before it is deleted are found by their ids`(
    isKnown: Bool
  ) throws {
    let ada = try TestDevice(room, "laptop", isOnline: isKnown)
    try ada.edit([.createZone(groups[0], title: "A")])
    try ada.save("x", ["firstName": .string("X")], in: groups[0])
    let fields = try #require(try ada.fields("x", in: groups[0]))
    try ada.edit([
      .save(TestDevice.contact("x", fields)), .delete(Self.id("x", groups[0]), version: nil),
      .deleteZone(groups[0]),
    ])
    #expect(try found(Self.id("x", groups[0]).publicID, on: ada) == [Self.id("x", .standard)])
  }

  @Test func `an undone deletion of a group brings the ids of its contacts back`() throws {
    let ada = try device()
    let id = Self.id("x", groups[0]).publicID
    try ada.save("x", ["firstName": .string("X")], in: groups[0])
    try ada.edit([.deleteZone(groups[0])])
    #expect(try found(id, on: ada).isEmpty)
    try ada.perform(try ada.replica.undo(action: nil, now: Room.now).actions)
    let back = try found(id, on: ada)
    #expect(back.map(\.name.text) == ["x"])
    #expect(back.first?.zone != groups[0])
  }

  @Test func `former ids go with what they named`() throws {
    let ada = try device()
    for name in ["x", "y", "z"] {
      try ada.save(name, ["firstName": .string("Quercus")], in: groups[0])
      try move(name, from: groups[0], to: groups[1], on: ada)
    }
    #expect(try ada.holds("x").contains("public_alias"))
    try ada.delete("x", in: groups[1])
    let deleted = try ada.reader.discarded(identifiedBy: Self.id("x", groups[0]).publicID.text)
    #expect(deleted.map(\.id.zone) == [groups[1]], "it was deleted in the group that it moved to")
    try ada.perform(try ada.replica.emptyTrash(now: Room.now).actions)
    #expect(try ada.reader.formerIDs(of: Self.id("x", groups[1])).isEmpty)
    #expect(try ada.reader.formerIDs(of: Self.id("y", groups[1])).count == 1)
    try ada.edit([.deleteZone(groups[1])])
    #expect(try ada.reader.formerIDs(of: Self.id("y", groups[1])).isEmpty)
    #expect(try ada.reader.formerIDs(of: Self.id("z", groups[1])).isEmpty)
  }

  @Test func `a second report of the same move changes nothing`() throws {
    let database = try DeviceDatabase.inMemory()
    let ada = try TestDevice(room, "laptop", database: database)
    try ada.edit(groups.prefix(3).map { .createZone($0, title: "Group \($0)") })
    try ada.save("x", ["firstName": .string("X")], in: groups[0])
    try move("x", from: groups[0], to: groups[1], on: ada)
    let before = try ada.reader.formerIDs(of: Self.id("x", groups[1]))
    try database.write { db in
      let keys = try groups.prefix(2).map { try #require(try ZoneRow.load(db, $0)).key }
      let name = RecordName(stored: "x")
      try PublicIDTable.addAlias(from: (keys[0], name), to: (keys[1], name), db)
      try PublicIDTable.addAlias(from: (keys[1], name), to: (keys[1], name), db)
      try PublicIDTable.addAlias(from: (999, name), to: (keys[1], name), db)
    }
    #expect(try ada.reader.formerIDs(of: Self.id("x", groups[1])) == before)
    #expect(before.count == 1)
  }
}
