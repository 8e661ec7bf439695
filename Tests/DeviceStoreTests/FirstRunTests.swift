// The ten contacts of a first run: once per account, whatever happens.

import AddressBook
import Contacts
import DeviceRoom
import DeviceStore
import Records
import SyncCore
import Testing

@Suite("A1 the first run's import")
struct FirstRunTests {
  private let room = Room()

  @Test func `a first device shows ten contacts before it ever met a broker, and sends them`()
    throws
  {
    let device = try device("laptop", isOnline: false)
    #expect(try contacts(device).count == 10)
    #expect(try device.fields("bundled-1-01") != nil)
    try device.goOnline()
    #expect(room.broker.requests.first?.groups.map(\.operations.count) == [11])
    #expect(try contacts(device).count == 10)
    #expect(try device.reader.status().waitingEntries == 0)
  }

  @Test func `not again after a restart`() throws {
    let device = try device("laptop")
    try device.restart()
    #expect(try contacts(device).count == 10)
    #expect(room.broker.requests.count == 1)
  }

  @Test func `not again after some are deleted, on this device or a new one`() throws {
    let laptop = try device("laptop")
    try laptop.delete("bundled-1-03")
    try laptop.restart()
    #expect(try contacts(laptop).count == 9)
    let phone = try device("phone")
    #expect(try contacts(phone).count == 9)
    #expect(try phone.fields("bundled-1-03") == nil)
    #expect(try phone.reader.conflicts().isEmpty)
    try expectBalanced(laptop, phone)
  }

  @Test func `not twice when two devices start at the same moment`() throws {
    let laptop = try device("laptop", isOnline: false)
    let phone = try device("phone", isOnline: false)
    try laptop.goOnline()
    try phone.goOnline()
    for device in [laptop, phone] {
      #expect(try contacts(device).count == 10)
      #expect(try device.reader.conflicts().isEmpty)
      #expect(try device.reader.rejectedEdits().isEmpty)
    }
    #expect(try saves(of: "bundled-1-01") == 1)
    try expectBalanced(laptop, phone)
  }

  @Test func `a contact deleted before it was ever sent is nobody's, whichever way that is learnt`()
    throws
  {
    for isLate in [false, true] {
      let room = Room()
      func device(_ name: String) throws -> TestDevice {
        try TestDevice(room, name, isOnline: false, bundled: BundledContacts.all())
      }
      let laptop = try device("laptop")
      let phone = try device("phone")
      try laptop.delete("bundled-1-02")
      if isLate {
        // The phone's import is refused before the feed tells it anything.
        room.broker.nextRefusal = RecordsError(.zoneBusy, "Busy.")
        try phone.goOnline()
        try laptop.goOnline()
        try phone.fire(.resend)
      } else {
        try laptop.goOnline()
        try phone.goOnline()
      }
      for device in [laptop, phone] {
        #expect(try contacts(device).count == 9, "\(isLate)")
        #expect(try device.fields("bundled-1-02") == nil, "\(isLate)")
        #expect(try device.reader.status().waitingEntries == 0)
      }
    }
  }

