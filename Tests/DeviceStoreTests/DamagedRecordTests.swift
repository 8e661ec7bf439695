import AddressBook
import DeviceRoom
import Records
import Testing

@testable import DeviceStore

@Suite("I26 records that the broker's disk damages")
struct DamagedRecordTests {
  private let room = Room()
  private let laptop: TestDevice
  private let phone: TestDevice

  init() throws {
    laptop = try TestDevice(room, "laptop")
    phone = try TestDevice(room, "phone")
    try laptop.save("a", ["firstName": .string("v1")])
  }

  /// Restores a backup while no device is connected.
  private func restore(_ backup: MiniBroker.Backup) throws {
    for device in [laptop, phone] { try device.goOffline() }
    room.broker.restore(backup)
    for device in [laptop, phone] { try device.goOnline() }
  }

  @Test func `an edit of a damaged state is no conflict, and brings the record back whole`() throws
  {
    try laptop.save("a", ["lastName": .string("Quill")])
    room.broker.damage("a")
    try phone.save("a", ["company": .string("Acme")])
    for device in [laptop, phone] {
      let fields = try #require(try device.fields("a"))
      #expect(fields["firstName"] == .string("v1") && fields["lastName"] == .string("Quill"))
      #expect(fields["company"] == .string("Acme"))
      #expect(try device.reader.conflicts().isEmpty)
    }
  }

  /// Seed 50376 of the simulation: the state that was edited had been sent again after a restore. The broker alone knew
  /// which former state it was, and lost that with the record.
  @Test func `deleted after it was damaged and edited, a record stays deleted after a restore`()
    throws
  {
    let first = room.broker.backup()
    try laptop.save("a", ["firstName": .string("v2")])
    try restore(first)
    let second = room.broker.backup()
    room.broker.damage("a")
    try laptop.save("a", ["company": .string("Acme")])
    try phone.delete("a")
    try restore(second)
    for device in [laptop, phone] { #expect(try device.fields("a") == nil) }
    #expect(try room.broker.names(in: .standard).isEmpty)
  }

  @Test func `a damaged state that is later than the edited one counts as deleted`() throws {
    try phone.goOffline()
    try laptop.save("a", ["firstName": .string("v2")])
    try phone.save("a", ["company": .string("Acme")])
    room.broker.damage("a")
    try phone.goOnline()
    #expect(try phone.reader.conflicts().count == 1)
  }
}
