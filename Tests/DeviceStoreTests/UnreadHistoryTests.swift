import AddressBook
import DeviceRoom
import Records
import Testing

@testable import DeviceStore

@Suite("I17 edits that are confirmed in a history of which the device has read nothing")
struct UnreadHistoryTests {
  private let room = Room()
  private let laptop: TestDevice
  private let phone: TestDevice
  private let first: MiniBroker.Backup
  private let standard: ZoneID

  init() throws {
    laptop = try TestDevice(room, "laptop")
    phone = try TestDevice(room, "phone")
    standard = ZoneID.standard.resolved(for: room.broker.account)
    try laptop.save("a", ["firstName": .string("v1")])
    first = room.broker.backup()
  }

  /// Restores a backup while no device is connected.
  private func restore(_ backup: MiniBroker.Backup) throws {
    for device in [laptop, phone] { try device.goOffline() }
    room.broker.restore(backup)
    for device in [laptop, phone] { try device.goOnline() }
  }

  /// The first backup is restored, after which the phone hears the outcome of an edit that it sent before, and nothing else.
  private func restoreFirst(afterEdit edit: () throws -> Void) throws {
    phone.isOnline = false
    try edit()
    for device in [laptop, phone] { try device.goOffline() }
    room.broker.restore(first)
    room.broker.silentZones = [standard]
    try phone.goOnline()
    try phone.goOffline()
    room.broker.silentZones = []
  }

  private func expect(_ names: Set<String>) throws {
    #expect(try room.broker.names(in: .standard) == names)
    for device in [laptop, phone] {
      #expect(try Set(device.reader.records(in: .standard).map(\.id.name.text)) == names)
      #expect(try device.reader.status().waitingEntries == 0)
      #expect(try device.reader.conflicts().isEmpty)
    }
  }

  /// Seed 122279 of the simulation. The tag is lower than the revisions of the history that the phone had read before, which
  /// the last one continues.
  @Test func `a record stays that was made in a history that another restore ended`() throws {
    for _ in 0..<2 { try restore(room.broker.backup()) }
    let second = room.broker.backup()
    try restoreFirst { try phone.save("b", ["firstName": .string("new")]) }
    #expect(try room.broker.names(in: .standard) == ["a", "b"])
    try restore(second)
    try expect(["a", "b"])
  }

  @Test func `a value stays that was set in a history that another restore ended`() throws {
    for _ in 0..<2 { try restore(room.broker.backup()) }
    let second = room.broker.backup()
    try restoreFirst { try phone.save("a", ["lastName": .string("Quill")]) }
    try restore(second)
    try expect(["a"])
    let fields: Fields = ["firstName": .string("v1"), "lastName": .string("Quill")]
    #expect(try room.broker.fields("a") == fields)
    for device in [laptop, phone] { #expect(try device.fields("a") == fields) }
  }

  @Test func `a deletion in a history that another restore ended is repeated`() throws {
    for _ in 0..<2 { try restore(room.broker.backup()) }
    let second = room.broker.backup()
    try restoreFirst { try phone.delete("a") }
    #expect(try room.broker.names(in: .standard).isEmpty)
    try restore(second)
    try expect([])
  }

  @Test func `another device deletes the record before the reading`() throws {
    try restoreFirst { try phone.save("b", ["firstName": .string("new")]) }
    try laptop.goOnline()
    try laptop.delete("b")
    try phone.goOnline()
    try expect(["a"])
  }

  /// The phone has not seen the value that the laptop set in the history that ended, so it must not say that its state
  /// contains that.
  @Test func `an edit after the outcome does not replace what the device has never seen`() throws {
    phone.isDeaf = true
    try laptop.save("a", ["firstName": .string("v2")])
    try restoreFirst { try phone.save("a", ["lastName": .string("Quill")]) }
    try phone.save("a", ["company": .string("Acme")])
    try phone.goOnline()
    try laptop.goOnline()
    try expect(["a"])
    let fields: Fields = [
      "firstName": .string("v2"), "lastName": .string("Quill"), "company": .string("Acme"),
    ]
    #expect(try room.broker.fields("a") == fields)
  }
}
