import AddressBook
import DeviceRoom
import DeviceStore
import Records
import SyncCore
import TestTiers
import Testing

@Suite("Undo on a device")
struct UndoPlanTests {
  private let room = Room()
  private let ada: Fields = ["firstName": .string("Ada"), "company": .string("Old")]

  private func undo(_ device: TestDevice, _ number: Int64? = nil) throws -> UndoReport {
    let (report, actions) = try device.replica.undo(action: number, now: Room.now)
    try device.perform(actions)
    return report
  }

  @Test func `an edit is undone on every device, also after a restart`() throws {
    let laptop = try TestDevice(room, "laptop")
    let phone = try TestDevice(room, "phone")
    try laptop.save("a", ada)
    try laptop.save("a", ["company": .string("New")])
    try laptop.restart()
    let report = try undo(laptop)
    #expect(report.setBack.map(\.title) == ["Ada"])
    #expect(try laptop.fields("a") == ada)
    #expect(try phone.fields("a") == ada)
    #expect(try room.broker.fields("a") == ada)
  }

  @Test func `what another device changed since is left alone and named`() throws {
    let laptop = try TestDevice(room, "laptop")
    let phone = try TestDevice(room, "phone")
    try laptop.save("a", ada)
    try laptop.save("a", ["company": .string("New"), "note": .string("mine")])
    try phone.save("a", ["company": .string("Of the phone")])
    let report = try undo(laptop)
    #expect(report.leftAlone.map(\.what.field) == ["company"])
    #expect(
      try laptop.fields("a") == [
        "firstName": .string("Ada"), "company": .string("Of the phone"),
      ])
  }

  @Test func `an unsent edit is withdrawn: nothing of it reaches the broker`() throws {
    let laptop = try TestDevice(room, "laptop")
    try laptop.save("a", ada)
    let sent = room.broker.requests.count
    try laptop.goOffline()
    try laptop.save("a", ["company": .string("Never seen")])
    _ = try undo(laptop)
    #expect(try laptop.reader.status().waitingEntries == 0)
    try laptop.goOnline()
    #expect(room.broker.requests.count == sent)
    let ledger = try laptop.reader.status().ledger
    #expect(ledger.isBalanced && ledger.undone == 2)
  }

  @Test func `a deletion is undone after the broker has it, with the same name`() throws {
    let laptop = try TestDevice(room, "laptop")
    let phone = try TestDevice(room, "phone")
    try laptop.save("a", ada)
    try laptop.delete("a")
    #expect(try phone.fields("a") == nil)
    _ = try undo(laptop)
    #expect(try phone.fields("a") == ada)
    #expect(try laptop.reader.trash(before: nil, limit: 10).isEmpty)
  }

  @Test func `undo goes back step by step and an undo can be undone`() throws {
    let laptop = try TestDevice(room, "laptop")
    try laptop.save("a", ada)
    try laptop.save("a", ["company": .string("B")])
    try laptop.save("a", ["company": .string("C")])
    let last = try undo(laptop)
    #expect(try laptop.fields("a")?["company"] == .string("B"))
    _ = try undo(laptop)
    #expect(try laptop.fields("a")?["company"] == .string("Old"))
    _ = try undo(laptop)
    #expect(try laptop.fields("a") == nil)
    #expect(throws: RecordsError.self) { try undo(laptop) }
    let again = try #require(last.action)
    let redone = try undo(laptop, again)
    // The contact is gone by now, so there is nothing to set.
    #expect(redone.leftAlone.map(\.what.reason) == [.deletedSince])
  }

  @Test func `an action undone is not undone again, and its undo says how to do it again`() throws {
    let laptop = try TestDevice(room, "laptop")
    try laptop.save("a", ada)
    let report = try undo(laptop)
    let error = #expect(throws: RecordsError.self) { try undo(laptop, report.undone.id) }
    #expect(error?.code == .invalidArguments)
    #expect(error?.hint.contains(String(try #require(report.action))) == true)
    _ = try undo(laptop, report.action)
    #expect(try laptop.fields("a") == ada)
  }

  @Test func `a title is left alone in a group whose contacts are leaving it`() throws {
    let group = ZoneID(name: ZoneName(5))
    let laptop = try TestDevice(room, "laptop")
    try laptop.edit([.createZone(group, title: "Rowing")])
    try laptop.save("a", ada, in: group)
    let (rename, actions) = try laptop.replica.perform(
      [.renameZone(group, title: "Boats")], as: UserAction(.renameGroup), now: Room.now)
    try laptop.perform(actions)
    try laptop.goOffline()
    try laptop.edit([
      .save(TestDevice.contact("a", ada)),
      .delete(RecordID(zone: group, name: RecordName(stored: "a")), version: nil),
      .deleteZone(group),
    ])
    let report = try undo(laptop, rename)
    #expect(report.leftAlone.map(\.what.reason) == [.groupGone])
  }

  @Test func `several calls of one action are one undo`() throws {
    let laptop = try TestDevice(room, "laptop")
    let phone = try TestDevice(room, "phone")
    let (number, actions) = try laptop.replica.perform(
      [.save(TestDevice.contact("a", ada))], as: UserAction(.import), isAsked: false,
      now: Room.now)
    try laptop.perform(actions)
    for name in ["b", "c"] {
      let (same, more) = try laptop.replica.perform(
        [.save(TestDevice.contact(name, ada))], as: UserAction(.import, continuing: number),
        isAsked: false, now: Room.now)
      #expect(same == number)
      try laptop.perform(more)
    }
    #expect(try laptop.reader.actions(limit: 5).map(\.edits) == [3])
    #expect(try laptop.reader.actions(limit: 5).map(\.kind) == [.import])
    let report = try undo(laptop)
    #expect(report.setBack.count == 3)
    for name in ["a", "b", "c"] { #expect(try phone.fields(name) == nil) }
  }

  @Test func `one action that touches a record twice is undone to its beginning`() throws {
    let laptop = try TestDevice(room, "laptop")
    try laptop.save("a", ada)
    try laptop.edit([
      .save(TestDevice.contact("a", ["company": .string("1")])),
      .save(TestDevice.contact("a", ["company": .string("2")])),
      .delete(RecordID(zone: .standard, name: RecordName(stored: "a")), version: nil),
    ])
    _ = try undo(laptop)
    #expect(try laptop.fields("a") == ada)
  }

  @Test func `N1 a deleted group comes back with its contacts, under another id`() throws {
    let laptop = try TestDevice(room, "laptop")
    let phone = try TestDevice(room, "phone")
    let zone = ZoneID(name: ZoneName(77))
    try laptop.edit([.createZone(zone, title: "Club")])
    try laptop.save("a", ada, in: zone)
    try laptop.save("b", ada, in: zone)
    try laptop.edit([.deleteZone(zone)])
    #expect(try phone.reader.groups().count == 1)
    let report = try undo(laptop)
    #expect(report.setBack.count == 3)
    for device in [laptop, phone] {
      let groups = try device.reader.groups()
      #expect(groups.map(\.title) == ["", "Club"])
      let fresh = try #require(groups.last).zone
      #expect(fresh != zone)
      #expect(try device.reader.records(in: fresh).map(\.fields) == [ada, ada])
    }
    // And gone again.
    _ = try undo(laptop, report.action)
    #expect(try phone.reader.groups().count == 1)
  }

  @Test func `a group made here goes only while nobody else uses it`() throws {
    let laptop = try TestDevice(room, "laptop")
    let phone = try TestDevice(room, "phone")
    let zone = ZoneID(name: ZoneName(78))
    try laptop.edit([.createZone(zone, title: "Club")])
    try phone.save("x", ada, in: zone)
    let report = try undo(laptop)
    #expect(report.setBack.isEmpty && report.action == nil)
    #expect(report.leftAlone.map(\.what.reason) == [.groupInUse])
    #expect(try laptop.reader.groups().count == 2)
  }

  @Test func `a title changed since stays`() throws {
    let laptop = try TestDevice(room, "laptop")
    let phone = try TestDevice(room, "phone")
    let zone = ZoneID(name: ZoneName(79))
    try laptop.edit([.createZone(zone, title: "One")])
    try laptop.edit([.renameZone(zone, title: "Two")])
    try phone.edit([.renameZone(zone, title: "Three")])
    let report = try undo(laptop)
    #expect(report.leftAlone.map(\.what.reason) == [.changedSince])
    #expect(try laptop.reader.groups().last?.title == "Three")
  }

  @Test func `an action that cannot be undone is reported once, then an older one is undone`()
    throws
  {
    let laptop = try TestDevice(room, "laptop")
    let phone = try TestDevice(room, "phone")
    try laptop.save("a", ada)
    try laptop.save("b", ["company": .string("Old")])
    try laptop.save("a", ["company": .string("New")])
    try phone.save("a", ["company": .string("Of the phone")])
    let stuck = try undo(laptop)
    #expect(stuck.action == nil && stuck.leftAlone.map(\.what.reason) == [.changedSince])
    try laptop.restart()
    let older = try undo(laptop)
    #expect(older.undone.id < stuck.undone.id && older.action != nil)
    #expect(try laptop.fields("b") == nil)
    // By its number, it is tried again.
    try phone.save("a", ["company": .string("New")])
    let again = try undo(laptop, stuck.undone.id)
    #expect(again.action != nil)
    #expect(try phone.fields("a") == ada)
  }

  @Test func `an undo by number that fails does not hide the action from later undos`() throws {
    let laptop = try TestDevice(room, "laptop")
    try laptop.save("a", ada)
    try laptop.save("a", ["company": .string("B")])
    let first = try #require(try laptop.reader.actions(limit: 2).last)
    try laptop.save("a", ["company": .string("C")])
    let middle = first.id + 1
    #expect(try undo(laptop, middle).action == nil)
    _ = try undo(laptop)
    #expect(try undo(laptop).undone.id == middle)
    #expect(try laptop.fields("a") == ada)
  }

  @Test(.onlyInCheck)
  func `the oldest actions are forgotten beyond a bound, their edits with them`() throws {
    let laptop = try TestDevice(room, "laptop")
    for number in 0..<1_010 { try laptop.save("a", ["company": .string("\(number)")]) }
    let actions = try laptop.reader.actions(limit: 2_000)
    #expect(actions.count == 1_000)
    #expect(throws: RecordsError.self) { try undo(laptop, 1) }
  }
}