  @Test func `a contact told while the import was under way and deleted since does not come back`()
    throws
  {
    let phone = try device("phone", isOnline: false)
    let replica = phone.replica
    let broker = AccountID(0xACC)
    let zone = ZoneID.standard.resolved(for: broker)
    let history = Incarnation(1)
    func change(_ name: String, _ tag: Int64, _ type: RecordType) -> Change {
      let stamp = Stamp(
        time: Room.now,
        origin: Origin(account: broker, device: DeviceID(77), request: RequestNumber(1)))
      return Change(
        name: RecordName(stored: name), tag: Revision(tag), kind: .saved, type: type,
        created: stamp, modified: stamp, record: EncodedRecord(["firstName": .string(name)]))
    }
    func hear(_ messages: BrokerMessage..., replyTo: UInt64? = nil) throws -> [SyncAction] {
      try messages.flatMap { try replica.received($0, replyTo: replyTo, now: Room.now) }
    }
    func level(_ head: Int64) -> BrokerMessage {
      .level(
        zone: zone, incarnation: history, head: Revision(head), scanStart: Revision(head))
    }
    func meet(lastNumber: Int64) throws {
      _ = replica.brokerAppeared()
      let greeting = try replica.connected(now: Room.now)
      guard case .conversation(.send(let id, _)) = greeting.first else { return }
      let welcome = Welcome(
        version: 1, account: broker, accountName: "ada", device: DeviceID(5),
        lastNumber: RequestNumber(lastNumber), directory: .zero, heartbeatSeconds: 30)
      _ = try hear(.welcome(welcome), replyTo: id)
    }
    let marker = change("import-bundled-1", 1, RecordType(stored: "ImportMarker"))
    let contact = change("bundled-1-01", 2, ContactRecord.type)
    try meet(lastNumber: 0)
    let sent = try hear(level(0))
    #expect(sent.contains { if case .conversation(.send(_, .modify)) = $0 { true } else { false } })
    _ = try hear(
      .changes(
        ZoneChanges(
          zone: zone, incarnation: history, from: .zero, to: Revision(2), scanStart: nil,
          changes: [marker, contact])))
    _ = try replica.disconnected(now: Room.now)
    try meet(lastNumber: 1)
    _ = try hear(
      .reset(zone: zone, RecordsError(.changeTokenExpired, "Expired.")),
      .changes(
        ZoneChanges(
          zone: zone, incarnation: history, from: .zero, to: Revision(9),
          scanStart: Revision(9), changes: [marker])), level(9))
    let results: [OperationResult] = (0..<11).map {
      $0 == 0
        ? .failed(RecordsError(.serverRecordChanged, "There."), serverRecord: marker)
        : .failed(RecordsError(.batchRequestFailed, "Another."), serverRecord: nil)
    }
    _ = try hear(
      .outcome(ModifyOutcome(number: RequestNumber(1), groups: [results])))
    #expect(try phone.fields("bundled-1-01") == nil)
    #expect(try contacts(phone).isEmpty)
    // Nobody deleted it here, and who did is not known (seed 50011).
    #expect(try phone.reader.trash(before: nil, limit: 10).isEmpty)
  }

  @Test func `not twice when both requests were on their way before either was answered`() throws {
    room.broker.nextRefusal = RecordsError(.zoneBusy, "Busy.")
    let laptop = try device("laptop")
    let phone = try device("phone")
    #expect(try contacts(phone).count == 10)
    #expect(try laptop.reader.status().waitingEdits == 10)
    try laptop.perform(laptop.replica.fired(.resend, now: Room.now))
    for device in [laptop, phone] {
      #expect(try contacts(device).count == 10)
      #expect(try device.reader.conflicts().isEmpty)
    }
    #expect(try saves(of: "bundled-1-01") == 1)
    try expectBalanced(laptop, phone)
  }

  @Test func `not twice when the device is killed between sending and hearing`() throws {
    room.broker.nextRefusal = RecordsError(.zoneBusy, "Busy.")
    let laptop = try device("laptop")
    laptop.isDeaf = true
    try laptop.perform(laptop.replica.fired(.resend, now: Room.now))
    #expect(try room.broker.fields("bundled-1-01") != nil)
    #expect(try laptop.reader.status().waitingEdits == 10)
    try laptop.restart()
    #expect(try contacts(laptop).count == 10)
    #expect(try saves(of: "bundled-1-01") == 1)
    try expectBalanced(laptop)
  }

  @Test func `what was edited before the account was met stays as an edit of its contact`() throws {
    let laptop = try device("laptop")
    try laptop.save("bundled-1-01", ["company": .string("Acme")])
    let phone = try device("phone", isOnline: false)
    try phone.save("bundled-1-01", ["note": .string("met in Rome")])
    try phone.goOnline()
    for device in [laptop, phone] {
      let fields = try #require(try device.fields("bundled-1-01"))
      #expect(fields["company"] == .string("Acme"))
      #expect(fields["note"] == .string("met in Rome"))
      #expect(try device.reader.conflicts().isEmpty)
    }
    try expectBalanced(laptop, phone)
  }

