// Joining an account on another machine, as the device's database sees it.

import Contacts
import Crypto
import DeviceRoom
import DeviceStore
import Records
import Testing

@Suite("R3 joining")
struct JoinedBrokerTests {
  private let room = Room()
  private let broker = JoinedBroker(addresses: ["server:7433", "[::1]:1"], keyDigest: [1, 2, 3])

  private func device() throws -> TestDevice {
    try TestDevice(room, "laptop", isOnline: false, bundled: BundledContacts.all())
  }

  private func join(
    _ device: TestDevice, of account: String = "ada", isReplacing: Bool = false
  ) throws {
    try device.perform(
      device.replica.join(
        broker, of: account, isReplacing: isReplacing,
        deviceKeyDigest: device.reader.deviceKeyDigest(), now: Room.now))
  }

  @Test func `a joined broker is remembered until its account is signed out`() throws {
    let device = try device()
    #expect(try device.reader.joinedBroker() == nil)
    try join(device)
    #expect(try device.reader.joinedBroker() == broker)
    try device.restart()
    #expect(try device.reader.joinedBroker() == broker)
    try device.perform(device.replica.signOut(discarding: true, now: Room.now))
    #expect(try device.reader.joinedBroker() == nil)
  }

  @Test func `a device that had joined needs an invitation again, and says so`() throws {
    let device = try device()
    #expect(try !device.reader.needsInvitation())
    try join(device)
    #expect(try !device.reader.needsInvitation())
    try device.perform(device.replica.signOut(discarding: true, now: Room.now))
    try device.restart()
    #expect(try device.reader.needsInvitation())
    #expect(try device.reader.signOutReason()?.reason == "signedOut")
    #expect(try device.reader.signOutReason()?.field == "invitation")
    try join(device)
    #expect(try !device.reader.needsInvitation())
    #expect(try device.reader.signOutReason() == nil)
  }

  @Test func `first contacts as they were do not count, and others do`() throws {
    let device = try device()
    #expect(try device.reader.ownRecords(beforeJoining: "ada") == 0)
    try device.save("bundled-1-01", ["note": .string("changed")])
    try device.save("c", ["firstName": .string("Cora")])
    #expect(try device.reader.ownRecords(beforeJoining: "ada") == 2)
    try device.delete("c")
    #expect(try device.reader.ownRecords(beforeJoining: "ada") == 1)
  }

  @Test func `in an application without a main type, records of all types count`() throws {
    let replica = try Replica(
      database: .inMemory(schema: []),
      settings: DeviceSettings(container: "notes", accountName: nil, deviceName: "laptop"),
      application: Application(rules: ApplicationRules(), projections: []),
      generator: SystemRandomNumberGenerator(), now: Room.now)
    for type in ["Note", "Folder"] {
      let save = LocalEdit.RecordSave(
        id: RecordID(zone: .standard, name: RecordName(stored: type)),
        type: RecordType(stored: type), changes: FieldChanges(set: ["title": .string("A")]))
      _ = try replica.edit([.save(save)], now: Room.now)
    }
    #expect(try replica.reader.ownRecords(beforeJoining: "ada") == 2)
  }

  @Test func `contacts are kept or replaced, and the key stays`() throws {
    let device = try device()
    let digest = try device.reader.deviceKeyDigest()
    try device.save("c", ["firstName": .string("Cora")])
    try join(device)
    #expect(try device.fields("c") != nil)
    try join(device, isReplacing: true)
    #expect(try device.fields("c") == nil && device.fields("bundled-1-01") != nil)
    #expect(try device.reader.deviceKeyDigest() == digest)
    try device.goOnline()
    #expect(Array(SHA256.hash(data: room.broker.lastKey)) == digest)
  }

  @Test func `a device that was signed out in between does not join with its former key`() throws {
    let device = try device()
    let admitted = try device.reader.deviceKeyDigest()
    try device.perform(device.replica.signOut(discarding: true, now: Room.now))
    #expect(throws: RecordsError.self) {
      try device.replica.join(
        broker, of: "ada", isReplacing: false, deviceKeyDigest: admitted, now: Room.now)
    }
    #expect(try device.reader.joinedBroker() == nil)
  }

  @Test func `a device of the account keeps everything, and one of another cannot join`() throws {
    let device = try device()
    try device.save("c", ["firstName": .string("Cora")])
    try device.goOnline()
    #expect(try device.reader.ownRecords(beforeJoining: "ada") == 0)
    #expect(try device.reader.belongs(to: "ada"))
    try join(device)
    #expect(try device.reader.joinedBroker() == broker && device.fields("c") != nil)
    // An account of the same name at another broker can be that of another user.
    #expect(try device.reader.ownRecords(beforeJoining: "ada", at: broker.keyDigest) == 0)
    #expect(try device.reader.ownRecords(beforeJoining: "ada", at: [9]) > 0)
    let error = #expect(throws: RecordsError.self) { try join(device, of: "grace") }
    #expect(error?.code == .constraintViolation)
    #expect(throws: RecordsError.self) { try device.reader.ownRecords(beforeJoining: "grace") }
    try device.perform(device.replica.signOut(discarding: true, now: Room.now))
    #expect(try device.reader.ownRecords(beforeJoining: "grace") == 0)
  }
}
