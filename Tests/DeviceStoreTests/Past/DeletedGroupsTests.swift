import AddressBook
import DeviceRoom
import Records
import SyncCore
import Testing

@testable import DeviceStore

@Suite("N1 deleted groups in the trash")
struct DeletedGroupsTests {
  private let room = Room()
  private let group = ZoneID(name: ZoneName(5))
  private let laptop: TestDevice
  private let phone: TestDevice

  init() throws {
    laptop = try TestDevice(room, "laptop")
    phone = try TestDevice(room, "phone")
    try laptop.edit([.createZone(group, title: "Rowing")])
    for name in ["a", "b"] { try laptop.save(name, ["firstName": .string(name)], in: group) }
  }

  private func listed(_ device: TestDevice) throws -> [String] {
    try device.reader.deletedGroups().map { "\($0.title) \($0.deletion.recordCount)" }
  }

  private func isShown(_ device: TestDevice) throws -> Bool {
    try device.reader.groups().contains { $0.zone == group }
  }

  @Test func `a group that was deleted with its contacts is in the trash of every device`() throws {
    try laptop.edit([.deleteZone(group)])
    let tablet = try TestDevice(room, "tablet")
    for device in [laptop, phone, tablet] {
      #expect(try listed(device) == ["Rowing 2"])
      #expect(try !isShown(device))
      #expect(try device.fields("a", in: group) == nil)
    }
    try phone.restart()
    #expect(try listed(phone) == ["Rowing 2"])
  }

