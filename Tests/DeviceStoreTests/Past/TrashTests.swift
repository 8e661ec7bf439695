import DeviceRoom
import DeviceStore
import Records
import SyncCore
import Testing

@Suite("Trash and history on a device")
struct TrashTests {
  private let room = Room()
  private let ada: Fields = ["firstName": .string("Ada"), "note": .string("secret")]
  private let a = RecordName(stored: "a")

  private func trash(_ device: TestDevice) throws -> [DiscardedView] {
    try device.reader.trash(before: nil, limit: 100)
  }

  private func empty(_ device: TestDevice) throws -> Int {
    let (erased, actions) = try device.replica.emptyTrash(now: Room.now)
    try device.perform(actions)
    return erased
  }

  @Test func `what is deleted is in the trash of every device that had it`() throws {
    let laptop = try TestDevice(room, "laptop")
    let phone = try TestDevice(room, "phone")
    try laptop.save("a", ada)
    try phone.delete("a")
    for device in [laptop, phone] {
      let item = try #require(try trash(device).first)
      #expect(item.id.name == a && item.title == "Ada" && item.fields == ada && item.isSynced)
      #expect(item.device == (try phone.reader.status().device))
    }
  }

  @Test func `it comes back on all devices and leaves all trashes`() throws {
    let laptop = try TestDevice(room, "laptop")
    let phone = try TestDevice(room, "phone")
    try laptop.save("a", ada)
    try phone.delete("a")
    let (records, _, actions) = try laptop.replica.restore([a], now: Room.now)
    try laptop.perform(actions)
    #expect(records.map(\.name) == [a])
    #expect(try phone.fields("a") == ada)
    #expect(try trash(laptop).isEmpty && trash(phone).isEmpty)
    let error = #expect(throws: RecordsError.self) {
      try laptop.replica.restore([a], now: Room.now)
    }
    #expect(error?.code == .unknownItem)
  }

  @Test func `offline, unsent and restarted, the trash is there`() throws {
    let laptop = try TestDevice(room, "laptop", isOnline: false)
    try laptop.save("a", ada)
    try laptop.delete("a")
    try laptop.restart()
    let item = try #require(try trash(laptop).first)
    #expect(!item.isSynced)
    let restored = try laptop.replica.restore([a], now: Room.now)
    try laptop.perform(restored.actions)
    #expect(try laptop.fields("a") == ada)
  }

  @Test func `emptying erases on this device, on the broker and on the others`() throws {
    let laptop = try TestDevice(room, "laptop")
    let phone = try TestDevice(room, "phone")
    try laptop.save("a", ada)
    try laptop.save("a", ["note": .string("more secret")])
    try laptop.delete("a")
    try laptop.save("kept", ["firstName": .string("Kept")])
    #expect(try empty(phone) == 1)
    for device in [laptop, phone] {
      #expect(try trash(device).isEmpty)
      #expect(throws: RecordsError.self) { try device.reader.history(of: a) }
      #expect(try device.holds("secret") == [])
      #expect(try device.fields("kept") != nil)
    }
    // The number of the first edit can still be named, but nothing of it is left.
    let report = try laptop.replica.undo(action: 3, now: Room.now).report
    #expect(report.leftAlone.map(\.what.reason) == [.erased])
  }

  @Test func `an emptying typed offline goes out behind the deletions before it`() throws {
    let laptop = try TestDevice(room, "laptop")
    let phone = try TestDevice(room, "phone")
    try laptop.save("a", ada)
    try laptop.goOffline()
    try laptop.delete("a")
    #expect(try empty(laptop) == 1)
    try laptop.goOnline()
    #expect(try laptop.reader.status().waitingEntries == 0)
    #expect(try trash(phone).isEmpty)
    #expect(try phone.holds("secret").isEmpty)
  }

  @Test func `a device that was away erases what was erased meanwhile`() throws {
    let laptop = try TestDevice(room, "laptop")
    let phone = try TestDevice(room, "phone")
    try laptop.save("a", ada)
    try phone.goOffline()
    try laptop.delete("a")
    _ = try empty(laptop)
    #expect(try phone.fields("a") == ada)
    try phone.goOnline()
    #expect(try phone.fields("a") == nil)
    #expect(try trash(phone).isEmpty)
    #expect(try phone.holds("secret").isEmpty)
  }

  /// Found by simulation: the deletion's tag was never learned, so no emptying reached it.
  @Test func `a record that two devices deleted is erased on both, in either order`() throws {
    let laptop = try TestDevice(room, "laptop")
    let phone = try TestDevice(room, "phone")
    try laptop.save("a", ada)
    phone.isDeaf = true
    try laptop.delete("a")
    phone.isDeaf = false
    // The broker only answers that there is no such record.
    try phone.delete("a")
    try laptop.save("b", ["firstName": .string("B")])
    #expect(try trash(phone).map(\.isSynced) == [true])
    _ = try empty(laptop)
    #expect(try trash(phone).isEmpty)
    #expect(try phone.holds("secret").isEmpty)
  }

  /// Found by simulation (seed 10463): a reading from the start leaves the other's deletion out, and
  /// the broker only answers that there is nothing to delete.
  @Test(arguments: [false, true])
  func `a record that was deleted offline is erased, and its notifications too`(
    isEmptiedBefore: Bool
  ) throws {
    let laptop = try TestDevice(room, "laptop")
    let phone = try TestDevice(room, "phone")
    try laptop.save("a", ada)
    try phone.goOffline()
    try phone.delete("a")
    try laptop.delete("a")
    if isEmptiedBefore { _ = try empty(laptop) }
    room.broker.reapTombstones()
    try phone.goOnline()
    if !isEmptiedBefore { _ = try empty(laptop) }
    #expect(try trash(phone).isEmpty)
    #expect(try phone.holds("secret").isEmpty)
  }

  /// A laptop, and a phone that was notified of a record, deleted it offline and emptied its trash.
  private func devicesOfWhichOneEmptiesItsTrashOffline() throws -> (TestDevice, TestDevice) {
    let laptop = try TestDevice(room, "laptop")
    let phone = try TestDevice(room, "phone")
    try phone.subscribe(SubscriptionTests.form("s"))
    try laptop.save("a", ada)
    try phone.goOffline()
    try phone.delete("a")
    _ = try empty(phone)
    return (laptop, phone)
  }

  /// Found by simulation (seed 202777).
  @Test
  func `emptying the trash keeps the notifications of a record that the broker does not delete`()
    throws
  {
    let (laptop, phone) = try devicesOfWhichOneEmptiesItsTrashOffline()
    try laptop.save("a", ["company": .string("Acme")])
    try phone.goOnline()
    #expect(try phone.fields("a") != nil)
    let tags = try phone.reader.notifications(after: 0, limit: 9).notifications.map(
      \.change?.tag.value)
    #expect(tags == [1, 2])
  }

  @Test func `emptying the trash offline erases the notifications once the deletion is confirmed`()
    throws
  {
    let (_, phone) = try devicesOfWhichOneEmptiesItsTrashOffline()
    try phone.goOnline()
    #expect(try phone.fields("a") == nil)
    #expect(try phone.reader.notifications(after: 0, limit: 9).notifications.isEmpty)
    #expect(try phone.holds("secret").isEmpty)
  }

  /// Found by simulation (seed 45107): the reading finds no more than that it is gone.
  @Test func `what was deleted here and is answered behind a reading from the start is erased`()
    throws
  {
    let laptop = try TestDevice(room, "laptop")
    let phone = try TestDevice(room, "phone")
    try laptop.save("a", ada)
    phone.isDeaf = true
    try phone.delete("a")
    try phone.goOffline()
    _ = try empty(laptop)
    try laptop.save("b", ["firstName": .string("Bo")])
    room.broker.reapTombstones()
    #expect(try trash(phone).count == 1)
    try phone.goOnline()
    #expect(try trash(phone).isEmpty)
    #expect(try phone.holds("secret").isEmpty)
  }

  @Test func `what was edited here and is found gone before the answer comes is erased`() throws {
    let laptop = try TestDevice(room, "laptop")
    let phone = try TestDevice(room, "phone")
    try laptop.save("a", ada)
    phone.isDeaf = true
    try phone.save("a", ["company": .string("Acme")])
    try phone.goOffline()
    try laptop.delete("a")
    _ = try empty(laptop)
    try laptop.save("b", ["firstName": .string("Bo")])
    room.broker.reapTombstones()
    try phone.goOnline()
    #expect(try phone.fields("a") == nil)
    #expect(try trash(phone).isEmpty)
    #expect(try phone.holds("secret").isEmpty)
  }

  /// Found by simulation (seed 20572).
  @Test func `what was brought back and deleted again, and never sent, is erased with the first`()
    throws
  {
    let laptop = try TestDevice(room, "laptop")
    let phone = try TestDevice(room, "phone")
    try laptop.save("a", ada)
    try laptop.delete("a")
    try phone.goOffline()
    try phone.perform(phone.replica.restore([a], now: Room.now).actions)
    try phone.delete("a")
    #expect(try trash(phone).count == 1)
    _ = try empty(laptop)
    try phone.goOnline()
    #expect(try trash(phone).isEmpty)
    #expect(try phone.holds("secret").isEmpty)
  }

  /// Found by simulation (seed 140696): the device forgot the group's records when it deleted the group, and took what the
  /// undo made for records that the broker never had.
  @Test(arguments: [true, false])
  func `what came back by undoing the rejected deletion of its group is erased, unless never sent`(
    isRead: Bool
  ) throws {
    let (laptop, phone) = try devicesWithContactInGroup()
    try phone.goOffline()
    try phone.save("mine", ["firstName": .string("Mine")], in: Self.rowing)
    try phone.edit([.deleteZone(Self.rowing)])
    try laptop.delete("a", in: Self.rowing)
    try laptop.save("b", ["firstName": .string("B")], in: Self.rowing)
    let zone = Self.rowing.resolved(for: room.broker.account)
    if !isRead { room.broker.silentZones = [zone] }
    try phone.goOnline()
    try phone.goOffline()
    room.broker.silentZones = []
    try phone.perform(phone.replica.undo(action: nil, now: Room.now).actions)
    for name in ["a", "mine"] { try phone.delete(name, in: Self.rowing) }
    #expect(try trash(phone).map(\.isSynced) == [false, true])
    _ = try empty(laptop)
    try phone.goOnline()
    #expect(try trash(phone).map(\.title) == ["Mine"])
    #expect(try phone.holds("secret").isEmpty)
  }

  @Test func `so is what came back by undoing an earlier deletion in that group`() throws {
    let (laptop, phone) = try devicesWithContactInGroup()
    try phone.delete("a", in: Self.rowing)
    let deletion = try phone.reader.lastAction()
    try phone.goOffline()
    try phone.edit([.deleteZone(Self.rowing)])
    try laptop.save("b", ["firstName": .string("B")], in: Self.rowing)
    try phone.goOnline()
    try phone.goOffline()
    try phone.perform(phone.replica.undo(action: deletion, now: Room.now).actions)
    try phone.delete("a", in: Self.rowing)
    #expect(try trash(phone).count == 1)
    _ = try empty(laptop)
    try phone.goOnline()
    #expect(try trash(phone).isEmpty)
    #expect(try phone.holds("secret").isEmpty)
  }

  private func devicesWithContactInGroup() throws -> (laptop: TestDevice, phone: TestDevice) {
    let laptop = try TestDevice(room, "laptop")
    let phone = try TestDevice(room, "phone")
    try laptop.edit([.createZone(Self.rowing, title: "Rowing")])
    try laptop.save("a", ada, in: Self.rowing)
    return (laptop, phone)
  }

  @Test func `what is deleted after an emptying is kept`() throws {
    let laptop = try TestDevice(room, "laptop")
    let phone = try TestDevice(room, "phone")
    try laptop.save("a", ada)
    try laptop.delete("a")
    _ = try empty(laptop)
    try laptop.save("a", ada)
    try laptop.delete("a")
    #expect(try trash(laptop).count == 1)
    #expect(try trash(phone).count == 1)
  }

  @Test func `a history tells each state, who made it and the deletion between`() throws {
    let laptop = try TestDevice(room, "laptop")
    let phone = try TestDevice(room, "phone")
    try laptop.save("a", ["firstName": .string("1")])
    try phone.save("a", ["firstName": .string("2")])
    try laptop.delete("a")
    let restored = try phone.replica.restore([a], now: Room.now)
    try phone.perform(restored.actions)
    let ids = try [laptop, phone].map { try $0.reader.status().device }
    for device in [laptop, phone] {
      let history = try device.reader.history(of: a)
      #expect(
        history.states.map { $0.fields?["firstName"] } == [
          .string("1"), .string("2"), nil, .string("2"),
        ])
      #expect(history.states.map(\.device) == [ids[0], ids[1], ids[0], ids[1]])
    }
  }

  @Test func `a history shows an edit that waits, and at most fifty earlier states`() throws {
    let laptop = try TestDevice(room, "laptop")
    for number in 0...60 { try laptop.save("a", ["firstName": .string("\(number)")]) }
    try laptop.goOffline()
    try laptop.save("a", ["firstName": .string("waits")])
    let states = try laptop.reader.history(of: a).states
    #expect(states.count == 52)
    #expect(states.last?.tag == nil && states.last?.fields?["firstName"] == .string("waits"))
    #expect(states.first?.fields?["firstName"] == .string("10"))
  }

  @Test func `N5 versions by one author push out none by another`() throws {
    let bobs = BobsGroup()
    let ada = try TestDevice(bobs.room, "laptop")
    for number in 0..<60 {
      try ada.save("zelda", ["firstName": .string("\(number)")], in: bobs.zone)
    }
    let states = try ada.reader.history(of: RecordName(stored: "zelda")).states
    #expect(states.count == 52)
    #expect(states.first?.fields == BobsGroup.zelda)
  }

  @Test func `a lost group takes trash and history with it`() throws {
    let laptop = try TestDevice(room, "laptop")
    let phone = try TestDevice(room, "phone")
    let zone = ZoneID(name: ZoneName(9))
    try laptop.edit([.createZone(zone, title: "Club")])
    try laptop.save("a", ada, in: zone)
    try laptop.delete("a", in: zone)
    try laptop.edit([.deleteZone(zone)])
    #expect(try phone.holds("secret").isEmpty)
  }

  @Test func `what is older than thirty days goes, and a clock that jumps takes nothing`() throws {
    let laptop = try TestDevice(room, "laptop")
    try laptop.save("a", ada)
    try laptop.save("a", ["note": .string("2")])
    try laptop.delete("a")
    func look(afterHours hours: Int64) throws {
      while try laptop.replica.forgetPast(now: Room.now.adding(seconds: hours * 3600)) {}
    }
    try look(afterHours: 0)
    try look(afterHours: 24 * 365)
    #expect(try trash(laptop).count == 1)
    for day in 1...31 { try look(afterHours: 24 * Int64(day)) }
    #expect(try trash(laptop).isEmpty)
    #expect(try laptop.holds("secret").isEmpty)
    #expect(try laptop.reader.actions(limit: 5).isEmpty)
  }

  // MARK: Moves

  private static let rowing = ZoneID(name: ZoneName(5))

  private func move(_ device: TestDevice, to target: ZoneID, from source: ZoneID) throws {
    let fields = try #require(try device.fields("a", in: source))
    try device.edit([
      .save(TestDevice.contact("a", fields, in: target)),
      .delete(RecordID(zone: source, name: a), version: nil),
    ])
  }

  private func devicesWithGroup() throws -> [TestDevice] {
    let laptop = try TestDevice(room, "laptop")
    try laptop.edit([
      .createZone(Self.rowing, title: "Rowing"), .save(TestDevice.contact("a", ada)),
    ])
    return [laptop, try TestDevice(room, "phone")]
  }

  @Test(arguments: [true, false])
  func `a moved contact is in no trash, on its way or arrived`(isOnline: Bool) throws {
    let devices = try devicesWithGroup()
    if !isOnline { try devices[0].goOffline() }
    try move(devices[0], to: Self.rowing, from: .standard)
    for device in devices {
      #expect(try trash(device).isEmpty)
      #expect(try !device.reader.hasTrash(a))
      #expect(throws: RecordsError.self) { try device.replica.restore([a], now: Room.now) }
    }
    if !isOnline { try devices[0].goOnline() }
    #expect(try trash(devices[0]).isEmpty && trash(devices[1]).isEmpty)
    #expect(try empty(devices[1]) == 0)
    #expect(try devices[0].fields("a", in: Self.rowing) != nil)
  }

  @Test func `a move that was undone leaves nothing in the trash`() throws {
    let devices = try devicesWithGroup()
    try move(devices[0], to: Self.rowing, from: .standard)
    try devices[0].perform(try devices[0].replica.undo(action: nil, now: Room.now).actions)
    for device in devices {
      #expect(try device.fields("a") != nil)
      #expect(try trash(device).isEmpty)
    }
  }

  @Test func `a contact that was moved and then deleted is in the trash of its last group only`()
    throws
  {
    let devices = try devicesWithGroup()
    try move(devices[0], to: Self.rowing, from: .standard)
    try devices[0].edit([.delete(RecordID(zone: Self.rowing, name: a), version: nil)])
    for device in devices { #expect(try trash(device).map(\.id.zone) == [Self.rowing]) }
    let (records, _, actions) = try devices[1].replica.restore([a], now: Room.now)
    try devices[1].perform(actions)
    #expect(records.map(\.zone) == [Self.rowing])
    for device in devices { #expect(try trash(device).isEmpty) }
    // Back in its first group and deleted there, it is in the trash of that group.
    try move(devices[1], to: .standard, from: Self.rowing)
    try devices[0].delete("a")
    for device in devices { #expect(try trash(device).map(\.id.zone) == [.standard]) }
  }
}
