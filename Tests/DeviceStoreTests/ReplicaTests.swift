// Devices and a broker: an edit's way from one to the other, with the network as it is.

import AddressBook
import AgentStore
import DeviceRoom
import DeviceStore
import Records
import SyncCore
import Testing

@Suite("B3, B4, I1, I3, I7, I16, I17, I22 a replica")
struct ReplicaTests {
  private let room = Room()
  private let ann: Fields = ["firstName": .string("Ann")]

  @Test func `an edit on one device shows on the other, both ways`() throws {
    let (laptop, phone) = try pair()
    try laptop.save("a", ann)
    #expect(try phone.fields("a") == ann)
    try phone.save("a", ["lastName": .string("Lee")])
    #expect(try laptop.fields("a") == ["firstName": .string("Ann"), "lastName": .string("Lee")])
    try laptop.delete("a")
    #expect(try phone.fields("a") == nil)
    try expectQuiet(laptop, phone)
  }

  @Test func `a hundred edits on each side while the broker is away arrive and merge`() throws {
    let (laptop, phone) = try pair()
    try laptop.save("shared", ann)
    try laptop.goOffline()
    try phone.goOffline()
    for index in 0..<100 {
      try laptop.save("l\(index)", ["firstName": .string("L\(index)")])
      try phone.save("p\(index)", ["firstName": .string("P\(index)")])
    }
    try laptop.save("shared", ["lastName": .string("Lee")])
    try phone.save("shared", ["company": .string("Acme")])
    try laptop.goOnline()
    try phone.goOnline()
    #expect(try laptop.reader.records(in: .standard).count == 201)
    #expect(
      try laptop.fields("shared") == [
        "firstName": .string("Ann"), "lastName": .string("Lee"), "company": .string("Acme"),
      ])
    try expectQuiet(laptop, phone)
  }

  @Test func `the same field changed on both sides shows a conflict on both and loses nothing`()
    throws
  {
    let (laptop, phone) = try pair()
    try laptop.save("a", ann)
    try phone.goOffline()
    try phone.save("a", ["firstName": .string("Anna")])
    try laptop.save("a", ["firstName": .string("Anne")])
    try phone.goOnline()
    #expect(try phone.fields("a") == ["firstName": .string("Anne")])
    for device in [laptop, phone] {
      let conflict = try #require(try device.reader.conflicts().first)
      #expect(conflict.losing == .string("Anna"))
      #expect(conflict.winning == .string("Anne"))
      #expect(conflict.title == "Anne")
    }
    try expectQuiet(laptop, phone)
  }

  @Test func `what lost in a merge is kept though the rest of the edit is refused`() throws {
    let (laptop, phone) = try pair()
    try laptop.save("a", ann)
    try phone.goOffline()
    try phone.save("a", ["firstName": .string("Anna"), "company": .string("Acme")])
    try laptop.save("a", ["firstName": .string("Anne")])
    room.broker.poison = (
      RecordName(stored: "a"), RecordsError(.referenceViolation, "It goes with what is gone.")
    )
    try phone.goOnline()
    #expect(try phone.fields("a") == ["firstName": .string("Anne")])
    #expect(try phone.reader.rejectedEdits().map(\.changes.set) == [["company": .string("Acme")]])
    for device in [laptop, phone] {
      #expect(try device.reader.conflicts().map(\.losing) == [.string("Anna")])
    }
    try expectQuiet(laptop, phone)
  }

  @Test func `a conflict resolved as mine on one device is gone on both`() throws {
    let (laptop, phone) = try pair()
    try laptop.save("a", ann)
    try phone.goOffline()
    try phone.save("a", ["firstName": .string("Anna")])
    try laptop.save("a", ["firstName": .string("Anne")])
    try phone.goOnline()
    let conflict = try #require(try phone.reader.conflicts().first)
    try phone.perform(
      phone.replica.resolve(conflict: conflict.id, choice: .mine, now: Room.now).actions)
    #expect(try laptop.fields("a") == ["firstName": .string("Anna")])
    #expect(try laptop.reader.conflicts().isEmpty)
    #expect(throws: RecordsError.self) {
      try phone.replica.resolve(conflict: conflict.id, choice: .theirs, now: Room.now)
    }
    try expectQuiet(laptop, phone)
  }

  @Test func `a second edit made while the first is under way survives a lost reply`() throws {
    let (laptop, phone) = try pair()
    laptop.isDeaf = true
    try laptop.save("a", ann)
    #expect(try room.broker.fields("a") == ann)
    try laptop.save("a", ["lastName": .string("Lee")])
    try laptop.goOffline()
    try laptop.restart()
    try laptop.goOnline()
    let both: Fields = ["firstName": .string("Ann"), "lastName": .string("Lee")]
    #expect(try room.broker.fields("a") == both)
    #expect(try phone.fields("a") == both)
    #expect(try laptop.reader.conflicts().isEmpty)
    #expect(room.broker.requests.map(\.number.value) == [1, 1, 2])
    try expectQuiet(laptop, phone)
  }

  @Test func `a request is sent again exactly as it was frozen`() throws {
    let (laptop, _) = try pair()
    laptop.isDeaf = true
    try laptop.save("a", ann)
    try laptop.save("a", ["firstName": .string("Anna")])
    try laptop.restart()
    #expect(room.broker.requests.map(\.number.value) == [1, 1, 2])
    #expect(room.broker.requests.first == room.broker.requests.dropFirst().first)
  }

  @Test func `edits that were not sent yet coalesce, and one that ends where it began vanishes`()
    throws
  {
    let (laptop, _) = try pair()
    try laptop.save("a", ann)
    try laptop.goOffline()
    try laptop.save("a", ["firstName": .string("B")])
    try laptop.save("a", ["firstName": .string("C")])
    #expect(try laptop.reader.status().waitingEdits == 1)
    try laptop.save("a", ann)
    #expect(try laptop.reader.status().waitingEntries == 0)
    #expect(try laptop.reader.status().ledger.undone == 3)
    try laptop.save("b", ann)
    try laptop.delete("b")
    #expect(try laptop.reader.status().waitingEntries == 0)
    try laptop.goOnline()
    try expectQuiet(laptop)
  }

  @Test func `a group made, renamed and deleted on one device is so on the other`() throws {
    let (laptop, phone) = try pair()
    let group = ZoneID(name: ZoneName(77))
    try laptop.edit([
      .createZone(group, title: "Choir"), .save(TestDevice.contact("a", ann, in: group)),
    ])
    #expect(try phone.reader.groups().map(\.title) == ["", "Choir"])
    #expect(try phone.fields("a", in: group) == ann)
    try phone.edit([.renameZone(group, title: "Band")])
    #expect(try laptop.reader.groups().map(\.title) == ["", "Band"])
    try phone.edit([.deleteZone(group)])
    #expect(try laptop.reader.groups().map(\.title) == [""])
    #expect(try laptop.fields("a", in: group) == nil)
    try expectQuiet(laptop, phone)
  }

  @Test func `edits on their way into a group that is gone are rejected with what was typed`()
    throws
  {
    let (laptop, phone) = try pair()
    let group = ZoneID(name: ZoneName(77))
    try laptop.edit([.createZone(group, title: "Choir")])
    try phone.goOffline()
    try phone.save("a", ann, in: group)
    try laptop.edit([.deleteZone(group)])
    try phone.goOnline()
    let rejected = try #require(try phone.reader.rejectedEdits().first)
    #expect(rejected.changes.set == ann)
    #expect(rejected.code == .zoneNotFound)
    #expect(try phone.reader.groups().count == 1)
    try expectQuiet(laptop, phone)
  }

  @Test func `a refused edit is rejected, shows the broker's state again and blocks nothing`()
    throws
  {
    let (laptop, phone) = try pair()
    try laptop.save("a", ann)
    room.broker.poison = (
      RecordName(stored: "a"), RecordsError(.quotaExceeded, "There is no room.")
    )
    try laptop.save("a", ["firstName": .string("Anna")])
    try laptop.save("b", ann)
    #expect(try laptop.fields("a") == ann)
    #expect(try phone.fields("b") == ann)
    #expect(try laptop.reader.rejectedEdits().map(\.message) == ["There is no room."])
    let id = try #require(try laptop.reader.rejectedEdits().first?.id)
    try laptop.replica.dismiss(rejectedEdit: id)
    #expect(try laptop.reader.rejectedEdits().isEmpty)
    try expectQuiet(laptop, phone)
  }

  @Test func `an action of several records goes as one group and is rejected as one`() throws {
    let (laptop, phone) = try pair()
    room.broker.poison = (RecordName(stored: "b"), RecordsError(.invalidArguments, "Bad."))
    try laptop.edit([
      .save(TestDevice.contact("a", ann)), .save(TestDevice.contact("b", ann)),
    ])
    #expect(room.broker.requests.first?.groups.map(\.operations.count) == [2])
    #expect(try laptop.fields("a") == nil)
    #expect(try laptop.reader.rejectedEdits().count == 2)
    try expectQuiet(laptop, phone)
  }

  @Test func `an action of which one part meets a conflict is sent again as one`() throws {
    let (laptop, phone) = try pair()
    try laptop.save("a", ann)
    try phone.goOffline()
    try phone.edit([
      .save(TestDevice.contact("a", ["lastName": .string("Lee")])),
      .save(TestDevice.contact("b", ann)),
    ])
    try laptop.save("a", ["company": .string("Acme")])
    // What the feed would have told first is kept from the phone, so that its request is refused.
    try phone.goOnline()
    #expect(try room.broker.fields("b") == ann)
    #expect(try room.broker.fields("a")?.keys.count == 3)
    try expectQuiet(laptop, phone)
  }

  @Test func `a busy broker is asked again with the same request`() throws {
    let (laptop, phone) = try pair()
    room.broker.nextRefusal = RecordsError(.zoneBusy, "Busy.", retryAfterSeconds: 3)
    try laptop.save("a", ann)
    #expect(try #require(laptop.timers[.resend]) >= 3000)
    #expect(try phone.fields("a") == nil)
    try laptop.perform(laptop.replica.fired(.resend, now: Room.now))
    #expect(try phone.fields("a") == ann)
    try expectQuiet(laptop, phone)
  }

  @Test func `a request the broker cannot read is found, rejected, and blocks nothing`() throws {
    let (laptop, phone) = try pair()
    try laptop.goOffline()
    try laptop.save("a", ann)
    try laptop.save("b", ann)
    room.broker.nextRefusal = RecordsError(.invalidArguments, "Unreadable.")
    try laptop.goOnline()
    #expect(try phone.fields("a") == ann)
    #expect(try phone.fields("b") == ann)
    room.broker.nextRefusal = RecordsError(.invalidArguments, "Unreadable.")
    try laptop.save("c", ann)
    #expect(try laptop.reader.rejectedEdits().count == 1)
    try expectQuiet(laptop, phone)
  }

  @Test func `a copied database is noticed and takes another identity`() throws {
    let database = try DeviceDatabase.inMemory()
    let laptop = try TestDevice(room, "laptop", database: database)
    try laptop.save("a", ann)
    let copy = try DeviceDatabase.inMemory()
    try database.copy(to: copy)
    try laptop.save("a", ["lastName": .string("Lee")])
    let clone = try TestDevice(room, "clone", database: copy)
    try clone.perform(clone.replica.fired(.reconnect, now: Room.now))
    try clone.save("b", ann)
    #expect(try laptop.fields("b") == ann)
    #expect(try clone.fields("a") == laptop.fields("a"))
    #expect(try clone.reader.status().device != laptop.reader.status().device)
    try expectQuiet(laptop, clone)
  }

  @Test func `a wait for everything ends once the outbox is empty, not before`() throws {
    let (laptop, _) = try pair()
    try laptop.goOffline()
    try laptop.save("a", ann)
    try laptop.perform(laptop.replica.synchronize(id: 5, now: Room.now))
    #expect(laptop.synchronized.isEmpty)
    try laptop.goOnline()
    #expect(laptop.synchronized == [5])
  }

  @Test func `events are numbered without gaps, across restarts, and tell each change once`() throws
  {
    let (laptop, phone) = try pair()
    try laptop.save("a", ann)
    try laptop.restart()
    try phone.save("a", ["lastName": .string("Lee")])
    try laptop.delete("a")
    let events = try laptop.reader.events(after: 0, limit: 100).events
    #expect(events.map(\.sequence) == [1, 2, 3])
    #expect(events.map(\.kind) == [.created, .updated, .deleted])
    #expect(events.map(\.isLocal) == [true, false, true])
    #expect(events.last?.title == "Ann Lee")
    #expect(try laptop.reader.events(after: 2, limit: 100).events.count == 1)
  }

  @Test func `an expectation that does not hold refuses the edit and changes nothing`() throws {
    let laptop = try TestDevice(room, "laptop")
    try laptop.save("a", ann)
    let id = RecordID(zone: .standard, name: RecordName(stored: "a"))
    let version = try #require(try laptop.reader.record(id)).version
    try laptop.save("a", ["firstName": .string("B")])
    let expectations: [(LocalEdit.Expectation, RecordsError.Code)] = [
      (.version(version), .serverRecordChanged), (.absent, .serverRecordChanged),
    ]
    for (expectation, code) in expectations {
      let edit = LocalEdit.save(
        .init(
          id: id, type: RecordType(stored: "Contact"),
          changes: FieldChanges(set: ["firstName": .string("C")]), expectation: expectation))
      let error = #expect(throws: RecordsError.self) { try laptop.edit([edit]) }
      #expect(error?.code == code)
    }
    let error = #expect(throws: RecordsError.self) { try laptop.delete("nobody") }
    #expect(error?.code == .unknownItem)
    #expect(try laptop.fields("a") == ["firstName": .string("B")])
    try expectQuiet(laptop)
  }

  @Test func `a store is never opened for another account than its own`() throws {
    let database = try DeviceDatabase.inMemory()
    let laptop = try TestDevice(room, "laptop", database: database)
    try laptop.save("a", ann)
    let error = #expect(throws: RecordsError.self) {
      try Replica(
        database: database,
        settings: DeviceSettings(container: "contacts", accountName: "eve", deviceName: "laptop"),
        bundled: [], generator: SystemRandomNumberGenerator(), now: Room.now)
    }
    #expect(error?.code == .invalidArguments)
  }

  // MARK: -

  private func pair() throws -> (TestDevice, TestDevice) {
    (try TestDevice(room, "laptop"), try TestDevice(room, "phone"))
  }

  /// Nothing waits, every edit is accounted for, and each device shows what the broker has.
  private func expectQuiet(_ devices: TestDevice...) throws {
    for device in devices {
      #expect(device.replica.phase == .live)
      let status = try device.reader.status()
      #expect(status.waitingEntries == 0)
      #expect(status.ledger.isBalanced, "\(status.ledger)")
      for view in try device.reader.records(in: .standard) {
        #expect(try room.broker.fields(view.id.name.text) == view.fields)
        #expect(view.isSynced)
      }
    }
  }

  /// In `make converge`, seed 1273: a contact had a conflict that could not be opened.
  @Test
  func `a conflict that is changed here and resolved elsewhere stays, without a conflict about it`()
    throws
  {
    let (laptop, phone) = try pair()
    try laptop.save("a", ann)
    try phone.goOffline()
    try phone.save("a", ["firstName": .string("Anna")])
    try laptop.save("a", ["firstName": .string("Anne")])
    try phone.goOnline()
    let conflict = try #require(try laptop.reader.conflicts().first)
    try laptop.goOffline()
    let change = LocalEdit.RecordSave(
      id: conflict.id, type: ConflictRecord.recordType,
      changes: FieldChanges(set: ["found": .int64(7)]))
    try laptop.edit([.save(change)])
    let resolved = try phone.replica.resolve(conflict: conflict.id, choice: .mine, now: Room.now)
    try phone.perform(resolved.actions)
    try laptop.goOnline()
    for device in [laptop, phone] {
      #expect(try device.reader.conflicts().map(\.id) == [conflict.id])
      let all = try device.reader.records(in: .standard).filter {
        $0.type == ConflictRecord.recordType
      }
      #expect(all.map(\.id) == [conflict.id])
    }
  }
}
