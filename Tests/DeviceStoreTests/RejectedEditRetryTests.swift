// Rejected edits that the user applies again.

import AddressBook
import Contacts
import DeviceRoom
import DeviceStore
import Records
import SyncCore
import Testing

@Suite("I17 rejected edits are applied again")
struct RejectedEditRetryTests {
  private let room = Room()
  private let full = RecordsError(.quotaExceeded, "There is no room.")
  private let ann: Fields = ["firstName": .string("Ann"), "lastName": .string("Lee")]

  private func refuse(_ name: String) {
    room.broker.poison = (name: RecordName(stored: name), error: full)
  }

  private func number(_ device: TestDevice) throws -> Int64 {
    try #require(try device.reader.rejectedEdits().first?.id)
  }

  private func retry(_ device: TestDevice, in zone: ZoneID? = nil) throws {
    room.broker.poison = nil
    try device.perform(
      device.replica.retry(rejected: number(device), in: zone, now: Room.now).actions)
  }

  private func phone(_ id: UInt64, _ value: String, label: String = "home") -> Entry {
    Entry(
      id: EntryID(UInt128(id)), position: Position(stored: "\(id)"),
      fields: ["label": .string(label), "value": .string(value)])
  }

  @Test func `an addition for which there was no room is whole again, on all devices`() throws {
    let (laptop, phone) = (try TestDevice(room, "laptop"), try TestDevice(room, "phone"))
    refuse("a")
    try laptop.save("a", ann)
    #expect(try laptop.fields("a") == nil)
    try retry(laptop)
    #expect(try laptop.fields("a") == ann)
    #expect(try phone.fields("a") == ann)
    let status = try laptop.reader.status()
    #expect(status.rejectedEdits == 0 && status.waitingEntries == 0 && status.ledger.isBalanced)
    #expect(try laptop.reader.trash(before: nil, limit: 10).isEmpty)
  }

  @Test func `an addition that is refused again is in the list again`() throws {
    let laptop = try TestDevice(room, "laptop")
    refuse("a")
    try laptop.save("a", ann)
    let former = try number(laptop)
    try laptop.perform(laptop.replica.retry(rejected: former, now: Room.now).actions)
    #expect(try number(laptop) > former)
    #expect(try laptop.reader.rejectedEdits().map(\.changes.set) == [ann])
  }

  @Test func `a change goes on top of what the contact has become, entry by entry`() throws {
    let (laptop, other) = (try TestDevice(room, "laptop"), try TestDevice(room, "phone"))
    try laptop.save("a", ["firstName": .string("Ann"), "phones": .entries([phone(1, "1")])])
    refuse("a")
    try laptop.save(
      "a",
      [
        "note": .string("Typed"),
        "phones": .entries([phone(1, "1", label: "boat"), phone(2, "2")]),
      ])
    #expect(try laptop.fields("a")?["note"] == nil)
    room.broker.poison = nil
    try other.save(
      "a",
      ["lastName": .string("Lee"), "phones": .entries([phone(1, "111"), phone(3, "3")])])
    try retry(laptop)
    let fields = try #require(try other.fields("a"))
    #expect(fields["note"] == .string("Typed") && fields["lastName"] == .string("Lee"))
    #expect(
      fields["phones"] == .entries([phone(1, "111", label: "boat"), phone(2, "2"), phone(3, "3")]))
  }

  @Test func `a photo for which there was no room is still here, and is sent`() throws {
    let laptop = try TestDevice(room, "laptop")
    try laptop.save("a", ann)
    let asset = Asset(digest: Array(repeating: 7, count: 32), sizeBytes: 200_000)
    room.broker.assets.refusal = full
    laptop.files[asset.id] = Array(repeating: 7, count: 200_000)
    try laptop.edit([
      .keepAsset(asset), .save(TestDevice.contact("a", ["photo": .asset(asset)])),
    ])
    #expect(try laptop.fields("a") == ann)
    room.broker.assets.refusal = nil
    try retry(laptop)
    #expect(try laptop.fields("a")?["photo"] == .asset(asset))
    #expect(try room.broker.fields("a")?["photo"] == .asset(asset))
    #expect(room.broker.assets.files[asset.id]?.count == 200_000)
    #expect(try laptop.replica.collectAssets(now: Room.now).isEmpty)
  }

  @Test func `a change of a contact that was deleted since restores it with the change`() throws {
    let laptop = try TestDevice(room, "laptop")
    try laptop.save("a", ann)
    refuse("a")
    try laptop.save("a", ["note": .string("Typed")])
    room.broker.poison = nil
    try laptop.delete("a")
    try retry(laptop)
    #expect(try room.broker.fields("a")?["firstName"] == .string("Ann"))
    #expect(try room.broker.fields("a")?["note"] == .string("Typed"))
  }

  @Test func `a change of a contact of which nothing else is left is refused, and kept`() throws {
    let laptop = try TestDevice(room, "laptop")
    try laptop.save("a", ann)
    refuse("a")
    try laptop.save("a", ["note": .string("Typed")])
    room.broker.poison = nil
    try laptop.delete("a")
    _ = try laptop.replica.emptyTrash(now: Room.now)
    let error = #expect(throws: RecordsError.self) { try retry(laptop) }
    #expect(error?.code == .unknownItem)
    #expect(try laptop.reader.rejectedEdits().count == 1)
  }

  @Test func `a contact whose group is gone is created in the group that the user names`() throws {
    let laptop = try TestDevice(room, "laptop")
    let team = ZoneID(name: ZoneName(7))
    try laptop.edit([.createZone(team, title: "Team")])
    refuse("a")
    try laptop.save("a", ann, in: team)
    room.broker.poison = nil
    try laptop.edit([.deleteZone(team)])
    #expect(throws: RecordsError.self) { try retry(laptop) }
    #expect(try laptop.reader.rejectedEdits().count == 1)
    try retry(laptop, in: .standard)
    #expect(try room.broker.fields("a") == ann)
  }

  @Test func `an edit of a group, and a number that no edit has, are refused`() throws {
    let laptop = try TestDevice(room, "laptop")
    room.broker.zoneRefusal = full
    try laptop.edit([.createZone(ZoneID(name: ZoneName(7)), title: "Team")])
    let error = #expect(throws: RecordsError.self) { try retry(laptop) }
    #expect(error?.code == .invalidArguments)
    let unknown = #expect(throws: RecordsError.self) {
      _ = try laptop.replica.retry(rejected: 99, now: Room.now)
    }
    #expect(unknown?.code == .unknownItem)
  }
}
