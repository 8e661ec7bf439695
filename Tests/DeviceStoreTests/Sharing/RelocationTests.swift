import Contacts
import DeviceRoom
import Records
import SyncCore
import Testing

@testable import DeviceStore

@Suite("Z1, I9, I13 what was edited while it was moved")
struct RelocationTests {
  private let room = Room()
  private let rowing = ZoneID(name: ZoneName(5))
  private let choir = ZoneID(name: ZoneName(6))

  /// A laptop and a phone with one contact in the standard group, and two other groups.
  private func devices() throws -> (laptop: TestDevice, phone: TestDevice) {
    let laptop = try TestDevice(room, "laptop")
    try laptop.edit([
      .createZone(rowing, title: "Rowing"), .createZone(choir, title: "Choir"),
      .save(
        TestDevice.contact("ada", ["firstName": .string("Ada"), "note": .string("old")])),
    ])
    return (laptop, try TestDevice(room, "phone"))
  }

  private func move(
    _ name: String, _ device: TestDevice, to target: ZoneID, from source: ZoneID = .standard,
    setting more: Fields = Fields()
  ) throws {
    let fields = try #require(try device.fields(name, in: source))
    let all = FieldChanges(set: more).applied(to: fields)
    try device.edit([
      .save(TestDevice.contact(name, all, in: target)),
      .delete(RecordID(zone: source, name: RecordName(stored: name)), version: nil),
    ])
  }

  private var zones: [ZoneID] { [.standard, rowing, choir] }

  /// The zones in which a device shows the contact, and where the broker has it.
  private func places(of name: String, on device: TestDevice) throws -> [ZoneID] {
    try zones.filter { try device.fields(name, in: $0) != nil }
  }

