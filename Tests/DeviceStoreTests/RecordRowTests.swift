import AgentStore
import DeviceRoom
import GRDB
import Records
import SyncCore
import Testing

@testable import DeviceStore

@Suite("I1, I3 the rows of a record")
struct RecordRowTests {
  private static let (ann, bea): (Fields, Fields) = (
    ["firstName": .string("Ann")], ["firstName": .string("Bea")]
  )

  /// A device with an edit in flight, as it is stored.
  /// - Parameter isStoredTwice: Whether the fields in flight are stored although the record shows them.
  private func device(isStoredTwice: Bool) throws -> TestDevice {
    let database = try DeviceDatabase.inMemory()
    let device = try TestDevice(Room(), "laptop", database: database, isOnline: false)
    try device.save("a", Self.ann)
    try database.writer.write { db in
      try db.execute(
        sql: isStoredTwice
          ? """
          UPDATE layer SET flight = 1,
            flight_fields = (SELECT shown FROM record WHERE id = layer.record)
          """ : "UPDATE layer SET flight = 1, flight_is_shown = 1")
    }
    return device
  }

  private func layers(_ device: TestDevice) throws -> RecordLayers {
    let row = try device.reader.read { db in
      try RecordRow.load(db, zone: 1, name: RecordName(stored: "a"))
    }
    return try #require(row?.layers)
  }

  @Test(arguments: [true, false])
  func `a later edit leaves the fields in flight as they were sent`(isStoredTwice: Bool) throws {
    let device = try device(isStoredTwice: isStoredTwice)
    #expect(try layers(device).inFlight?.fields == Self.ann)
    try device.save("a", Self.bea)
    let edited = try layers(device)
    #expect(edited.shown == Self.bea && edited.inFlight?.fields == Self.ann)
    try device.delete("a")
    let deleted = try layers(device)
    #expect(deleted.shown == nil && deleted.inFlight?.fields == Self.ann)
  }

  @Test func `fields in flight that the record shows are stored once`() throws {
    let device = try device(isStoredTwice: true)
    try device.save("a", Self.bea)
    try device.save("a", Self.ann)
    let copies = try device.reader.read { try $0.number("SELECT count(flight_fields) FROM layer") }
    #expect(try copies == 0 && layers(device).inFlight?.fields == Self.ann)
  }
}
