// Groups that the broker lost with a part of its history. Devices create them again from their local copies.

import AddressBook
import DeviceRoom
import DeviceStore
import Records
import SyncCore
import Testing

@Suite("I23, Z1, N2 groups that the broker lost")
struct ZoneRecreationTests {
  private let room = Room()
  private let choir = ZoneID(name: ZoneName(5))
  private let ann: Fields = ["firstName": .string("Ann")]

  @Test func `a group made after the backup comes back with everything in it`() throws {
    let (laptop, phone) = try pair()
    let backup = room.broker.backup()
    try laptop.edit([.createZone(choir, title: "Choir")])
    for name in ["a", "b"] { try laptop.save(name, ann, in: choir) }
    try phone.save("a", ["lastName": .string("Lee")], in: choir)
    try bothOffline(laptop, phone)
    room.broker.restore(backup)
    try laptop.goOnline()
    try phone.goOnline()
    try expectLevel(laptop, phone)
    #expect(try room.broker.fields("a", in: choir)?["lastName"] == .string("Lee"))
    #expect(try room.broker.fields("b", in: choir) == ann)
    #expect(try phone.reader.groups().map(\.title) == ["", "Choir"])
    #expect(try laptop.reader.conflicts().isEmpty)
  }

  @Test func `a reinstalled broker with the same account name gets the groups`() throws {
    let (laptop, phone) = try pair()
    try laptop.edit([.createZone(choir, title: "Choir")])
    try laptop.save("a", ann, in: choir)
    try laptop.save("b", ann)
    try bothOffline(laptop, phone)
    room.broker.reinstall()
    for device in [laptop, phone] { device.forgetDevice() }
    try laptop.goOnline()
    try phone.goOnline()
    try expectLevel(laptop, phone)
    #expect(try room.broker.fields("a", in: choir) == ann)
    #expect(try room.broker.fields("b") == ann)
  }

  @Test func `what waits for a lost group goes out behind its making`() throws {
    let (laptop, phone) = try pair()
    let backup = room.broker.backup()
    try laptop.edit([.createZone(choir, title: "Choir")])
    for name in ["a", "b", "c"] { try laptop.save(name, ann, in: choir) }
    try bothOffline(laptop, phone)
    try laptop.edit([.renameZone(choir, title: "Singers")])
    try laptop.save("a", ["lastName": .string("Lee")], in: choir)
    try laptop.save("d", ann, in: choir)
    try laptop.delete("b", in: choir)
    room.broker.restore(backup)
    try laptop.goOnline()
    try phone.goOnline()
    try expectLevel(laptop, phone)
    #expect(try room.broker.fields("a", in: choir)?["lastName"] == .string("Lee"))
    #expect(try room.broker.fields("d", in: choir) == ann)
    #expect(try phone.reader.groups().map(\.title) == ["", "Singers"])
    #expect(try laptop.reader.rejectedEdits().isEmpty)
  }

  @Test func `an edit under way when its group is lost is sent again, not refused`() throws {
    let (laptop, phone) = try pair()
    let backup = room.broker.backup()
    try laptop.edit([.createZone(choir, title: "Choir")])
    try laptop.save("a", ann, in: choir)
    // The broker has it, and its answer is lost with the history.
    laptop.isDeaf = true
    try laptop.save("a", ["lastName": .string("Lee")], in: choir)
    try laptop.save("b", ann, in: choir)
    try phone.goOffline()
    room.broker.restore(backup)
    try laptop.restart()
    try phone.goOnline()
    try expectLevel(laptop, phone)
    #expect(try room.broker.fields("a", in: choir)?["lastName"] == .string("Lee"))
    #expect(try room.broker.fields("b", in: choir) == ann)
    #expect(try laptop.reader.rejectedEdits().isEmpty)
  }

  @Test func `a group deleted before the backup is not made again`() throws {
    let (laptop, phone) = try pair()
    try laptop.edit([.createZone(choir, title: "Choir")])
    try laptop.save("a", ann, in: choir)
    try phone.goOffline()
    try laptop.edit([.deleteZone(choir)])
    let backup = room.broker.backup()
    try laptop.goOffline()
    room.broker.restore(backup)
    try phone.goOnline()
    try laptop.goOnline()
    for device in [laptop, phone] {
      #expect(try device.reader.groups().map(\.title) == [""])
      #expect(try device.reader.status().waitingEntries == 0)
    }
  }

  @Test func `a device that dies before its lost group is made goes on with it`() throws {
    let (laptop, phone) = try pair()
    let backup = room.broker.backup()
    try laptop.edit([.createZone(choir, title: "Choir")])
    try laptop.save("a", ann, in: choir)
    try bothOffline(laptop, phone)
    room.broker.restore(backup)
    // It hears what was lost, and nothing of what it does about it.
    room.broker.nextRefusal = RecordsError(.serviceUnavailable, "Later.")
    try laptop.goOnline()
    try laptop.restart()
    try phone.goOnline()
    try expectLevel(laptop, phone)
    #expect(try room.broker.fields("a", in: choir) == ann)
  }

  @Test func `a group that two devices make again shows its later title on both`() throws {
    let (laptop, phone) = try pair()
    let backup = room.broker.backup()
    try laptop.edit([.createZone(choir, title: "Choir")])
    try bothOffline(laptop, phone)
    room.broker.restore(backup, isRewound: true)
    // The phone asks for the group, and hears nothing of it before the laptop has renamed it.
    room.broker.nextRefusal = RecordsError(.serviceUnavailable, "Later.")
    try phone.goOnline()
    try phone.goOffline()
    try laptop.goOnline()
    try laptop.edit([.renameZone(choir, title: "Singers")])
    try phone.goOnline()
    try expectLevel(laptop, phone)
    for device in [laptop, phone] {
      #expect(try device.reader.groups().map(\.title) == ["", "Singers"])
    }
  }

