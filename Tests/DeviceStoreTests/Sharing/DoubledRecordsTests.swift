import DeviceRoom
import Records
import SyncCore
import Testing

@testable import DeviceStore

@Suite("Z1 contacts that are in two groups")
struct DoubledRecordsTests {
  private let room = Room()
  private let rowing = ZoneID(name: ZoneName(5))
  private let choir = ZoneID(name: ZoneName(6))
  private let laptop: TestDevice
  private let phone: TestDevice

  init() throws {
    laptop = try TestDevice(room, "laptop")
    try laptop.edit([
      .createZone(rowing, title: "Rowing"), .createZone(choir, title: "Choir"),
      .save(TestDevice.contact("ada", ["note": .string("old"), "company": .string("Works")])),
    ])
    phone = try TestDevice(room, "phone")
  }

  /// Saves a contact as it is after moves.
  private func save(_ note: String, after moves: [UInt8], in zone: ZoneID) throws {
    let trail = moves.map { Value.bytes(Array(repeating: $0, count: 16)) }
    try laptop.save("ada", ["note": .string(note), MoveTrail.field: .list(trail)], in: zone)
  }

  private func reconnectLater(_ devices: [TestDevice]) throws {
    for device in devices {
      device.now = device.now.adding(seconds: DoubledRecords.waitSeconds + 1)
      try device.goOffline()
    }
    for device in devices { try device.goOnline() }
  }

  private func places(on device: TestDevice) throws -> [ZoneID] {
    try [.standard, rowing, choir].filter { try device.fields("ada", in: $0) != nil }
  }

  @Test func `are merged where the last move brought them, when a device connects`() throws {
    try save("new", after: [1], in: rowing)
    try reconnectLater([phone])
    for device in [laptop, phone] {
      #expect(try places(on: device) == [rowing])
      #expect(try device.fields("ada", in: rowing)?["note"] == .string("new"))
      #expect(try device.fields("ada", in: rowing)?["company"] == .string("Works"))
      #expect(try device.reader.conflicts().map(\.losing) == [.string("old")])
      #expect(try device.reader.status().waitingEntries == 0)
    }
  }

  @Test func `are merged alike by all devices`() throws {
    try save("further", after: [2, 1], in: choir)
    try save("new", after: [2], in: rowing)
    try reconnectLater([laptop, phone])
    for device in [laptop, phone] {
      #expect(try places(on: device) == [choir])
      #expect(try device.fields("ada", in: choir)?["note"] == .string("further"))
    }
  }

  @Test func `are merged too after moves that crossed, of which each has the same`() throws {
    try laptop.delete("ada")
    try save("there", after: [1, 2, 3], in: choir)
    try save("back", after: [1, 3, 2], in: rowing)
    try reconnectLater([laptop, phone])
    for device in [laptop, phone] {
      #expect(try places(on: device) == [choir])
      #expect(try device.fields("ada", in: choir)?["note"] == .string("there"))
      #expect(try device.reader.conflicts().map(\.losing) == [.string("back")])
      #expect(try device.reader.status().waitingEntries == 0)
    }
  }

  @Test func `are merged with all that each has, if there are three`() throws {
    try save("back", after: [1, 3, 2], in: rowing)
    try save("there", after: [1, 2, 3], in: choir)
    try reconnectLater([laptop, phone])
    for device in [laptop, phone] {
      #expect(try places(on: device) == [choir])
      #expect(try device.fields("ada", in: choir)?["company"] == .string("Works"))
      #expect(try device.reader.status().waitingEntries == 0)
    }
  }

  @Test func `stay if one was created again on purpose`() throws {
    try laptop.delete("ada")
    try save("moved", after: [1, 2], in: rowing)
    try save("put back", after: [1, 2], in: choir)
    try reconnectLater([laptop, phone])
    for device in [laptop, phone] {
      #expect(try places(on: device) == [rowing, choir])
    }
  }

  @Test func `stay for a minute, in which the device that moved them may end its move`() throws {
    try save("new", after: [1], in: rowing)
    try phone.goOffline()
    try phone.goOnline()
    #expect(try places(on: phone) == [.standard, rowing])
  }

  @Test func `keep what this device typed meanwhile`() throws {
    try save("new", after: [1], in: rowing)
    try phone.goOffline()
    try phone.save("ada", ["note": .string("typed")])
    try phone.goOnline()
    try reconnectLater([phone])
    #expect(try places(on: phone) == [rowing])
    #expect(try laptop.reader.conflicts().map(\.losing) == [.string("typed")])
  }
}
