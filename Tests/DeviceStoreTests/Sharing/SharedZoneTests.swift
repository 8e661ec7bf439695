import Contacts
import DeviceRoom
import Foundation
import Records
import SyncCore
import Testing

@testable import AddressBook
@testable import DeviceStore

/// Bob's group as Ada's devices see it.
struct BobsGroup {
  static let account = AccountID(0xB0B)
  let room = Room()
  let zone = ZoneID(owner: Self.account, name: ZoneName(7))

  /// A group with one contact, “Zelda Quux”, whom only Bob knows.
  init(isWritable: Bool = true) {
    room.broker.share(zone, title: "Rowing", owner: "bob", isWritable: isWritable)
    room.broker.put("zelda", Self.zelda, type: ContactRecord.type, in: zone)
  }

  static let zelda: Fields = [
    "firstName": .string("Zelda"), "lastName": .string("Quuxworth"),
    "phones": .entries([Self.phone(1, "5550100")]),
  ]

  static func phone(_ id: UInt128, _ number: String) -> Entry {
    Entry(
      id: EntryID(id), position: Position(stored: "U"),
      fields: ["label": .string("home"), "value": .string(number)])
  }

  /// Ada may read only, or write again.
  func set(isWritable: Bool) throws {
    room.broker.share(zone, title: "Rowing", owner: "bob", isWritable: isWritable)
    try room.tell([room.broker.directoryNews])
  }

  /// Ada loses the group.
  func take() throws {
    room.broker.take(zone)
    try room.tell([room.broker.directoryNews])
  }
}

@Suite("Z3 a group of another account on a device")
struct SharedZoneTests {
  private static let zelda = RecordName(stored: "zelda")

  @Test func `its contacts are here, it stands below one's own, and says whose it is`() throws {
    let bobs = BobsGroup()
    let ada = try TestDevice(bobs.room, "laptop")
    try ada.edit([.createZone(ZoneID(name: ZoneName(9)), title: "Zebras")])
    #expect(try ada.fields("zelda", in: bobs.zone) == BobsGroup.zelda)
    let groups = try ada.reader.groups()
    #expect(groups.map(\.title) == ["", "Zebras", "Rowing"])
    #expect(groups.map(\.ownerName) == ["", "", "bob"])
    #expect(groups.map(\.isShared) == [false, false, true])
    #expect(groups.map(\.role) == [.owner, .owner, .member])
  }

  @Test func `a contact of the same name as one's own has an id of its own`() throws {
    let bobs = BobsGroup()
    let ada = try TestDevice(bobs.room, "laptop")
    try ada.save("zelda", ["firstName": .string("Mine")])
    let own = try #require(try ada.reader.record(named: Self.zelda))
    let other = try #require(
      try ada.reader.record(RecordID(zone: bobs.zone, name: Self.zelda)))
    #expect(own.id.zone == .standard)
    #expect(own.publicID != other.publicID)
    let listed = try ada.reader.contacts(ContactQuery()).rows.map(\.record)
    #expect(Set(listed.map(\.publicID)).count == listed.count)
    for record in [own, other] {
      let found = try ada.reader.records(
        identifiedBy: record.publicID.text, type: ContactRecord.type)
      #expect(found.map(\.id) == [record.id])
    }
  }

  @Test func `an edit of it goes to its owner's zone`() throws {
    let bobs = BobsGroup()
    let ada = try TestDevice(bobs.room, "laptop")
    try ada.save("zelda", ["company": .string("Acme")], in: bobs.zone)
    #expect(try bobs.room.broker.fields("zelda", in: bobs.zone)?["company"] == .string("Acme"))
    #expect(try ada.reader.status().waitingEdits == 0)
  }
}

@Suite("Z5 a group that one may only read")
struct ReadOnlyZoneTests {
  private static let zelda = RecordName(stored: "zelda")