  private func expectOne(
    in zone: ZoneID, _ expected: [FieldKey: String], on devices: [TestDevice],
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    for device in devices {
      #expect(try places(of: "ada", on: device) == [zone], sourceLocation: sourceLocation)
      for (key, text) in expected {
        #expect(
          try device.fields("ada", in: zone)?[key] == .string(text),
          sourceLocation: sourceLocation)
      }
      let status = try device.reader.status()
      #expect(status.waitingEntries == 0, sourceLocation: sourceLocation)
      let ledger = status.ledger
      #expect(ledger.isBalanced, "\(ledger)", sourceLocation: sourceLocation)
    }
    #expect(
      try zones.filter { try room.broker.fields("ada", in: $0) != nil } == [zone],
      sourceLocation: sourceLocation)
  }

  @Test func `an edit made offline follows the contact to its new group`() throws {
    let (laptop, phone) = try devices()
    try phone.goOffline()
    try phone.save("ada", ["note": .string("typed offline")])
    try move("ada", laptop, to: rowing)
    try phone.goOnline()
    try expectOne(
      in: rowing, ["firstName": "Ada", "note": "typed offline"], on: [laptop, phone])
    #expect(try phone.reader.conflicts().isEmpty)
  }

  @Test func `what both changed is a conflict in the new group, and can be resolved there`() throws
  {
    let (laptop, phone) = try devices()
    try phone.goOffline()
    try phone.save("ada", ["note": .string("the phone's")])
    try move("ada", laptop, to: rowing, setting: ["note": .string("the laptop's")])
    try phone.goOnline()
    try expectOne(in: rowing, ["note": "the laptop's"], on: [laptop, phone])
    let conflict = try #require(try laptop.reader.conflicts().first)
    #expect(conflict.id.zone == rowing)
    #expect(conflict.losing == .string("the phone's"))
    try laptop.perform(
      try laptop.replica.resolve(conflict: conflict.id, choice: .theirs, now: Room.now).actions)
    try expectOne(in: rowing, ["note": "the phone's"], on: [laptop, phone])
    #expect(try phone.reader.conflicts().isEmpty)
  }

  @Test func `an edit that reached the broker first follows as well`() throws {
    let (laptop, phone) = try devices()
    try laptop.goOffline()
    try move("ada", laptop, to: rowing)
    try phone.save("ada", ["note": .string("typed meanwhile")])
    try laptop.goOnline()
    try expectOne(
      in: rowing, ["firstName": "Ada", "note": "typed meanwhile"], on: [laptop, phone])
    #expect(try laptop.reader.conflicts().isEmpty)
  }

  @Test(arguments: [false, true])
  func `two moves to different groups end in one of them`(isEdited: Bool) throws {
    let (laptop, phone) = try devices()
    try phone.goOffline()
    try move("ada", phone, to: choir, setting: isEdited ? ["note": .string("phone")] : Fields())
    try move("ada", laptop, to: rowing)
    try phone.goOnline()
    try expectOne(in: rowing, ["note": isEdited ? "phone" : "old"], on: [laptop, phone])
    #expect(try phone.reader.conflicts().isEmpty)
  }

  @Test func `two moves to one group end there`() throws {
    let (laptop, phone) = try devices()
    try phone.goOffline()
    try move("ada", phone, to: rowing, setting: ["note": .string("phone")])
    try move("ada", laptop, to: rowing)
    try phone.goOnline()
    try expectOne(in: rowing, ["firstName": "Ada", "note": "phone"], on: [laptop, phone])
  }

  @Test
  func `two moves of a first contact end in one group, though one device never met the other`()
    throws
  {
    let ada = (name: RecordName(stored: "bundled-1-01"), fields: ["note": .string("Ada")] as Fields)
    let laptop = try TestDevice(room, "laptop", bundled: [ada])
    let phone = try TestDevice(room, "phone", isOnline: false, bundled: [ada])
    for (device, group) in [(phone, rowing), (laptop, choir)] {
      try device.edit([.createZone(group, title: "\(group)")])
      try move(ada.name.text, device, to: group)
    }
    try phone.goOnline()
    for device in [laptop, phone] {
      #expect(try places(of: ada.name.text, on: device) == [choir])
      #expect(try device.reader.status().waitingEntries == 0)
    }
  }

  @Test func `a move back and forth against an edit ends where it was moved last`() throws {
    let (laptop, phone) = try devices()
    try phone.goOffline()
    try phone.save("ada", ["note": .string("phone")])
    try move("ada", laptop, to: rowing)
    try move("ada", laptop, to: choir, from: rowing)
    try phone.goOnline()
    try expectOne(in: choir, ["note": "phone"], on: [laptop, phone])
    try move("ada", laptop, to: .standard, from: choir)
    try expectOne(in: .standard, ["note": "phone"], on: [laptop, phone])
  }

  @Test func `an edit waits for a group that is not read yet, also across a restart`() throws {
    let (laptop, phone) = try devices()
    try phone.goOffline()
    try phone.save("ada", ["note": .string("phone")])
    try move("ada", laptop, to: rowing)
    room.broker.silentZones = [rowing.resolved(for: room.broker.account)]
    try phone.goOnline()
    #expect(try phone.fields("ada")?["note"] == .string("phone"))
    #expect(try room.broker.fields("ada") == nil, "It is not sent to where it is gone.")
    try phone.restart()
    #expect(try room.broker.fields("ada") == nil)
    room.broker.silentZones = []
    try phone.goOffline()
    try phone.goOnline()
    try expectOne(in: rowing, ["note": "phone"], on: [laptop, phone])
  }

  @Test func `what is deleted for good comes back with the edit, as before`() throws {
    let (laptop, phone) = try devices()
    try phone.goOffline()
    try phone.save("ada", ["note": .string("phone")])
    try laptop.delete("ada")
    try phone.goOnline()
    try expectOne(in: .standard, ["note": "phone"], on: [laptop, phone])
    #expect(try laptop.reader.conflicts().map(\.kind) == [.deletedThere])
  }

  @Test func `a former id finds the contact on every device, whichever news comes first`() throws {
    let (laptop, phone) = try devices()
    let tablet = try TestDevice(room, "tablet")
    let former = RecordID(zone: .standard, name: RecordName(stored: "ada")).publicID.text
    try tablet.goOffline()
    try move("ada", laptop, to: rowing)
    try move("ada", phone, to: choir, from: rowing)
    try tablet.goOnline()
    for device in [laptop, phone, tablet] {
      let found = try device.reader.records(identifiedBy: former, type: ContactRecord.type)
      #expect(found.map(\.id.zone) == [choir])
    }
  }

  @Test func `an edit that waited is sent once the contact is back where it was`() throws {
    let (laptop, phone) = try devices()
    try phone.goOffline()
    try phone.save("ada", ["note": .string("phone")])
    try move("ada", laptop, to: rowing)
    room.broker.silentZones = [rowing.resolved(for: room.broker.account)]
    try phone.goOnline()
    try laptop.perform(try laptop.replica.undo(action: nil, now: Room.now).actions)
    room.broker.silentZones = []
    try phone.goOffline()
    try phone.goOnline()
    try expectOne(in: .standard, ["note": "phone"], on: [laptop, phone])
    try phone.save("ada", ["company": .string("later")])
    try expectOne(in: .standard, ["note": "phone", "company": "later"], on: [laptop, phone])
  }

  @Test func `a copy that was saved with its outcome lost gives way, and goes from the broker`()
    throws
  {
    let (laptop, phone) = try devices()
    try phone.goOffline()
    try move("ada", phone, to: choir)
    try move("ada", laptop, to: rowing)
    phone.isOnline = true
    phone.isDeaf = true
    try phone.perform(phone.replica.brokerAppeared())
    try phone.goOffline()
    try phone.goOnline()
    try expectOne(in: rowing, ["firstName": "Ada"], on: [laptop, phone])
  }

  @Test func `what an older device did not change stays as it is in the moved contact`() throws {
    let (laptop, phone) = try devices()
    phone.ignoresMoves = true
    try phone.goOffline()
    try phone.save("ada", ["company": .string("typed offline")])
    try laptop.save("ada", ["note": .string("newer")])
    try move("ada", laptop, to: rowing)
    try phone.goOnline()
    try expectOne(in: rowing, ["note": "newer", "company": "typed offline"], on: [laptop, phone])
    #expect(try laptop.reader.conflicts().filter { $0.kind == .values }.isEmpty)
  }

  @Test func `what was taken out of a shared group does not follow another participant's move`()
    throws
  {
    let bobs = ZoneID(owner: AccountID(0xB0B), name: ZoneName(9))
    let others = ZoneID(owner: AccountID(0xB0B), name: ZoneName(10))
    for zone in [bobs, others] {
      room.broker.share(zone, title: "Bob's \(zone.name.value)", owner: "bob", isWritable: true)
    }
    room.broker.put("eve", ["firstName": .string("Eve")], type: ContactRecord.type, in: bobs)
    let phone = try TestDevice(room, "phone")
    try phone.goOffline()
    try move("eve", phone, to: .standard, from: bobs, setting: ["note": .string("private")])
    let id = MoveID(77)
    room.broker.put(
      "eve", ["firstName": .string("Eve"), MoveTrail.field: .list([.bytes(id.bytes)])],
      type: ContactRecord.type, in: others)
    room.broker.remove("eve", in: bobs, move: id)
    try phone.goOnline()
    #expect(try room.broker.fields("eve", in: others)?["note"] == nil)
    #expect(try room.broker.fields("eve")?["note"] == .string("private"))
    #expect(try phone.reader.status().waitingEntries == 0)
  }

  @Test func `the history of a moved contact begins where it was made`() throws {
    let (laptop, phone) = try devices()
    try laptop.save("ada", ["note": .string("second")])
    try move("ada", laptop, to: rowing)
    try phone.save("ada", ["note": .string("third")], in: rowing)
    for device in [laptop, phone] {
      let history = try device.reader.history(of: RecordName(stored: "ada"), in: rowing)
      let notes = history.states.map { $0.fields?["note"] }
      #expect(notes.first == .string("old") && notes.last == .string("third"))
      #expect(notes.contains(.string("second")) && !notes.contains(nil))
    }
  }

  // MARK: Undo

  @Test func `a move of a contact in conflict is undone with its conflict`() throws {
    let (laptop, phone) = try devices()
    _ = try disagree(laptop, phone)
    try move("ada", laptop, to: rowing)
    try laptop.perform(try laptop.replica.undo(action: nil, now: Room.now).actions)
    try expectOne(in: .standard, ["note": "the laptop's"], on: [laptop, phone])
    for device in [laptop, phone] {
      #expect(try device.reader.conflicts().map(\.id.zone) == [.standard])
    }
  }

  @Test func `a moved contact counts once, in the list of actions and when the move is undone`()
    throws
  {
    let (laptop, phone) = try devices()
    _ = try disagree(laptop, phone)
    try move("ada", laptop, to: rowing)
    #expect(try laptop.reader.actions(limit: 1).map(\.edits) == [1])
    let (report, actions) = try laptop.replica.undo(action: nil, now: Room.now)
    try laptop.perform(actions)
    #expect(report.setBack.map(\.zone) == [.standard])
    #expect(try laptop.reader.actions(limit: 1).map(\.edits) == [1])
  }

  @Test func `an undone move brings back what was changed since, and leaves no copy`() throws {
    let (laptop, phone) = try devices()
    try move("ada", laptop, to: rowing)
    try phone.save("ada", ["note": .string("phone")], in: rowing)
    try laptop.perform(try laptop.replica.undo(action: nil, now: Room.now).actions)
    try expectOne(in: .standard, ["note": "phone"], on: [laptop, phone])
  }

  @Test func `an undone move leaves alone what was moved on`() throws {
    let (laptop, phone) = try devices()
    try move("ada", laptop, to: rowing)
    try move("ada", phone, to: choir, from: rowing)
    let (report, actions) = try laptop.replica.undo(action: nil, now: Room.now)
    try laptop.perform(actions)
    #expect(report.leftAlone.map(\.what.reason) == [.deletedSince])
    try expectOne(in: choir, ["note": "old"], on: [laptop, phone])
  }

  @Test(arguments: [true, false])
  func `deleted, moved and edited on three devices, it is in one group`(
    isMoverFirst: Bool
  ) throws {
    let (laptop, phone) = try devices()
    let tablet = try TestDevice(room, "tablet")
    for device in [laptop, phone] { try device.goOffline() }
    try move("ada", laptop, to: rowing)
    try phone.save("ada", ["note": .string("phone")])
    try tablet.delete("ada")
    for device in isMoverFirst ? [laptop, phone] : [phone, laptop] { try device.goOnline() }
    try expectOne(in: rowing, ["note": "phone"], on: [laptop, phone, tablet])
  }

  @Test(arguments: [true, false])
  func `deleted on one device and moved on two, it is in one group`(isEdited: Bool) throws {
    let (laptop, phone) = try devices()
    let tablet = try TestDevice(room, "tablet")
    for device in [laptop, phone] { try device.goOffline() }
    try move("ada", laptop, to: rowing)
    try move("ada", phone, to: choir)
    if isEdited { try phone.save("ada", ["note": .string("phone")], in: choir) }
    try tablet.delete("ada")
    for device in [laptop, phone] { try device.goOnline() }
    try expectOne(
      in: rowing, ["firstName": "Ada", "note": isEdited ? "phone" : "old"],
      on: [laptop, phone, tablet])
  }

  @Test func `what was moved and deleted before it was sent was deleted`() throws {
    let (laptop, phone) = try devices()
    let tablet = try TestDevice(room, "tablet")
    for device in [laptop, phone, tablet] { try device.goOffline() }
    try move("ada", laptop, to: rowing)
    try laptop.delete("ada", in: rowing)
    try move("ada", phone, to: choir)
    try move("ada", tablet, to: rowing)
    for device in [laptop, phone, tablet] { try device.goOnline() }
    try expectOne(in: choir, ["firstName": "Ada"], on: [laptop, phone, tablet])
  }

  // MARK: Devices that do not know moves

  @Test func `what a device without moves creates again is merged into the moved contact`() throws {
    let (laptop, phone) = try devices()
    phone.ignoresMoves = true
    try phone.goOffline()
    try phone.save("ada", ["note": .string("phone")])
    try move("ada", laptop, to: rowing)
    try phone.goOnline()
    try expectOne(in: rowing, ["firstName": "Ada", "note": "phone"], on: [laptop, phone])
    for conflict in try laptop.reader.conflicts() { #expect(conflict.id.zone == rowing) }
  }

  @Test func `two newer devices merge it once`() throws {
    let (laptop, phone) = try devices()
    let tablet = try TestDevice(room, "tablet")
    phone.ignoresMoves = true
    try phone.goOffline()
    try phone.save("ada", ["note": .string("phone")])
    try move("ada", laptop, to: rowing)
    try phone.goOnline()
    try expectOne(in: rowing, ["note": "phone"], on: [laptop, phone, tablet])
  }

  @Test func `what is put back from the trash on purpose stays`() throws {
    let (laptop, phone) = try devices()
    try move("ada", laptop, to: rowing)
    try phone.save("ada", ["firstName": .string("Ada"), "note": .string("on purpose")])
    for device in [laptop, phone] {
      #expect(try places(of: "ada", on: device) == [.standard, rowing])
    }
  }

  // MARK: Others

  @Test func `an edit stays where it is if the contact went where this account cannot see it`()
    throws
  {
    let bobs = ZoneID(owner: AccountID(0xB0B), name: ZoneName(9))
    room.broker.share(bobs, title: "Bob's", owner: "bob", isWritable: true)
    room.broker.put(
      "eve", ["firstName": .string("Eve")], type: ContactRecord.type, in: bobs)
    let phone = try TestDevice(room, "phone")
    try phone.goOffline()
    try phone.save("eve", ["note": .string("phone")], in: bobs)
    room.broker.remove("eve", in: bobs, move: MoveID(77))
    try phone.goOnline()
    #expect(try phone.fields("eve", in: bobs)?["note"] == .string("phone"))
    #expect(try room.broker.fields("eve", in: bobs)?["note"] == .string("phone"))
    #expect(try phone.reader.conflicts().map(\.kind) == [.deletedThere])
  }

  @Test func `another account cannot attract an edit with the id of a move that it saw`() throws {
    let (laptop, phone) = try devices()
    let bobs = ZoneID(owner: AccountID(0xB0B), name: ZoneName(9))
    room.broker.share(bobs, title: "Bob's", owner: "bob", isWritable: true)
    try phone.goOffline()
    try phone.save("ada", ["note": .string("private")])
    try move("ada", laptop, to: rowing)
    let trail = try #require(try laptop.fields("ada", in: rowing)?[MoveTrail.field])
    room.broker.put(
      "ada", [MoveTrail.field: trail, "firstName": .string("Mallory")],
      type: ContactRecord.type, in: bobs)
    room.broker.silentZones = [rowing.resolved(for: room.broker.account)]
    try phone.goOnline()
    #expect(try room.broker.fields("ada", in: bobs)?["note"] == nil)
    room.broker.silentZones = []
    try phone.goOffline()
    try phone.goOnline()
    #expect(try room.broker.fields("ada", in: bobs)?["note"] == nil)
    #expect(try room.broker.fields("ada", in: rowing)?["note"] == .string("private"))
  }

  // MARK: Conflicts

  /// Two values for one field, in conflict.
  private func disagree(_ laptop: TestDevice, _ phone: TestDevice) throws -> ConflictView {
    try phone.goOffline()
    try phone.save("ada", ["note": .string("the phone's")])
    try laptop.save("ada", ["note": .string("the laptop's")])
    try phone.goOnline()
    return try #require(try laptop.reader.conflicts().first)
  }

  @Test func `a conflict moves with its contact, and its other value can still be chosen`() throws {
    let (laptop, phone) = try devices()
    _ = try disagree(laptop, phone)
    try move("ada", laptop, to: rowing)
    for device in [laptop, phone] {
      let conflict = try #require(try device.reader.conflicts().first)
      #expect(conflict.id.zone == rowing)
      #expect(conflict.title == "Ada")
    }
    let conflict = try #require(try phone.reader.conflicts().first)
    try phone.perform(
      try phone.replica.resolve(conflict: conflict.id, choice: .mine, now: Room.now).actions)
    try expectOne(in: rowing, ["note": "the phone's"], on: [laptop, phone])
    #expect(try laptop.reader.conflicts().isEmpty)
  }

  @Test func `a conflict that is found after the move follows it`() throws {
    let (laptop, phone) = try devices()
    try laptop.goOffline()
    try move("ada", laptop, to: rowing)
    let tablet = try TestDevice(room, "tablet")
    _ = try disagree(tablet, phone)
    try laptop.goOnline()
    for device in [laptop, phone, tablet] {
      #expect(try device.reader.conflicts().map(\.id.zone) == [rowing])
    }
    try expectOne(in: rowing, ["note": "the laptop's"], on: [laptop, phone, tablet])
  }
}
