// Many unconfirmed deletions wait for a person.

import AddressBook
import Contacts
import DeviceRoom
import DeviceStore
import Records
import SyncCore
import Testing

@Suite("C7, Z1, I17 the guard holds deletions")
struct DeletionHoldTests {
  private let room = Room()
  private let team = ZoneID(name: ZoneName(7))
  private let daySeconds: Int64 = 86_400

  /// A device with this number of contacts, named `c0` and so on.
  private func device(_ contacts: Int, in zone: ZoneID = .standard) throws -> TestDevice {
    let device = try TestDevice(room, "laptop")
    if zone != .standard { try device.edit([.createZone(zone, title: "Team")]) }
    for index in 0..<contacts {
      try device.save("c\(index)", ["firstName": .string("C\(index)")], in: zone)
    }
    return device
  }

  private func deletion(_ index: Int, in zone: ZoneID = .standard) -> LocalEdit {
    .delete(RecordID(zone: zone, name: RecordName(stored: "c\(index)")), version: nil)
  }

  private func delete(
    _ indices: Range<Int>, from device: TestDevice, in zone: ZoneID = .standard,
    at now: Timestamp = Room.now
  ) throws {
    for index in indices {
      let edits = [deletion(index, in: zone)]
      try device.perform(device.replica.edit(edits, isAsked: false, now: now))
    }
  }

  private func emptied(isAsked: Bool) throws -> TestDevice {
    let device = try device(30)
    try device.edit((0..<25).map { deletion($0) }, isAsked: isAsked)
    return device
  }

  /// How many of the contacts the broker has.
  private func kept(_ contacts: Int, in zone: ZoneID = .standard) throws -> Int {
    try (0..<contacts).filter { try room.broker.fields("c\($0)", in: zone) != nil }.count
  }

  private func held(_ device: TestDevice) throws -> Int {
    try device.reader.status().heldDeletions
  }

  private func expectQuiet(_ device: TestDevice) throws {
    let status = try device.reader.status()
    #expect(status.waitingEntries == 0 && status.heldDeletions == 0)
    #expect(status.ledger.isBalanced)
  }

  @Test func `a caller that waits for everything does not wait for held deletions`() throws {
    let device = try emptied(isAsked: false)
    try device.perform(device.replica.synchronize(id: 7, now: Room.now))
    #expect(device.synchronized == [7])
    try device.goOffline()
    try device.save("new", ["firstName": .string("New")])
    try device.perform(device.replica.synchronize(id: 8, now: Room.now))
    #expect(device.synchronized == [7])
    try device.goOnline()
    #expect(device.synchronized == [7, 8])
    #expect(try held(device) == 25)
  }

  // MARK: At once

  @Test func `unconfirmed deletions are held, other edits are not`() throws {
    let device = try emptied(isAsked: false)
    #expect(try held(device) == 25)
    #expect(try room.broker.fields("c1") != nil)
    try device.save("new", ["firstName": .string("New")])
    #expect(try room.broker.fields("new") != nil)
  }

  @Test func `confirmed deletions go out`() throws {
    let device = try emptied(isAsked: true)
    try expectQuiet(device)
    #expect(try room.broker.fields("c1") == nil)
  }

  @Test func `accepted deletions go out`() throws {
    let device = try emptied(isAsked: false)
    try device.perform(device.replica.acceptDeletions(now: Room.now))
    #expect(try room.broker.fields("c1") == nil)
    try expectQuiet(device)
  }

  @Test func `refused deletions show their records again`() throws {
    let device = try emptied(isAsked: false)
    try device.perform(device.replica.refuseDeletions(now: Room.now))
    #expect(try device.reader.records(in: .standard).count == 30)
    try expectQuiet(device)
    #expect(try room.broker.fields("c1") != nil)
  }

