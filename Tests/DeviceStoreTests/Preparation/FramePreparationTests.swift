// A device that gets prepared frames must store what a device stores that decodes the same frames itself.

import AddressBook
import DeviceRoom
import GRDB
import Records
import RecordsWire
import Testing

@testable import DeviceStore

@Suite("Frames that are prepared before they are stored")
struct FramePreparationTests {
  private static let names = ["Nowak", "Щербаков", "小龙", "O'Brien", "Åberg", "", "Anand", "Zed"]

  private func fields(_ number: Int64) -> Fields {
    [
      "firstName": .string("First \(number * 7919 % 1000)"),
      "lastName": .string(Self.names[Int(number) % Self.names.count]),
      "company": .string("Acme \(number % 13)"),
    ]
  }

  private func frame(_ tags: ClosedRange<Int64>) -> BrokerFrame {
    FollowingDevice.frame(
      tags.map { FollowingDevice.change("c\($0)", at: $0, fields($0)) })
  }

  private func receive(_ frames: [BrokerFrame], by device: TestDevice, isPrepared: Bool) throws {
    let preparation = isPrepared ? device.replica.preparation(of: frames, minimum: 1) : nil
    let prepared = preparation?.prepared() ?? frames.map { PreparedFrame($0) }
    #expect(isPrepared == prepared.contains { $0.changes != nil })
    _ = try device.replica.received(prepared: prepared, now: Room.now)
  }

  /// The tables of records and contacts, as text.
  private func tables(_ device: TestDevice) throws -> [[String]] {
    try [
      "SELECT name, type, hex(shown), tag, seen, layered FROM record",
      "SELECT record.name, text FROM contact JOIN record ON record.id = contact.record",
      """
      SELECT record.name, hex(last), hex(first), hex(company), indexed
      FROM contact_place JOIN record ON record.id = contact_place.record
      """,
      "SELECT * FROM contact_section", "SELECT kind, id, title FROM event",
    ].map { sql in
      try device.replica.database.read { db in
        try Row.fetchAll(db, sql: sql).map { "\($0)" }.sorted()
      }
    }
  }

  @Test func `they are stored as frames that were not prepared`() throws {
    let frames = [frame(1...100), frame(101...120)]
    let devices = try [true, false].map { isPrepared in
      let device = try FollowingDevice.make()
      try receive(frames, by: device, isPrepared: isPrepared)
      return device
    }
    #expect(try devices[0].reader.contactCount() == 120)
    #expect(try tables(devices[0]) == tables(devices[1]))
  }

  @Test func `a change of an edited record is merged as if it was not prepared`() throws {
    let devices = try [true, false].map { isPrepared in
      let device = try FollowingDevice.make()
      try receive([frame(1...2)], by: device, isPrepared: isPrepared)
      _ = try device.replica.edit(
        [.save(TestDevice.contact("c1", ["note": .string("mine")]))], now: Room.now)
      let change = FollowingDevice.change("c1", at: 3, ["firstName": .string("Theirs")])
      try receive([FollowingDevice.frame([change])], by: device, isPrepared: isPrepared)
      return device
    }
    let fields = try devices[0].fields("c1")
    #expect(fields?["note"] == .string("mine") && fields?["firstName"] == .string("Theirs"))
    #expect(try tables(devices[0]) == tables(devices[1]))
  }

  @Test func `a record that cannot be decoded is passed over, and the others are stored`() throws {
    let device = try FollowingDevice.make()
    let changes = [
      FollowingDevice.change("c1", at: 1, fields(1)),
      FollowingDevice.change("c2", at: 2, EncodedRecord(stored: [0xFF, 0xFF])),
      FollowingDevice.change("c3", at: 3, fields(3)),
    ]
    try receive([FollowingDevice.frame(changes)], by: device, isPrepared: true)
    #expect(try device.fields("c1") == fields(1) && device.fields("c3") == fields(3))
    #expect(try device.fields("c2") == nil)
  }

  @Test func `a record that the tables refuse is passed over, alone`() throws {
    let device = try FollowingDevice.make()
    try device.refuse(insertsInto: "record", where: "NEW.name = 'c2'")
    try receive([frame(1...3)], by: device, isPrepared: true)
    #expect(try device.reader.contactCount() == 2 && device.fields("c2") == nil)
  }

  @Test func `few changes, and those of the device itself, are not worth it`() throws {
    let device = try FollowingDevice.make()
    let few = FramePreparation.changesMinimum - 1
    #expect(device.replica.preparation(of: [frame(1...Int64(few))]) == nil)
    #expect(device.replica.preparation(of: [frame(1...Int64(few + 1))]) != nil)
    let own = (1...200).map {
      FollowingDevice.change("c\($0)", at: $0, by: FollowingDevice.own, fields($0))
    }
    #expect(device.replica.preparation(of: [FollowingDevice.frame(own)]) == nil)
  }

  @Test func `a cancelled preparation returns the frames as they are`() async throws {
    let device = try FollowingDevice.make()
    let preparation = try #require(device.replica.preparation(of: [frame(1...100)]))
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return preparation.prepared()
    }
    let prepared = await task.value
    #expect(prepared.map(\.frame) == [frame(1...100)])
    #expect(prepared.allSatisfy { $0.changes == nil })
  }
}
