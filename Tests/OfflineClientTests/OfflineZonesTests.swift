import BrokerClientTesting
import OfflineClient
import Testing

@Suite("E1 zones of an offline container", .timeLimit(.minutes(2)))
struct OfflineZonesTests {
  private let directory: DeviceDirectory
  private let zone = Zone(title: "Trip")

  init() throws { directory = try DeviceDirectory() }

  private var tent: Record {
    Record(
      recordType: "Note", id: RecordID(recordName: "n", zoneID: zone.id),
      fields: ["text": "tent"])
  }

  @Test func `a zone that was never sent can be deleted and saved again, and is empty`()
    async throws
  {
    let container = try await directory.open("laptop")
    try await container.save(zone)
    try await container.save(tent)
    try await container.deleteZone(withID: zone.id)
    try await container.save(zone)
    #expect(try container.allZones().map(\.title).sorted() == ["", "Trip"])
    #expect(try container.notes() == [])
    try await container.close()
  }

  @Test func `the id of a zone that was deleted is not used again, and the errors say so`()
    async throws
  {
    let storage = try LocalBroker.Storage()
    let container = try await directory.open("laptop", broker: storage.address)
    try await LocalBroker.run(on: storage) { _ in
      try await container.save(zone)
      try await container.save(tent)
      try await container.synced()
    }
    try await eventually { try container.status().connection == .offline }
    try await container.deleteZone(withID: zone.id)
    let error = await #expect(throws: RecordsError.self) { try await container.save(zone) }
    #expect(error?.code == .zoneNotFound && error?.reason == "zoneDeleted")
    #expect(error?.message.contains("Trip") == true)
    // A new id is accepted, also before the deletion is sent.
    try await container.save(Zone(title: "Trip"))
    try await LocalBroker.run(on: storage) { _ in
      try await container.synced()
      try await eventually { try container.deletedZones().map(\.id) == [zone.id] }
    }
    let later = await #expect(throws: RecordsError.self) { try await container.save(zone) }
    #expect(later?.reason == "zoneDeleted")
    #expect(try container.allZones().map(\.title).sorted() == ["", "Trip"])
    try await container.close()
  }

  @Test func `a deleted zone is restored with its records`() async throws {
    try await LocalBroker.run { broker in
      let container = try await directory.open("laptop", broker: broker.address)
      try await container.save(zone)
      try await container.save(tent)
      // A zone that was not sent would be gone at once.
      try await container.synced()
      try await container.deleteZone(withID: zone.id)
      try await eventually { try container.deletedZones().map(\.recordCount) == [1] }
      #expect(try container.deletedZones().map(\.title) == ["Trip"])
      try await container.restoreZone(withID: zone.id)
      try await eventually { try container.notes() == ["tent"] }
      #expect(try container.deletedZones().isEmpty)
      try await container.close()
    }
  }
}