  @Test func `refused deletions do not create a contact again that was moved since`() throws {
    let device = try emptied(isAsked: false)
    let phone = try TestDevice(room, "phone")
    try phone.edit([.createZone(team, title: "Team")])
    let copy = LocalEdit.RecordSave(
      id: RecordID(zone: team, name: RecordName(stored: "c0")), type: ContactRecord.type,
      changes: FieldChanges(set: ["firstName": .string("C0")]), expectation: .absent)
    try phone.edit([.save(copy), deletion(0)])
    try device.perform(device.replica.refuseDeletions(now: Room.now))
    #expect(try device.reader.records(in: .standard).count == 29)
    #expect(try room.broker.fields("c0") == nil)
    #expect(try room.broker.fields("c0", in: team) != nil)
    #expect(try room.broker.fields("c1") != nil)
  }

  @Test func `nor a first contact that was moved on another device before it was ever sent`() throws
  {
    let phone = try TestDevice(room, "phone", isOnline: false, bundled: BundledContacts.all())
    let laptop = try TestDevice(room, "laptop", isOnline: false, bundled: BundledContacts.all())
    let name = RecordName(stored: "bundled-1-01")
    let fields = try #require(try phone.fields(name.text))
    try phone.edit([.createZone(team, title: "Team")])
    let copy = LocalEdit.RecordSave(
      id: RecordID(zone: team, name: name), type: ContactRecord.type,
      changes: FieldChanges(set: fields), expectation: .absent)
    let original = LocalEdit.delete(RecordID(zone: .standard, name: name), version: nil)
    try phone.edit([.save(copy), original])
    for index in 0..<20 { try laptop.save("c\(index)", ["firstName": .string("C\(index)")]) }
    let bundled = try BundledContacts.all().map { contact in
      LocalEdit.delete(RecordID(zone: .standard, name: contact.name), version: nil)
    }
    try laptop.edit(bundled + (0..<20).map { deletion($0) }, isAsked: false)
    try phone.goOnline()
    try laptop.goOnline()
    #expect(try held(laptop) > 0)
    try laptop.perform(laptop.replica.refuseDeletions(now: Room.now))
    let others = Set(try BundledContacts.all().map(\.name)).subtracting([name])
    let shown = Set(try laptop.reader.records(in: .standard).map(\.id.name))
    #expect(shown.isSuperset(of: others) && shown.count >= 20 + others.count)
    for device in [phone, laptop] { #expect(try device.fields(name.text) == nil) }
    #expect(try room.broker.fields(name.text) == nil)
    #expect(try room.broker.fields(name.text, in: team) != nil)
  }

  // MARK: One by one

  @Test(arguments: [(100, 50), (30, 20), (41, 20)])
  func `one by one while live, no more go than at once`(contacts: Int, free: Int) throws {
    let device = try device(contacts)
    try delete(0..<contacts, from: device)
    #expect(try held(device) == contacts - free)
    #expect(try kept(contacts) == contacts - free)
    try device.restart()
    #expect(try kept(contacts) == contacts - free)
  }

  @Test func `a refusal brings back those that were sent, with their content, on every device`()
    throws
  {
    let device = try device(100)
    let phone = try TestDevice(room, "phone")
    try device.save("c3", ["company": .string("Edited")])
    try delete(0..<90, from: device)
    #expect(try phone.fields("c3") == nil)
    try device.restart()
    try device.perform(device.replica.refuseDeletions(now: Room.now))
    try expectQuiet(device)
    for each in [device, phone] {
      #expect(try each.reader.records(in: .standard).count == 100)
      #expect(try each.fields("c3") == ["firstName": .string("C3"), "company": .string("Edited")])
      #expect(try each.fields("c80") == ["firstName": .string("C80")])
    }
  }

  @Test func `what was typed and not sent before it was deleted comes back as well`() throws {
    let device = try device(30)
    try device.goOffline()
    try device.save("c4", ["company": .string("Typed offline")])
    try device.save("c30", ["firstName": .string("New")])
    try delete(0..<31, from: device)
    try device.perform(device.replica.refuseDeletions(now: Room.now))
    try device.goOnline()
    try expectQuiet(device)
    #expect(try room.broker.fields("c4")?["company"] == .string("Typed offline"))
    #expect(try room.broker.fields("c30") != nil)
  }

  @Test func `an answer ends the count`() throws {
    let device = try device(100)
    try delete(0..<60, from: device)
    try device.perform(device.replica.acceptDeletions(now: Room.now))
    #expect(try kept(100) == 40)
    // Of the 40 that were left, 20 are free.
    try delete(60..<80, from: device)
    #expect(try held(device) == 0)
    try delete(80..<81, from: device)
    #expect(try held(device) == 1)
    try device.perform(device.replica.refuseDeletions(now: Room.now))
    #expect(try kept(100) == 40)
    try delete(60..<80, from: device)
    #expect(try held(device) == 0)
  }

  @Test func `a day without an unconfirmed deletion ends the count`() throws {
    let device = try device(40)
    try delete(0..<15, from: device)
    let almost = Room.now.adding(seconds: daySeconds - 1)
    try delete(15..<20, from: device, at: almost)
    #expect(try held(device) == 0)
    let tomorrow = almost.adding(seconds: daySeconds)
    try delete(20..<40, from: device, at: tomorrow)
    #expect(try held(device) == 0)
    #expect(try kept(40) == 0)
  }

  @Test func `until then the deletions add up`() throws {
    let device = try device(40)
    try delete(0..<15, from: device)
    let almost = Room.now.adding(seconds: daySeconds - 1)
    try delete(15..<21, from: device, at: almost)
    #expect(try held(device) == 1)
    // What is held waits for an answer, however long.
    let later = almost.adding(seconds: 3 * daySeconds)
    try delete(21..<22, from: device, at: later)
    #expect(try held(device) == 2)
    try device.perform(device.replica.refuseDeletions(now: later))
    #expect(try kept(40) == 40)
  }

  @Test func `deletions in one group say nothing of another`() throws {
    let device = try device(30, in: team)
    for index in 30..<60 { try device.save("c\(index)", ["firstName": .string("C")]) }
    try delete(0..<20, from: device, in: team)
    try delete(30..<50, from: device)
    #expect(try held(device) == 0)
    try delete(20..<21, from: device, in: team)
    #expect(try held(device) == 1)
    try device.perform(device.replica.refuseDeletions(now: Room.now))
    #expect(try kept(30, in: team) == 30)
    #expect(try kept(60) == 10)
  }

  @Test func `confirmed deletions do not count, also of what an import had just changed`() throws {
    let device = try device(30)
    try device.goOffline()
    let changes = (0..<25).map {
      LocalEdit.save(TestDevice.contact("c\($0)", ["company": .string("Imported")]))
    }
    try device.edit(changes, isAsked: false)
    for index in 0..<25 { try device.edit([deletion(index)]) }
    try delete(25..<27, from: device)
    #expect(try held(device) == 0)
    try device.goOnline()
    #expect(try kept(30) == 3)
    try expectQuiet(device)
  }

  @Test func `a contact that was deleted again by a person stays deleted`() throws {
    let device = try device(30)
    try delete(0..<5, from: device)
    _ = try device.perform(
      device.replica.restore([RecordName(stored: "c2")], now: Room.now).actions)
    try device.delete("c2")
    try delete(5..<25, from: device)
    #expect(try held(device) > 0)
    try device.perform(device.replica.refuseDeletions(now: Room.now))
    #expect(try device.fields("c2") == nil)
    #expect(try kept(30) == 29)
  }

  @Test func `what a person erased from the trash does not come back`() throws {
    let device = try device(60)
    try delete(0..<5, from: device)
    _ = try device.perform(device.replica.emptyTrash(now: Room.now).actions)
    try delete(5..<40, from: device)
    try device.perform(device.replica.refuseDeletions(now: Room.now))
    #expect(try kept(60) == 55)
    try expectQuiet(device)
  }

  @Test func `an import that brings a held contact back is not held`() throws {
    let device = try emptied(isAsked: false)
    try device.edit([.save(TestDevice.contact("c1", ["company": .string("Back")]))], isAsked: false)
    #expect(try held(device) == 24)
    #expect(try room.broker.fields("c1")?["company"] == .string("Back"))
  }

  @Test func `a deletion that is held stays held when the edit before it has to be sent again`()
    throws
  {
    let device = try device(30)
    try delete(1..<21, from: device)
    let name = RecordName(stored: "c0")
    room.broker.refusesOnce[name] = RecordsError(.batchRequestFailed, "Sent again.", record: name)
    device.isDeaf = true
    try device.save("c0", ["company": .string("Laptop")])
    try delete(0..<1, from: device)
    #expect(try held(device) == 1)
    try device.goOffline()
    try device.goOnline()
    #expect(try held(device) == 1)
    #expect(try room.broker.fields("c0") != nil)
    try device.perform(device.replica.refuseDeletions(now: Room.now))
    #expect(try room.broker.fields("c0")?["company"] == .string("Laptop"))
    try expectQuiet(device)
  }

  // MARK: Groups

  private func groupDeletion(keeping names: [Int] = []) -> [LocalEdit] {
    names.map { .save(TestDevice.contact("c\($0)", ["firstName": .string("C\($0)")])) }
      + [.deleteZone(team)]
  }

  private func shows(_ device: TestDevice) throws -> Bool {
    try device.reader.groups().contains { $0.zone == team }
  }

  @Test func `a group of more than twenty is hidden here and stays everywhere else`() throws {
    let device = try device(25, in: team)
    let phone = try TestDevice(room, "phone")
    try device.edit(groupDeletion(), isAsked: false)
    #expect(try held(device) == 26)
    #expect(try !shows(device) && device.reader.records(in: team).isEmpty)
    #expect(try shows(phone) && phone.reader.records(in: team).count == 25)
    #expect(throws: RecordsError.self) { try device.edit(groupDeletion()) }
    try device.restart()
    #expect(try !shows(device) && shows(phone))
  }

  @Test func `refused, it shows again with all its contacts`() throws {
    let device = try device(25, in: team)
    try device.edit(groupDeletion(), isAsked: false)
    try device.restart()
    try device.perform(device.replica.refuseDeletions(now: Room.now))
    #expect(try shows(device) && device.reader.records(in: team).count == 25)
    try expectQuiet(device)
    try device.save("c0", ["company": .string("Works")], in: team)
    #expect(try room.broker.fields("c0", in: team)?["company"] == .string("Works"))
  }

  @Test func `undone, it shows again with all its contacts, under its own id`() throws {
    let device = try device(25, in: team)
    try device.edit(groupDeletion(), isAsked: false)
    _ = try device.perform(device.replica.undo(action: nil, now: Room.now).actions)
    #expect(try shows(device) && device.reader.records(in: team).count == 25)
    try expectQuiet(device)
  }

  @Test func `accepted, it goes`() throws {
    let device = try device(25, in: team)
    let phone = try TestDevice(room, "phone")
    try device.edit(groupDeletion(), isAsked: false)
    try device.perform(device.replica.acceptDeletions(now: Room.now))
    #expect(try !shows(device) && !shows(phone))
    try expectQuiet(device)
  }

  @Test func `a small group goes, unless its contacts went one by one before it`() throws {
    let device = try device(20, in: team)
    try device.edit(groupDeletion(), isAsked: false)
    try expectQuiet(device)
    #expect(try !shows(device))
    let other = try TestDevice(Room(), "other")
    try other.edit([.createZone(team, title: "Team")])
    for index in 0..<30 { try other.save("c\(index)", ["firstName": .string("C")], in: team) }
    try delete(0..<15, from: other, in: team)
    #expect(try held(other) == 0)
    try other.edit(groupDeletion(), isAsked: false)
    #expect(try held(other) == 16)
    try other.perform(other.replica.refuseDeletions(now: Room.now))
    #expect(try other.reader.records(in: team).count == 30)
    try expectQuiet(other)
  }

  @Test func `a confirmed group, and one whose contacts are kept, go`() throws {
    let device = try device(25, in: team)
    try device.edit(groupDeletion(keeping: Array(0..<25)), isAsked: false)
    try expectQuiet(device)
    #expect(try device.reader.records(in: .standard).count == 25)
    let other = ZoneID(name: ZoneName(8))
    try device.edit([.createZone(other, title: "Other")])
    for index in 0..<25 { try device.save("d\(index)", ["firstName": .string("D")], in: other) }
    try device.edit([.deleteZone(other)])
    try expectQuiet(device)
    #expect(try device.reader.groups().count == 1)
  }
}