  @Test func `another device restores it with its contacts, on all devices`() throws {
    try laptop.edit([.deleteZone(group)])
    try phone.edit([.restoreZone(group)])
    for device in [laptop, phone] {
      #expect(try listed(device).isEmpty && isShown(device))
      for name in ["a", "b"] { #expect(try device.fields(name, in: group) != nil) }
    }
    try laptop.save("c", ["firstName": .string("C")], in: group)
    #expect(try phone.fields("c", in: group) != nil)
    try phone.edit([.deleteZone(group)])
    #expect(try listed(laptop) == ["Rowing 3"])
  }

  @Test func `offline, the request waits for the broker`() throws {
    try laptop.edit([.deleteZone(group)])
    try phone.goOffline()
    try phone.edit([.restoreZone(group)])
    #expect(try listed(phone).isEmpty && !isShown(phone))
    let again = #expect(throws: RecordsError.self) { try phone.edit([.restoreZone(group)]) }
    #expect(again?.code == .unknownItem)
    try phone.restart()
    try phone.goOnline()
    #expect(try isShown(phone) && isShown(laptop))
    #expect(try phone.fields("a", in: group) != nil)
  }

  @Test func `a device that has missed the deletion goes on with the restored group`() throws {
    try phone.goOffline()
    try phone.save("mine", ["firstName": .string("M")], in: group)
    try laptop.edit([.deleteZone(group)])
    try laptop.edit([.restoreZone(group)])
    try phone.goOnline()
    for device in [laptop, phone] {
      for name in ["a", "b", "mine"] { #expect(try device.fields(name, in: group) != nil) }
    }
    #expect(try phone.reader.rejectedEdits().isEmpty)
  }

  @Test func `a device that deleted it and missed the answer shows the restored group`() throws {
    phone.isDeaf = true
    try phone.edit([.deleteZone(group)])
    try laptop.edit([.restoreZone(group)])
    try phone.goOffline()
    try phone.goOnline()
    #expect(try isShown(phone) && listed(phone).isEmpty)
    #expect(try phone.fields("a", in: group) != nil)
  }

  @Test func `a device that deleted it and missed the directory shows the restored group`() throws {
    phone.isDeaf = true
    try phone.edit([.deleteZone(group)])
    phone.isDeaf = false
    let outcome = ModifyOutcome(number: RequestNumber(1), groups: [[.zoneDeleted]], time: Room.now)
    try phone.hear(.outcome(outcome), replyTo: 0)
    try phone.goOffline()
    try laptop.edit([.restoreZone(group)])
    try phone.goOnline()
    #expect(try isShown(phone) && listed(phone).isEmpty)
    #expect(try phone.fields("a", in: group) != nil)
  }

  @Test func `an erased group is refused with its reason and leaves the trash`() throws {
    try laptop.edit([.deleteZone(group)])
    try phone.goOffline()
    try phone.edit([.restoreZone(group)])
    try laptop.perform(laptop.replica.emptyTrash(now: Room.now).actions)
    #expect(try listed(laptop).isEmpty)
    try phone.goOnline()
    #expect(try listed(phone).isEmpty && !isShown(phone))
  }

  @Test func `emptying the trash counts the contacts of deleted groups`() throws {
    try laptop.save("c", ["firstName": .string("C")])
    try laptop.delete("c")
    try laptop.edit([.deleteZone(group)])
    let (erased, actions) = try phone.replica.emptyTrash(now: Room.now)
    try phone.perform(actions)
    #expect(erased == 3)
    #expect(try listed(laptop).isEmpty && listed(phone).isEmpty)
    #expect(
      room.broker.zones[group.resolved(for: room.broker.account)]?.isRestorable == false)
  }

  @Test func `emptying the trash offline erases only what the device knew then`() throws {
    try laptop.edit([.deleteZone(group)])
    try phone.goOffline()
    #expect(try phone.replica.emptyTrash(now: Room.now).erased == 2)
    try laptop.edit([.restoreZone(group)])
    try laptop.save("unseen", ["firstName": .string("U")], in: group)
    try laptop.edit([.deleteZone(group)])
    try phone.goOnline()
    #expect(try listed(laptop) == ["Rowing 3"])
    #expect(try listed(phone) == ["Rowing 3"])
    try phone.perform(phone.replica.emptyTrash(now: Room.now).actions)
    #expect(try listed(laptop).isEmpty && listed(phone).isEmpty)
  }

  @Test func `emptying the trash leaves a group whose restoration waits`() throws {
    try laptop.edit([.deleteZone(group)])
    try phone.goOffline()
    try phone.edit([.restoreZone(group)])
    #expect(try phone.replica.emptyTrash(now: Room.now).erased == 0)
    try phone.goOnline()
    #expect(try isShown(phone) && isShown(laptop))
    #expect(try laptop.fields("a", in: group) != nil)
  }

  @Test func `undo after a restoration leaves the group and says why`() throws {
    try laptop.edit([.deleteZone(group)])
    let (action, actions) = try laptop.replica.perform(
      [.restoreZone(group)], as: UserAction(.restore), now: Room.now)
    try laptop.perform(actions)
    let report = try laptop.replica.undo(action: nil, now: Room.now).report
    #expect(report.undone.id == action)
    #expect(report.leftAlone.map(\.what.reason) == [.groupInUse])
  }

  @Test func `emptying the trash erases a group that was empty too`() throws {
    for name in ["a", "b"] { try laptop.delete(name, in: group) }
    try laptop.edit([.deleteZone(group)])
    try phone.perform(phone.replica.emptyTrash(now: Room.now).actions)
    let zone = room.broker.zones[group.resolved(for: room.broker.account)]
    #expect(zone?.isRestorable == false)
  }

  @Test func `a group whose contacts were moved away first is not in the trash`() throws {
    for name in ["a", "b"] {
      let fields = try #require(try laptop.fields(name, in: group))
      try laptop.edit([
        .save(TestDevice.contact(name, fields)),
        .delete(RecordID(zone: group, name: RecordName(stored: name)), version: nil),
      ])
    }
    try laptop.edit([.deleteZone(group)])
    #expect(try listed(laptop).isEmpty && listed(phone).isEmpty)
  }

  @Test func `a group whose contacts were deleted first is in the trash, with them`() throws {
    for name in ["a", "b"] { try laptop.delete(name, in: group) }
    try laptop.edit([.deleteZone(group)])
    #expect(try listed(laptop) == ["Rowing 0"] && listed(phone) == ["Rowing 0"])
  }

  @Test func `after thirty days a device forgets it`() throws {
    try laptop.edit([.deleteZone(group)])
    let day: Int64 = 86_400
    for count in 0...32 {
      _ = try phone.replica.forgetPast(now: Room.now.adding(seconds: Int64(count) * day + 1))
    }
    #expect(try listed(phone).isEmpty)
    #expect(try listed(laptop) == ["Rowing 2"])
  }
}