  private func expectRefused(
    _ ada: TestDevice, _ edits: [LocalEdit], _ place: SourceLocation = #_sourceLocation
  ) {
    let error = #expect(throws: RecordsError.self, sourceLocation: place) {
      _ = try ada.replica.edit(edits, now: Room.now)
    }
    #expect(error?.code == .permissionFailure, sourceLocation: place)
    #expect(error?.message.contains("Rowing") == true, sourceLocation: place)
  }

  @Test func `every way of changing it is refused at once, also without a broker`() throws {
    let bobs = BobsGroup(isWritable: false)
    let ada = try TestDevice(bobs.room, "laptop")
    try ada.save("own", ["firstName": .string("Own")])
    try ada.goOffline()
    let id = RecordID(zone: bobs.zone, name: Self.zelda)
    expectRefused(ada, [.save(TestDevice.contact("zelda", ["note": .string("x")], in: bobs.zone))])
    expectRefused(ada, [.save(TestDevice.contact("new", ["note": .string("x")], in: bobs.zone))])
    expectRefused(ada, [.delete(id, version: nil)])
    // Into it, and out of it.
    expectRefused(
      ada,
      [
        .save(TestDevice.contact("own", ["firstName": .string("Own")], in: bobs.zone)),
        .delete(RecordID(zone: .standard, name: RecordName(stored: "own")), version: nil),
      ])
    expectRefused(
      ada, [.save(TestDevice.contact("zelda", BobsGroup.zelda)), .delete(id, version: nil)])
    #expect(throws: RecordsError.self) {
      _ = try ada.replica.emptyTrash(of: bobs.zone, now: Room.now)
    }
    #expect(throws: RecordsError.self) {
      _ = try ada.replica.edit([.renameZone(bobs.zone, title: "Mine")], now: Room.now)
    }
    #expect(throws: RecordsError.self) {
      _ = try ada.replica.edit([.deleteZone(bobs.zone)], now: Room.now)
    }
    #expect(try ada.reader.status().waitingEdits == 0)
    #expect(try ada.fields("own") == ["firstName": .string("Own")])
    #expect(try ada.fields("zelda", in: bobs.zone) == BobsGroup.zelda)
  }

  @Test func `an undo and a restore into it are refused, and can be done once it is writable`()
    throws
  {
    let bobs = BobsGroup()
    let ada = try TestDevice(bobs.room, "laptop")
    try ada.delete("zelda", in: bobs.zone)
    try bobs.set(isWritable: false)
    #expect(throws: RecordsError.self) { _ = try ada.replica.undo(action: nil, now: Room.now) }
    #expect(throws: RecordsError.self) { _ = try ada.replica.restore([Self.zelda], now: Room.now) }
    #expect(try ada.fields("zelda", in: bobs.zone) == nil)
    try bobs.set(isWritable: true)
    try ada.perform(try ada.replica.undo(action: nil, now: Room.now).actions)
    #expect(try ada.fields("zelda", in: bobs.zone) == BobsGroup.zelda)
  }

  @Test func `pending edits of a group that becomes read-only are rejected and counted`()
    throws
  {
    let bobs = BobsGroup()
    let ada = try TestDevice(bobs.room, "laptop")
    try ada.goOffline()
    try ada.save("zelda", ["company": .string("Acme")], in: bobs.zone)
    try ada.save("new", ["firstName": .string("New")], in: bobs.zone)
    bobs.room.broker.share(bobs.zone, title: "Rowing", owner: "bob", isWritable: false)
    try ada.goOnline()
    #expect(try ada.fields("zelda", in: bobs.zone) == BobsGroup.zelda)
    #expect(try ada.fields("new", in: bobs.zone) == nil)
    let rejected = try ada.reader.rejectedEdits()
    #expect(rejected.map(\.code) == [.permissionFailure, .permissionFailure])
    #expect(rejected[0].changes.set == ["company": .string("Acme")])
    #expect(rejected[1].changes.set == ["firstName": .string("New")])
    #expect(rejected.allSatisfy { $0.message.contains("Rowing") })
    let ledger = try ada.reader.status().ledger
    #expect(ledger.rejected == 2)
    #expect(ledger.pending == 0)
  }
}
