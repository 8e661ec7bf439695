import BrokerClientTesting
import OfflineClient
import Testing

@Suite("E1, K5 sharing a zone of an offline container", .timeLimit(.minutes(2)))
struct OfflineSharingTests {
  private let directory: DeviceDirectory

  init() throws { directory = try DeviceDirectory() }

  @Test func `a shared zone comes to another account, takes its edits, and goes at once`()
    async throws
  {
    try await LocalBroker.run { broker in
      let ada = try await directory.open("laptop", broker: broker.address)
      let bo = try await directory.open("phone", account: "bo", broker: broker.address)
      let zone = try await ada.save(Zone(title: "Trip"))
      let id = RecordID(recordName: "n", zoneID: zone.id)
      try await ada.save(Record(recordType: "Note", id: id, fields: ["text": "tent"]))
      try await ada.synced()
      try await bo.synced()
      let share = try await ada.createShare(of: zone.id, publicPermission: .readWrite)
      let link = try #require(share.link)
      #expect(try await bo.shareMetadata(for: link).title == "Trip")
      try await bo.accept(link)
      try await eventually { try bo.notes() == [] && bo.allZones().count == 2 }
      let shared = try #require(try bo.allZones().first { !$0.id.isOwn })
      #expect(shared.title == "Trip" && shared.isWritable)
      let query = Query(recordType: "Note")
      try await eventually { try bo.records(matching: query, in: .shared).count == 1 }
      var theirs = try #require(try bo.records(matching: query, in: .shared).first)
      theirs["text"] = "tent and stove"
      try await bo.save(theirs)
      try await bo.synced()
      try await eventually { try ada.record(for: id)?["text"] == "tent and stove" }

      // Read only: an edit is refused here, before it is sent.
      let participant = try #require(
        try await ada.share(of: zone.id).participants.first { $0.role != .owner })
      var changed = participant
      changed.permission = .readOnly
      try await ada.save(changed, in: zone.id)
      try await eventually { try bo.allZones().first { !$0.id.isOwn }?.isWritable == false }
      let refused = await #expect(throws: RecordsError.self) {
        theirs["text"] = "no"
        try await bo.save(theirs)
      }
      #expect(refused?.code == .permissionFailure)

      try await ada.stopSharing(zone.id)
      try await eventually { try bo.allZones().count == 1 }
      #expect(try bo.records(matching: query, in: .shared).isEmpty)
      try await ada.close()
      try await bo.close()
    }
  }

  @Test func `a zone that was deleted before it was sent can be created again, and is followed`()
    async throws
  {
    try await LocalBroker.run { broker in
      let laptop = try await directory.open("laptop", broker: broker.address)
      let zone = Zone(title: "Trip")
      try await laptop.write { transaction in
        try transaction.save(zone)
        try transaction.deleteZone(withID: zone.id)
        try transaction.save(zone)
      }
      try await laptop.synced()
      let phone = try await directory.open("phone", broker: broker.address)
      try await phone.synced()
      let id = RecordID(recordName: "n", zoneID: zone.id)
      try await phone.save(Record(recordType: "Note", id: id, fields: ["text": "tent"]))
      try await eventually { try laptop.record(for: id)?["text"] == "tent" }
      try await laptop.close()
      try await phone.close()
    }
  }

  @Test func `without a connection sharing says why`() async throws {
    let container = try await directory.open("laptop")
    let zone = try await container.save(Zone(title: "Trip"))
    let error = await #expect(throws: RecordsError.self) {
      try await container.createShare(of: zone.id)
    }
    #expect(error?.code == .serviceUnavailable)
    try await container.close()
  }

  @Test func `a record moves to another zone in one step`() async throws {
    let container = try await directory.open("laptop")
    let zone = try await container.save(Zone(title: "Trip"))
    let note = try await container.save(Record(recordType: "Note", fields: ["text": "a"]))
    let moved = try await container.write { try $0.move(note.id, to: zone.id) }
    #expect(moved.id.zoneID == zone.id && moved["text"] == "a")
    #expect(try container.record(for: note.id) == nil)
    #expect(try container.notes() == ["a"])
    try await container.undo()
    #expect(try container.record(for: note.id)?["text"] == "a")
    let missing = await #expect(throws: RecordsError.self) {
      try await container.write { try $0.move(RecordID(recordName: "none"), to: zone.id) }
    }
    #expect(missing?.code == .unknownItem)
    try await container.deleteZone(withID: zone.id)
    #expect(try container.allZones().count == 1)
    try await container.close()
  }
}