  @Test func `a group whose repeated deletion is rejected is as the directory says`() throws {
    let (laptop, phone) = try pair()
    try laptop.edit([.createZone(choir, title: "Choir")])
    room.broker.share(
      choir.resolved(for: room.broker.account), title: "Choir", owner: "", isWritable: true,
      role: .owner)
    let backup = room.broker.backup()
    try laptop.edit([.deleteZone(choir)])
    try bothOffline(laptop, phone)
    room.broker.restore(backup)
    let tablet = try TestDevice(room, "tablet")
    try tablet.save("a", ann, in: choir)
    try phone.goOnline()
    let group = try #require(try phone.reader.groups().first { $0.zone == choir })
    #expect(group.isShared)
    #expect(try phone.fields("a", in: choir) == ann)
  }

  // MARK: Deletions that the broker lost

  /// Seed 120368 of the simulation. The contacts of the deleted group had been sent again after an earlier restore, so they
  /// are states of a history before the one in which it was deleted.
  @Test(arguments: [true, false])
  func `a deleted group does not return from a device that was away for one restore or two`(
    isAwayForBoth: Bool
  ) throws {
    let (laptop, phone) = try pair()
    let backup = room.broker.backup()
    try laptop.edit([.createZone(choir, title: "Choir")])
    for name in ["a", "b"] { try laptop.save(name, ann, in: choir) }
    try bothOffline(laptop, phone)
    room.broker.restore(backup)
    try laptop.goOnline()
    if !isAwayForBoth { try phone.goOnline() }
    try laptop.delete("b", in: choir)
    try phone.goOffline()
    try laptop.edit([.deleteZone(choir)])
    try laptop.goOffline()
    room.broker.restore(backup)
    try phone.goOnline()
    #expect(try phone.fields("a", in: choir) == ann, "the phone makes the group again")
    try laptop.goOnline()
    try expectDeleted(on: [laptop, phone])
  }

  @Test func `nor from a backup of a time before an earlier restore`() throws {
    let (laptop, phone) = try pair()
    try laptop.edit([.createZone(choir, title: "Choir")])
    try phone.save("a", ann, in: choir)
    let backup = room.broker.backup()
    for isDeleted in [false, true] {
      if isDeleted { try laptop.edit([.deleteZone(choir)]) }
      try bothOffline(laptop, phone)
      room.broker.restore(backup)
      try laptop.goOnline()
      try phone.goOnline()
    }
    try expectDeleted(on: [laptop, phone])
  }

  @Test func `but it stays with what was saved in a history that its deletion does not know`()
    throws
  {
    let (laptop, phone) = try pair()
    let backup = room.broker.backup()
    try laptop.edit([.createZone(choir, title: "Choir")])
    try laptop.save("a", ann, in: choir)
    try phone.goOffline()
    try laptop.edit([.deleteZone(choir)])
    try laptop.goOffline()
    for isEdited in [true, false] {
      room.broker.restore(backup)
      try phone.goOnline()
      if isEdited { try phone.save("a", ["lastName": .string("Lee")], in: choir) }
      if isEdited { try phone.goOffline() }
    }
    try laptop.goOnline()
    try expectLevel(laptop, phone)
    #expect(try laptop.fields("a", in: choir)?["lastName"] == .string("Lee"))
    #expect(try laptop.reader.rejectedEdits().map(\.title) == ["Choir"])
  }

  @Test func `a deletion by a person counts as read only what its position contains`() throws {
    let (laptop, phone) = try pair()
    let backup = room.broker.backup()
    try laptop.edit([.createZone(choir, title: "Choir")])
    try laptop.save("a", ann, in: choir)
    try bothOffline(laptop, phone)
    room.broker.restore(backup)
    try laptop.goOnline()
    try laptop.edit([.deleteZone(choir)])
    let operations = room.broker.requests.last?.groups.flatMap(\.operations)
    guard case .deleteZone(_?, former: let former)? = operations?.last else {
      Issue.record("The deletion was not sent.")
      return
    }
    #expect(former.isEmpty)
  }

  // MARK: -

  private func expectDeleted(on devices: [TestDevice]) throws {
    #expect(room.broker.zones[choir.resolved(for: room.broker.account)]?.isDeleted == true)
    for device in devices {
      #expect(try device.reader.groups().map(\.title) == [""])
      #expect(try device.reader.rejectedEdits().isEmpty)
      let status = try device.reader.status()
      #expect(status.waitingEntries == 0 && status.ledger.isBalanced)
    }
  }

  private func pair() throws -> (TestDevice, TestDevice) {
    (try TestDevice(room, "laptop"), try TestDevice(room, "phone"))
  }

  private func bothOffline(_ one: TestDevice, _ other: TestDevice) throws {
    try one.goOffline()
    try other.goOffline()
  }

  private func expectLevel(_ one: TestDevice, _ other: TestDevice) throws {
    for device in [one, other] {
      let status = try device.reader.status()
      #expect(status.waitingEntries == 0)
      #expect(status.ledger.isBalanced, "\(status.ledger)")
      for zone in [ZoneID.standard, choir] {
        for view in try device.reader.records(in: zone) {
          #expect(view.isSynced)
          #expect(try room.broker.fields(view.id.name.text, in: zone) == view.fields)
        }
      }
    }
    for zone in [ZoneID.standard, choir] {
      let count = try one.reader.records(in: zone).count
      #expect(try other.reader.records(in: zone).count == count)
    }
  }
}
