import AddressBook
import DeviceRoom
import Records
import SyncCore
import Testing

@testable import DeviceStore

@Suite("N1 the deletion of a group deletes nothing that its author has not seen")
struct GroupDeletionTests {
  private let room = Room()
  private let group = ZoneID(name: ZoneName(5))
  private let laptop: TestDevice
  private let phone: TestDevice

  init() throws {
    laptop = try TestDevice(room, "laptop")
    phone = try TestDevice(room, "phone")
    try laptop.edit([.createZone(group, title: "Rowing")])
  }

  private func isDeleted() -> Bool {
    room.broker.zones[group.resolved(for: room.broker.account)]?.isDeleted == true
  }

  private func titles(_ device: TestDevice) throws -> [String] {
    try device.reader.groups().map(\.title)
  }

  /// The edits that move all contacts of the group to the standard zone and delete it.
  private func keepingContacts(_ device: TestDevice) throws -> [LocalEdit] {
    let records = try device.reader.records(in: group).filter {
      $0.type == RecordType(stored: "Contact")
    }
    return records.flatMap { record -> [LocalEdit] in
      [
        .save(TestDevice.contact(record.id.name.text, record.fields)),
        .delete(record.id, version: nil),
      ]
    } + [.deleteZone(group)]
  }

  @Test
  func `a contact that was moved out before is not in both groups when the deletion is rejected`()
    throws
  {
    for name in ["a", "b"] { try phone.save(name, ["firstName": .string(name)], in: group) }
    try laptop.goOffline()
    try laptop.edit([
      .save(TestDevice.contact("a", try #require(try laptop.fields("a", in: group)))),
      .delete(RecordID(zone: group, name: RecordName(stored: "a")), version: nil),
    ])
    try laptop.edit([.deleteZone(group)])
    try phone.save("c", ["firstName": .string("c")], in: group)
    try laptop.goOnline()
    #expect(!isDeleted())
    for device in [laptop, phone] {
      #expect(try titles(device).contains("Rowing"))
      #expect(try device.fields("a") != nil)
      #expect(try device.fields("a", in: group) == nil)
      for name in ["b", "c"] { #expect(try device.fields(name, in: group) != nil) }
    }
  }

  @Test func `nor if its deletion there was under way and another device has edited it`() throws {
    for name in ["a", "b"] { try phone.save(name, ["firstName": .string(name)], in: group) }
    laptop.isDeaf = true
    try laptop.edit([
      .save(TestDevice.contact("a", try #require(try laptop.fields("a", in: group)))),
      .delete(RecordID(zone: group, name: RecordName(stored: "a")), version: nil),
    ])
    try phone.save("a", ["note": .string("new")], in: group)
    // The broker has the contact in its new group. The deletion in the old one is in a request then, which is lost.
    let device = try #require(laptop.device)
    let outcome = try #require(room.broker.outcomes[device]?.last)
    _ = try laptop.replica.received(.outcome(outcome), replyTo: 0, now: Room.now)
    try laptop.goOffline()
    try laptop.edit([.deleteZone(group)])
    try laptop.goOnline()
    #expect(!isDeleted())
    for device in [laptop, phone] {
      #expect(try device.fields("a")?["note"] == .string("new"))
      #expect(try device.fields("a", in: group) == nil)
      #expect(try device.fields("b", in: group) != nil)
    }
    let status = try laptop.reader.status()
    #expect(status.waitingEntries == 0 && status.ledger.isBalanced)
  }

  @Test func `a contact in conflict can be kept when its group is deleted with other records`()
    throws
  {
    try phone.save("a", ["note": .string("old")], in: group)
    try phone.save("b", ["note": .string("b")], in: group)
    try laptop.goOffline()
    try laptop.save("a", ["note": .string("the laptop's")], in: group)
    try phone.save("a", ["note": .string("the phone's")], in: group)
    try laptop.goOnline()
    #expect(try laptop.reader.conflicts().map(\.id.zone) == [group])
    try laptop.edit([
      .save(TestDevice.contact("a", try #require(try laptop.fields("a", in: group)))),
      .delete(RecordID(zone: group, name: RecordName(stored: "a")), version: nil),
      .deleteZone(group),
    ])
    #expect(isDeleted())
    for device in [laptop, phone] {
      #expect(try device.fields("a")?["note"] == .string("the phone's"))
      #expect(try device.reader.conflicts().map(\.id.zone) == [.standard])
    }
    #expect(try laptop.reader.status().ledger.isBalanced)
  }

  @Test func `contacts that another device has added meanwhile stay, and the group with them`()
    throws
  {
    try laptop.goOffline()
    for number in 1...3 { try phone.save("c\(number)", ["firstName": .string("C")], in: group) }
    try laptop.edit([.deleteZone(group)])
    #expect(try !titles(laptop).contains("Rowing"))
    try laptop.goOnline()
    #expect(!isDeleted())
    for device in [laptop, phone] {
      #expect(try titles(device).contains("Rowing"))
      for number in 1...3 { #expect(try device.fields("c\(number)", in: group) != nil) }
    }
    let rejected = try #require(try laptop.reader.rejectedEdits().first)
    #expect(rejected.isDeletion && rejected.title == "Rowing")
    #expect(
      rejected.message
        == "phone made 3 changes since; nothing was deleted. Look at them, then delete the group again."
    )
    #expect(laptop.notified.map(\.subscription) == [.rejectedDeletions])
    #expect(laptop.notified.first?.subject == .rejectedDeletion(group, title: "Rowing"))
  }

  @Test func `deleted again, with what has come since, it goes`() throws {
    try laptop.goOffline()
    try phone.save("c1", ["firstName": .string("C")], in: group)
    try laptop.edit([.deleteZone(group)])
    try laptop.goOnline()
    try laptop.edit([.deleteZone(group)])
    #expect(isDeleted())
    #expect(try phone.fields("c1", in: group) == nil)
  }

  @Test func `an edit of another device that the author has not received is kept`() throws {
    try laptop.save("c1", ["firstName": .string("C")], in: group)
    try laptop.goOffline()
    try phone.save("c1", ["firstName": .string("C"), "note": .string("new")], in: group)
    try laptop.edit([.deleteZone(group)])
    try laptop.goOnline()
    #expect(!isDeleted())
    #expect(try laptop.fields("c1", in: group)?["note"] == .string("new"))
  }

  @Test func `the author's own edits, sent or not, do not stop a deletion`() throws {
    try phone.save("c0", ["firstName": .string("P")], in: group)
    laptop.isDeaf = true
    try laptop.save("c1", ["firstName": .string("C")], in: group)
    try laptop.goOffline()
    try laptop.save("c2", ["firstName": .string("C")], in: group)
    try laptop.edit([.deleteZone(group)])
    try laptop.goOnline()
    #expect(isDeleted())
    #expect(try laptop.reader.rejectedEdits().isEmpty)
  }

  @Test func `what the author had not sent comes back as rejected edits with the group`() throws {
    try laptop.goOffline()
    try laptop.save("c1", ["firstName": .string("Mine")], in: group)
    try phone.save("c2", ["firstName": .string("C")], in: group)
    try laptop.edit([.deleteZone(group)])
    #expect(try laptop.reader.rejectedEdits().isEmpty)
    try laptop.goOnline()
    let rejected = try laptop.reader.rejectedEdits()
    #expect(rejected.map(\.title) == ["Mine", "Rowing"])
    #expect(rejected.first?.changes.set["firstName"] == .string("Mine"))
    try laptop.edit([.deleteZone(group)])
    #expect(isDeleted())
    #expect(try laptop.reader.rejectedEdits().count == 2, "until their user discards them")
  }

  @Test func `undone after it was rejected, the group is not made a second time`() throws {
    try laptop.goOffline()
    try laptop.save("c1", ["firstName": .string("Mine")], in: group)
    try phone.save("c2", ["firstName": .string("C")], in: group)
    try laptop.edit([.deleteZone(group)])
    try laptop.goOnline()
    try laptop.perform(try laptop.replica.undo(action: nil, now: Room.now).actions)
    for device in [laptop, phone] {
      #expect(try titles(device).count { $0 == "Rowing" } == 1)
      #expect(try device.fields("c1", in: group)?["firstName"] == .string("Mine"))
      #expect(try device.fields("c2", in: group) != nil)
    }
  }

  @Test func `once the group is gone, an unsent edit of a contact is erased`() throws {
    try laptop.save("c1", ["firstName": .string("C")], in: group)
    try laptop.goOffline()
    try laptop.save("c1", ["firstName": .string("secret")], in: group)
    try laptop.edit([.deleteZone(group)])
    try laptop.goOnline()
    #expect(isDeleted())
    #expect(try !laptop.holds("secret").contains("rejected_edit"))
    #expect(try laptop.reader.trash(before: nil, limit: 9).isEmpty)
  }

  @Test(arguments: [true, false])
  func `once the group is gone, a contact that was never sent is in the trash of its device`(
    isGroupSent: Bool
  ) throws {
    try laptop.goOffline()
    let group = isGroupSent ? group : ZoneID(name: ZoneName(6))
    if !isGroupSent { try laptop.edit([.createZone(group, title: "Chess")]) }
    try laptop.save("c1", ["firstName": .string("Mine")], in: group)
    try laptop.edit([.deleteZone(group)])
    try laptop.goOnline()
    let trash = try laptop.reader.trash(before: nil, limit: 9)
    #expect(trash.map(\.fields["firstName"]) == [.string("Mine")])
    let report = try laptop.replica.undo(action: nil, now: Room.now)
    try laptop.perform(report.actions)
    #expect(try laptop.reader.trash(before: nil, limit: 9).isEmpty, "it is in the group again")
  }

  @Test func `the position is that of the command, also if the device reads on before it sends`()
    throws
  {
    for number in 0...DeletionGuard.freeDeletions + 5 {
      try phone.save("f\(number)", ["firstName": .string("F")], in: group)
    }
    try laptop.edit([.deleteZone(group)], isAsked: false)
    #expect(!isDeleted(), "the deletion guard holds it")
    try phone.save("c2", ["firstName": .string("C")], in: group)
    try laptop.perform(try laptop.replica.acceptDeletions(now: Room.now))
    #expect(!isDeleted())
    #expect(try laptop.fields("c2", in: group) != nil)
  }

  @Test func `contacts that are kept move with what another device has changed meanwhile`() throws {
    for name in ["c1", "c2"] { try laptop.save(name, ["firstName": .string("C")], in: group) }
    try laptop.goOffline()
    try phone.save("c1", ["firstName": .string("C"), "note": .string("new")], in: group)
    try laptop.edit(keepingContacts(laptop))
    #expect(try !titles(laptop).contains("Rowing"))
    try laptop.goOnline()
    #expect(isDeleted())
    for device in [laptop, phone] {
      #expect(try device.fields("c1")?["note"] == .string("new"))
      #expect(try device.fields("c2") != nil)
      #expect(try !titles(device).contains("Rowing"))
    }
    #expect(try laptop.reader.rejectedEdits().isEmpty)
    let ledger = try laptop.reader.status().ledger
    #expect(
      ledger.made == ledger.applied + ledger.coalesced + ledger.undone + ledger.rejected
        + ledger.merged)
  }

  @Test func `contacts that arrive while others are kept stay in the group`() throws {
    try laptop.save("c1", ["firstName": .string("C")], in: group)
    try laptop.goOffline()
    try phone.save("c2", ["firstName": .string("C")], in: group)
    try laptop.edit(keepingContacts(laptop))
    try laptop.goOnline()
    for device in [laptop, phone] {
      #expect(try device.fields("c1") != nil)
      #expect(try device.fields("c1", in: group) == nil)
      #expect(try device.fields("c2", in: group) != nil)
      #expect(try titles(device).contains("Rowing"))
    }
    #expect(try laptop.reader.rejectedEdits().count == 1)
  }

  @Test func `contacts that find no place elsewhere stay, and their group with them`() throws {
    for name in ["c1", "c2"] { try laptop.save(name, ["firstName": .string("C")], in: group) }
    room.broker.poison = (
      name: RecordName(stored: "c1"), error: RecordsError(.quotaExceeded, "Full.")
    )
    try laptop.edit(keepingContacts(laptop))
    #expect(!isDeleted())
    for device in [laptop, phone] {
      #expect(try titles(device).contains("Rowing"))
      #expect(try device.fields("c1", in: group) != nil)
    }
    #expect(try laptop.reader.rejectedEdits().contains { $0.code == .quotaExceeded })
    let status = try laptop.reader.status()
    #expect(status.waitingEntries == 0 && status.ledger.isBalanced)
  }

  @Test func `after its rejection, the title is the one that another device has chosen meanwhile`()
    throws
  {
    try laptop.goOffline()
    try laptop.edit([.deleteZone(group)])
    try phone.edit([.renameZone(group, title: "Sailing")])
    try phone.save("a", ["firstName": .string("a")], in: group)
    try laptop.goOnline()
    #expect(!isDeleted())
    for device in [laptop, phone] { #expect(try titles(device).contains("Sailing")) }
  }

  @Test func `undone before it was sent, nothing happened`() throws {
    try laptop.save("c1", ["firstName": .string("C")], in: group)
    try laptop.goOffline()
    try laptop.edit(keepingContacts(laptop))
    try laptop.perform(try laptop.replica.undo(action: nil, now: Room.now).actions)
    #expect(try titles(laptop).contains("Rowing"))
    try laptop.goOnline()
    #expect(!isDeleted())
    for device in [laptop, phone] {
      #expect(try device.fields("c1", in: group) != nil)
      #expect(try device.fields("c1") == nil)
    }
  }

  @Test func `both devices delete it and keep its contacts`() throws {
    try laptop.save("c1", ["firstName": .string("C")], in: group)
    for device in [laptop, phone] {
      try device.goOffline()
      try device.edit(keepingContacts(device))
    }
    for device in [laptop, phone] { try device.goOnline() }
    #expect(isDeleted())
    for device in [laptop, phone] {
      #expect(try device.fields("c1") != nil)
      #expect(try !titles(device).contains("Rowing"))
      #expect(try device.reader.rejectedEdits().isEmpty)
      #expect(try device.reader.status().waitingEntries == 0)
    }
  }
}
