import DeviceRoom
import Records
import SyncCore
import Testing

@testable import DeviceStore

@Suite("Z1, I9, I23 moves and restores")
struct RestoredMoveTests {
  private let room = Room()
  private let rowing = ZoneID(name: ZoneName(5))
  private let choir = ZoneID(name: ZoneName(6))
  private let bob = AccountID(0xB0B)
  private let laptop: TestDevice
  private let phone: TestDevice

  init() throws {
    laptop = try TestDevice(room, "laptop")
    try laptop.edit([
      .createZone(rowing, title: "Rowing"), .createZone(choir, title: "Choir"),
      .save(TestDevice.contact("ada", ["note": .string("old")])),
    ])
    phone = try TestDevice(room, "phone")
  }

  private func move(
    _ name: String, _ device: TestDevice, from source: ZoneID = .standard, to target: ZoneID
  ) throws {
    let fields = try #require(try device.fields(name, in: source))
    try device.edit([
      .save(TestDevice.contact(name, fields, in: target)),
      .delete(RecordID(zone: source, name: RecordName(stored: name)), version: nil),
    ])
  }

  private func places(of name: String, on device: TestDevice) throws -> [ZoneID] {
    try [.standard, rowing, choir].filter { try device.fields(name, in: $0) != nil }
  }

  private func expectOne(_ name: String, in zone: ZoneID, note: String) throws {
    for device in [laptop, phone] {
      #expect(try places(of: name, on: device) == [zone])
      #expect(try device.fields(name, in: zone)?["note"] == .string(note))
      #expect(try device.reader.status().waitingEntries == 0)
    }
  }

  // MARK: Records that the broker lost

  @Test(arguments: [false, true])
  func `two moves of a record that the broker lost end in one group`(isRewound: Bool) throws {
    let backup = room.broker.backup()
    try laptop.save("new", ["note": .string("old")])
    for device in [laptop, phone] { try device.goOffline() }
    try move("new", laptop, to: rowing)
    try move("new", phone, to: choir)
    room.broker.restore(backup, isRewound: isRewound)
    for device in [laptop, phone] { try device.goOnline() }
    try expectOne("new", in: rowing, note: "old")
  }

  @Test(arguments: [false, true])
  func `an edit of a record that the broker lost follows its move`(isRewound: Bool) throws {
    let backup = room.broker.backup()
    try laptop.save("new", ["note": .string("old")])
    for device in [laptop, phone] { try device.goOffline() }
    try move("new", laptop, to: rowing)
    try phone.save("new", ["note": .string("typed")])
    room.broker.restore(backup, isRewound: isRewound)
    for device in [laptop, phone] { try device.goOnline() }
    try expectOne("new", in: rowing, note: "typed")
  }

  @Test(arguments: [false, true], [false, true])
  func `an edit follows a move out of a group that the broker lost`(
    isRewound: Bool, isPhoneFirst: Bool
  ) throws {
    let backup = room.broker.backup()
    let later = ZoneID(name: ZoneName(7))
    try laptop.edit([.createZone(later, title: "Later")])
    try laptop.save("new", ["note": .string("old")], in: later)
    for device in [laptop, phone] { try device.goOffline() }
    try move("new", laptop, from: later, to: rowing)
    try phone.save("new", ["note": .string("typed")], in: later)
    room.broker.restore(backup, isRewound: isRewound)
    for device in isPhoneFirst ? [phone, laptop] : [laptop, phone] { try device.goOnline() }
    for device in [laptop, phone] {
      #expect(try places(of: "new", on: device) == [rowing])
      #expect(try device.reader.status().waitingEntries == 0)
      // The version from which it was edited may be unknown by then.
      let losing = try device.reader.conflicts().map(\.losing)
      let note = try device.fields("new", in: rowing)?["note"]
      #expect(note == .string("typed") || losing.contains(.string("typed")))
    }
    #expect(try room.broker.fields("new", in: later) == nil)
  }

  // MARK: States that a participant sent again

  /// Moves the contact, restores the broker, and lets a participant send what was lost in one of the two groups.
  private func moveAndRestore(
    from source: ZoneID, to target: ZoneID, sendingAgain sent: ZoneID, isPhoneFirst: Bool
  ) throws {
    let backup = room.broker.backup()
    try phone.goOffline()
    try phone.save("ada", ["note": .string("typed")], in: source)
    try move("ada", laptop, from: source, to: target)
    let lost = try #require(room.broker.change("ada", in: sent))
    try laptop.goOffline()
    room.broker.restore(backup)
    room.broker.sendAgain(lost, in: sent, by: bob)
    for device in isPhoneFirst ? [phone, laptop] : [laptop, phone] { try device.goOnline() }
  }

  @Test(arguments: [false, true])
  func `an edit follows to the record that a participant saved again`(isPhoneFirst: Bool) throws {
    try moveAndRestore(
      from: .standard, to: rowing, sendingAgain: rowing, isPhoneFirst: isPhoneFirst)
    #expect(room.broker.change("ada", in: rowing)?.created.origin.account == bob)
    try expectOne("ada", in: rowing, note: "typed")
  }

  @Test(arguments: [false, true])
  func `an edit follows a move that a participant sent again`(isPhoneFirst: Bool) throws {
    try move("ada", laptop, to: rowing)
    try moveAndRestore(from: rowing, to: choir, sendingAgain: rowing, isPhoneFirst: isPhoneFirst)
    try expectOne("ada", in: choir, note: "typed")
  }

  @Test func `an edit follows a move whose tombstone has a participant as its author`() throws {
    try move("ada", laptop, to: rowing)
    try phone.goOffline()
    try phone.save("ada", ["note": .string("typed")], in: rowing)
    try move("ada", laptop, from: rowing, to: choir)
    try laptop.goOffline()
    let tombstone = try #require(room.broker.change("ada", in: rowing))
    room.broker.sendAgain(tombstone, in: rowing, by: bob)
    for device in [laptop, phone] { try device.goOnline() }
    try expectOne("ada", in: choir, note: "typed")
    #expect(try phone.reader.conflicts().isEmpty)
  }

  @Test func `without a restore, a participant cannot attract an edit`() throws {
    try phone.goOffline()
    try phone.save("ada", ["note": .string("typed")])
    try move("ada", laptop, to: rowing)
    let moved = try #require(room.broker.change("ada", in: rowing))
    try laptop.delete("ada", in: rowing)
    room.broker.sendAgain(moved, in: choir, by: bob)
    try phone.goOnline()
    #expect(try room.broker.fields("ada", in: choir)?["note"] != .string("typed"))
  }
}