  @Test func `what was deleted before the account was met is deleted in the account`() throws {
    let laptop = try device("laptop")
    let phone = try device("phone", isOnline: false)
    try phone.delete("bundled-1-02")
    #expect(try contacts(phone).count == 9)
    try phone.goOnline()
    #expect(try laptop.fields("bundled-1-02") == nil)
    #expect(try contacts(laptop).count == 9)
    try expectBalanced(laptop, phone)
  }

  @Test func `an edited contact deleted here and in the account stays in the count`() throws {
    let phone = try device("phone")
    let laptop = try device("laptop", isOnline: false)
    try laptop.save("bundled-1-04", ["lastName": .string("Lee")])
    try laptop.delete("bundled-1-04")
    try phone.delete("bundled-1-04")
    try laptop.goOnline()
    for device in [laptop, phone] {
      #expect(try device.fields("bundled-1-04") == nil)
      #expect(try device.reader.status().waitingEntries == 0)
    }
    try expectBalanced(laptop, phone)
  }

  @Test func `a contact that the account never had is sent where its held deletion is refused`()
    throws
  {
    let laptop = try device("laptop", isOnline: false)
    try laptop.delete("bundled-1-02")
    try laptop.goOnline()
    let phone = try device("phone", isOnline: false)
    let fields = try phone.fields("bundled-1-02")
    for number in 0..<15 { try phone.save("c\(number)", ["firstName": .string("Ann")]) }
    let all = try contacts(phone).map(\.record.id)
    try phone.edit(all.map { .delete($0, version: nil) }, isAsked: false)
    try phone.goOnline()
    #expect(try phone.reader.status().heldDeletions > 0)
    try phone.perform(phone.replica.refuseDeletions(now: Room.now))
    for device in [laptop, phone] { #expect(try device.fields("bundled-1-02") == fields) }
    try expectLevel(laptop, phone)
  }

  @Test func `what was deleted before the import was ever sent is not sent`() throws {
    let laptop = try device("laptop", isOnline: false)
    try laptop.delete("bundled-1-02")
    try laptop.goOnline()
    #expect(try contacts(laptop).count == 9)
    #expect(try room.broker.fields("bundled-1-02") == nil)
    try expectBalanced(laptop)
  }

  // MARK: What people see of it

  @Test func `a second device's untouched contacts give way to the account's in silence`() throws {
    let laptop = try device("laptop")
    try laptop.save("bundled-1-04", ["company": .string("Acme")])
    try laptop.delete("bundled-1-03")
    let phone = try device("phone", isOnline: false)
    let before = try phone.reader.status().lastEvent
    try phone.goOnline()
    #expect(
      try changes(phone, after: before) == ["updated bundled-1-04", "deleted bundled-1-03"])
    try expectLevel(laptop, phone)
  }

  @Test func `the loser of a race for the import tells of no change where there is none`() throws {
    let (phone, before) = try loser(to: { _ in })
    #expect(try contacts(phone).count == 10)
    #expect(try changes(phone, after: before).isEmpty)
    try phone.goOffline()
    try phone.goOnline()
    #expect(try changes(phone, after: before).isEmpty)
    try expectLevel(phone)
  }

