import BrokerClient
import BrokerClientTesting
import Testing

@Suite("K2 zones of a database", .timeLimit(.minutes(5)))
struct DatabaseZonesTests {
  @Test func `a deleted zone is listed and restored with its records`() async throws {
    try await LocalBroker.run { broker in
      let database = broker.container().privateDatabase
      let zone = try await database.save(Zone(title: "Trip"))
      let id = RecordID(recordName: "n", zoneID: zone.id)
      try await database.save(Record(recordType: "Note", id: id, fields: ["text": "tent"]))
      #expect(try await database.deletedZones().isEmpty)
      try await database.deleteZone(withID: zone.id)
      let deleted = try await database.deletedZones()
      #expect(deleted.map(\.id) == [zone.id] && deleted.map(\.title) == ["Trip"])
      #expect(deleted.map(\.recordCount) == [1])
      try await database.restoreZone(withID: zone.id)
      #expect(try await database.record(for: id)["text"] == "tent")
      #expect(try await database.deletedZones().isEmpty)
      try await database.restoreZone(withID: zone.id)
    }
  }

  @Test func `a zone that never existed cannot be restored`() async throws {
    try await LocalBroker.run { broker in
      let database = broker.container().privateDatabase
      let error = await #expect(throws: RecordsError.self) {
        try await database.restoreZone(withID: .random())
      }
      #expect(error?.code == .zoneNotFound)
    }
  }
}
