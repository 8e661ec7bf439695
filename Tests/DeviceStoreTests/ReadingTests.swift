// Reading a zone from its start: the first time, after a token expired, after the broker lost
// history. Nothing that this device still holds for its person goes without a word.

import AddressBook
import DeviceRoom
import DeviceStore
import Records
import SyncCore
import Testing

@Suite("I14, I23 reading a zone from its start")
struct ReadingTests {
  private let room = Room()
  private let ann: Fields = ["firstName": .string("Ann")]

  @Test func `an expired token sweeps what was deleted meanwhile and keeps unsent edits`() throws {
    let (laptop, phone) = try pair()
    for name in ["a", "b", "c"] { try laptop.save(name, ann) }
    try phone.goOffline()
    try phone.save("b", ["lastName": .string("Lee")])
    try phone.save("d", ann)
    try laptop.delete("a")
    try laptop.delete("b")
    room.broker.reapTombstones()
    try phone.goOnline()
    #expect(try phone.fields("a") == nil)
    #expect(try phone.fields("c") == ann)
    // Deleted there, edited here: the edit stays and is listed.
    #expect(try laptop.fields("b")?["lastName"] == .string("Lee"))
    #expect(try laptop.fields("d") == ann)
    #expect(try phone.reader.conflicts().map(\.kind) == [.deletedThere])
    try expectSame(laptop, phone)
  }

  @Test func `a restored backup gets back what devices still hold`() throws {
    let (laptop, phone) = try pair()
    try laptop.save("a", ann)
    let backup = room.broker.backup()
    try laptop.save("b", ann)
    try phone.save("a", ["lastName": .string("Lee")])
    try laptop.goOffline()
    try phone.goOffline()
    room.broker.restore(backup)
    try laptop.goOnline()
    try phone.goOnline()
    #expect(try room.broker.fields("b") == ann)
    #expect(try room.broker.fields("a")?["lastName"] == .string("Lee"))
    #expect(laptop.replica.phase == .live)
    try laptop.save("e", ann)
    try expectSame(laptop, phone)
  }

  @Test func `what was deleted before the backup stays deleted for a device that was away`() throws
  {
    let (laptop, phone) = try pair()
    for name in ["a", "b"] { try laptop.save(name, ann) }
    try phone.goOffline()
    try phone.save("e", ann)
    try laptop.delete("a")
    try laptop.save("c", ann)
    room.broker.reapTombstones()
    let backup = room.broker.backup()
    try laptop.save("d", ann)
    try laptop.goOffline()
    room.broker.restore(backup)
    try phone.goOnline()
    #expect(try phone.fields("a") == nil)
    #expect(try room.broker.fields("a") == nil)
    try laptop.goOnline()
    for name in ["b", "c", "d", "e"] { #expect(try room.broker.fields(name) == ann) }
    try expectSame(laptop, phone)
  }

  @Test func `what was damaged in the backup comes back, also from a device that has less of it`()
    throws
  {
    let (laptop, phone) = try pair()
    for name in ["a", "b", "c"] { try laptop.save(name, ann) }
    try phone.goOffline()
    try laptop.delete("c")
    try laptop.save("a", ["lastName": .string("Lee")])
    room.broker.reapTombstones()
    let backup = room.broker.backup()
    try laptop.goOffline()
    let damaged = ["a", "b"].map { RecordName(stored: $0) }
    room.broker.restore(backup, damaged: Set(damaged))
    // It knows the first state of “a” only, and it knows “c”, which was deleted since.
    try phone.goOnline()
    #expect(try room.broker.fields("a") == ann)
    #expect(try room.broker.fields("b") == ann)
    #expect(try room.broker.fields("c") == nil)
    #expect(try phone.fields("c") == nil)
    try laptop.goOnline()
    #expect(try room.broker.fields("a")?["lastName"] == .string("Lee"))
    try expectSame(laptop, phone)
  }

  @Test func `what is lost with a history that no backup goes on from comes back`() throws {
    let empty = room.broker.backup()
    let (laptop, phone) = try pair()
    try phone.save("a", ann)
    try phone.goOffline()
    try laptop.goOffline()
    // Another history grows as far as the first had, and is what the next backup is of.
    room.broker.restore(empty)
    try laptop.delete("a")
    try laptop.goOnline()
    for name in ["b", "c", "d"] { try laptop.save(name, ann) }
    try laptop.goOffline()
    room.broker.restore(room.broker.backup())
    try phone.goOnline()
    #expect(try room.broker.fields("a") == ann)
    try laptop.goOnline()
    try expectSame(laptop, phone)
  }

  @Test func `a reinstalled broker gets the records of its devices`() throws {
    let empty = room.broker.backup()
    let (laptop, phone) = try pair()
    for index in 0..<20 { try laptop.save("c\(index)", ann) }
    try laptop.goOffline()
    try phone.goOffline()
    try laptop.delete("c3")
    room.broker.restore(empty)
    try laptop.goOnline()
    try phone.goOnline()
    #expect(try room.broker.fields("c1") == ann)
    try expectSame(laptop, phone)
  }

  @Test func `what a device saved and another deleted before its first reading is gone`() throws {
    let laptop = try TestDevice(room, "laptop")
    let phone = try TestDevice(room, "phone")
    let group = ZoneID(name: ZoneName(5))
    // The laptop hears nothing of its group's making, nor of its record in it.
    laptop.isDeaf = true
    try laptop.edit([.createZone(group, title: "Choir")])
    try laptop.save("r", ann, in: group)
    try laptop.save("s", ann, in: group)
    #expect(try phone.fields("r", in: group) == ann)
    try phone.delete("r", in: group)
    #expect(try laptop.fields("r", in: group) == ann)
    try laptop.restart()
    #expect(try laptop.fields("r", in: group) == nil)
    #expect(try laptop.fields("s", in: group) == ann)
    try expectSame(laptop, phone, in: group)
  }

  @Test func `a group made here and deleted elsewhere before its making was confirmed is gone`()
    throws
  {
    let (laptop, phone) = try pair()
    let group = ZoneID(name: ZoneName(5))
    laptop.isDeaf = true
    try laptop.edit([.createZone(group, title: "Choir")])
    try laptop.save("r", ann, in: group)
    try phone.edit([.deleteZone(group)])
    try laptop.restart()
    #expect(try laptop.reader.groups().map(\.zone) == [.standard])
    #expect(try laptop.reader.rejectedEdits().contains { $0.changes.set == ann })
    #expect(try laptop.reader.status().waitingEntries == 0)
  }

  // MARK: -

  private func pair() throws -> (TestDevice, TestDevice) {
    (try TestDevice(room, "laptop"), try TestDevice(room, "phone"))
  }

  private func expectSame(
    _ one: TestDevice, _ other: TestDevice, in zone: ZoneID = .standard
  ) throws {
    for device in [one, other] {
      let status = try device.reader.status()
      #expect(status.waitingEntries == 0)
      #expect(status.ledger.isBalanced, "\(status.ledger)")
      for view in try device.reader.records(in: zone) {
        #expect(try room.broker.fields(view.id.name.text, in: zone) == view.fields)
      }
    }
    let count = try one.reader.records(in: zone).count
    #expect(try other.reader.records(in: zone).count == count)
  }
}