  @Test func `the loser of a race for the import tells of what differs, once`() throws {
    let (phone, before) = try loser { laptop in
      try laptop.save("bundled-1-04", ["company": .string("Acme")])
      try laptop.delete("bundled-1-03")
    }
    try phone.goOffline()
    try phone.goOnline()
    #expect(
      try changes(phone, after: before) == ["updated bundled-1-04", "deleted bundled-1-03"])
    try expectLevel(phone)
  }

  @Test func `a contact that the loser touches before it hears of the account's is an edit of it`()
    throws
  {
    let (phone, before) = try loser { laptop in
      try laptop.save("bundled-1-04", ["company": .string("Acme")])
    }
    try phone.goOffline()
    try phone.save("bundled-1-04", ["note": .string("met in Rome")])
    try phone.delete("bundled-1-05")
    try phone.goOnline()
    #expect(
      try changes(phone, after: before) == [
        "updated bundled-1-04", "deleted bundled-1-05", "updated bundled-1-04",
      ])
    #expect(try phone.fields("bundled-1-04")?["company"] == .string("Acme"))
    #expect(try phone.reader.conflicts().isEmpty)
    try expectLevel(phone)
  }

  @Test func `a contact gone before the loser read the account again goes with the refusal`() throws
  {
    room.broker.nextRefusal = RecordsError(.zoneBusy, "Busy.")
    let phone = try device("phone")
    try phone.goOffline()
    try device("laptop").delete("bundled-1-03")
    room.broker.reapTombstones()
    room.broker.nextRefusal = RecordsError(.zoneBusy, "Busy.")
    let before = try phone.reader.status().lastEvent
    try phone.goOnline()
    #expect(try phone.reader.status().waitingEntries == 11, "read again, and not answered yet")
    try phone.perform(phone.replica.fired(.resend, now: Room.now))
    #expect(try changes(phone, after: before) == ["deleted bundled-1-03"])
    try expectLevel(phone)
  }

  @Test func `the status counts ten pending contacts, and not the import's marker`() throws {
    let phone = try device("phone", isOnline: false)
    #expect(try phone.reader.status().waitingEdits == 10)
    #expect(try phone.reader.status().waitingEntries == 11)
  }

  // MARK: -

  /// A phone whose import was rejected, because the broker has that of the laptop. The rejection arrives before the
  /// feed contains the laptop's edits of the contacts. Returns the phone and its newest event before that.
  private func loser(
    to edits: (TestDevice) throws -> Void
  ) throws -> (phone: TestDevice, before: Int64) {
    room.broker.nextRefusal = RecordsError(.zoneBusy, "Busy.")
    let phone = try device("phone")
    phone.isDeaf = true
    try edits(try device("laptop"))
    let before = try phone.reader.status().lastEvent
    phone.isDeaf = false
    try phone.perform(phone.replica.fired(.resend, now: Room.now))
    #expect(try phone.reader.status().waitingEntries == 0, "the refusal has come")
    return (phone, before)
  }

  private func changes(_ device: TestDevice, after sequence: Int64) throws -> [String] {
    try device.reader.events(after: sequence, limit: 100).events.map { "\($0.kind) \($0.id)" }
  }

  /// Nothing waits, and the devices show what the broker has.
  private func expectLevel(_ devices: TestDevice...) throws {
    for device in devices {
      #expect(try device.reader.status().waitingEntries == 0)
      #expect(try device.reader.status().ledger.isBalanced)
      for number in 1...10 {
        let name = number == 10 ? "bundled-1-10" : "bundled-1-0\(number)"
        #expect(try device.fields(name) == room.broker.fields(name))
      }
    }
  }

  private func device(_ name: String, isOnline: Bool = true) throws -> TestDevice {
    try TestDevice(room, name, isOnline: isOnline, bundled: BundledContacts.all())
  }

  private func contacts(_ device: TestDevice) throws -> [ContactRow] {
    try device.reader.contacts(ContactQuery()).rows
  }

  /// How often a record was created at the broker.
  private func saves(of name: String) throws -> Int64 {
    let zone = room.broker.zones[ZoneID.standard.resolved(for: room.broker.account)]
    return zone?.head.value == 11 ? 1 : zone?.head.value ?? 0
  }

  private func expectBalanced(_ devices: TestDevice...) throws {
    for device in devices {
      let status = try device.reader.status()
      #expect(status.ledger.isBalanced, "\(status.ledger)")
      #expect(status.waitingEntries == 0)
    }
  }
}
