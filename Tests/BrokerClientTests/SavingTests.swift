import BrokerClient
import BrokerClientTesting
import FoundationEssentials
import Testing

@Suite("K2, K3 saving, fetching and deleting records", .timeLimit(.minutes(5)))
struct SavingTests {
  @Test func `values of every type are fetched as they were saved`() async throws {
    try await LocalBroker.run { broker in
      let database = broker.container().privateDatabase
      var note = Record(recordType: "Note", id: RecordID(recordName: "a"))
      note["text"] = "hello"
      note["count"] = 3
      note["size"] = 2.5
      note["isRead"] = true
      note["at"] = .date(Date(timeIntervalSince1970: 1_700_000_000.25))
      note["raw"] = .bytes([0, 255])
      note["place"] = .location(Location(latitudeDegrees: 59.33, longitudeDegrees: 18.06))
      note["tags"] = ["red", "blue"]
      note["next"] = .reference(Reference(recordName: "b"))
      note["phones"] = .entries(Entry.list([["value": "112"], ["value": "911"]]))
      let saved = try await database.save(note)
      #expect(saved.recordChangeTag == 1)
      #expect(saved.changedKeys.isEmpty)
      let fetched = try await database.record(for: note.id)
      #expect(fetched.fields == note.fields)
      #expect(fetched.recordChangeTag == 1)
      #expect(fetched.creationDate != nil && fetched.creationDate == fetched.modificationDate)
    }
  }

  @Test func `a save sends the changed fields and leaves the others unchanged`() async throws {
    try await LocalBroker.run { broker in
      let laptop = broker.container(device: "laptop").privateDatabase
      let phone = broker.container(device: "phone").privateDatabase
      var record = Record(recordType: "Note", fields: ["text": "one", "color": "red"])
      record = try await laptop.save(record)
      var other = try await phone.record(for: record.id)
      other["color"] = "blue"
      try await phone.save(other)
      record["text"] = nil
      record["size"] = 4
      #expect(record.changedKeys == ["size", "text"])
      try await laptop.save(record, policy: .changedKeys)
      #expect(try await phone.record(for: record.id).fields == ["color": "blue", "size": 4])
      record["only"] = true
      try await laptop.save(record, policy: .allKeys)
      #expect(
        try await phone.record(for: record.id).fields
          == ["color": "red", "size": 4, "only": true])
    }
  }

  @Test func `small changes of large records are sent in several requests`()
    async throws
  {
    try await LocalBroker.run { broker in
      let database = broker.container().privateDatabase
      let text = String(repeating: "x", count: 1 << 20 - 4096)
      var records: [Record] = []
      for number in 0..<20 {
        let record = Record(
          recordType: "Note", id: RecordID(recordName: "\(number)"),
          fields: ["text": .string(text)])
        records.append(try await database.save(record))
      }
      for index in records.indices { records[index]["count"] = .int64(Int64(index)) }
      let results = try await database.modify(saving: records)
      try results.get()
      #expect(results.saved.count == 20)
      #expect(try await database.record(for: records[19].id)["count"] == 19)
    }
  }

  @Test func `a conflict returns the broker's record for merging`() async throws {
    try await LocalBroker.run { broker in
      let database = broker.container().privateDatabase
      let first = try await database.save(Record(recordType: "Note", fields: ["text": "one"]))
      var (mine, theirs) = (first, first)
      theirs["text"] = "theirs"
      try await database.save(theirs)
      mine["mine"] = 1
      let error = await failure { () async throws(RecordsError) in try await database.save(mine) }
      #expect(error?.code == .serverRecordChanged)
      var merged = try #require(error?.serverRecord)
      #expect(merged.fields == ["text": "theirs"])
      merged["mine"] = mine["mine"]
      #expect(try await database.save(merged).fields == ["text": "theirs", "mine": 1])
    }
  }

  @Test func `an atomic group is applied all or none, other operations on their own`() async throws
  {
    try await LocalBroker.run { broker in
      let database = broker.container().privateDatabase
      let there = Record(recordType: "Note", id: RecordID(recordName: "there"))
      try await database.save(there)
      let new = Record(recordType: "Note", id: RecordID(recordName: "new"))
      let atomic = try await database.modify(saving: [there, new], atomically: true)
      #expect(atomic.failures[there.id]?.code == .serverRecordChanged)
      #expect(atomic.failures[new.id]?.code == .batchRequestFailed)
      #expect(
        await failure { () async throws(RecordsError) in try atomic.get() }?.code == .partialFailure
      )
      let single = try await database.modify(
        saving: [there, new], deleting: [RecordID(recordName: "nothing")])
      #expect(Set(single.failures.keys) == [there.id])
      #expect(try single.saved[new.id]?.get().recordChangeTag == 2)
      #expect(single.deleted.count == 1)
    }
  }

  @Test func `more operations than a request holds are sent in several, unless atomic`()
    async throws
  {
    try await LocalBroker.run { broker in
      let database = broker.container().privateDatabase
      let records = (0..<1000).map {
        Record(recordType: "Note", id: RecordID(recordName: "n\($0)"), fields: ["n": .int64($0)])
      }
      let results = try await database.modify(saving: records)
      try results.get()
      #expect(results.saved.count == 1000)
      let fetched = try await database.records(for: records.map(\.id))
      #expect(fetched.count == 1000)
      #expect(try fetched[records[999].id]?.get()["n"] == 999)
      let error = await failure { () async throws(RecordsError) in
        try await database.modify(saving: records, atomically: true)
      }
      #expect(error?.code == .limitExceeded)
    }
  }

  @Test func `a deleted record is gone, and a deletion with an old tag is refused`() async throws {
    try await LocalBroker.run { broker in
      let database = broker.container().privateDatabase
      let first = try await database.save(Record(recordType: "Note", fields: ["text": "one"]))
      var second = first
      second["text"] = "two"
      second = try await database.save(second)
      let error = await failure { () async throws(RecordsError) in
        try await database.delete(ifUnchanged: first)
      }
      #expect(error?.code == .serverRecordChanged)
      #expect(error?.serverRecord?["text"] == "two")
      try await database.delete(ifUnchanged: second)
      try await database.deleteRecord(withID: first.id)
      let missing = await failure { () async throws(RecordsError) in
        try await database.record(for: first.id)
      }
      #expect(missing?.code == .unknownItem)
      #expect(missing?.recordName == first.id.recordName)
    }
  }

  @Test func `zones are created, renamed, listed and deleted`() async throws {
    try await LocalBroker.run { broker in
      let database = broker.container().privateDatabase
      let zone = try await database.save(Zone(title: "Family"))
      let record = Record(recordType: "Note", id: RecordID(recordName: "a", zoneID: zone.id))
      try await database.save(record)
      try await database.save(Zone(id: zone.id, title: "Friends"))
      #expect(try await database.allZones().first { $0.id == zone.id }?.title == "Friends")
      try await database.deleteZone(withID: zone.id)
      #expect(try await !database.allZones().contains { $0.id == zone.id })
      let error = await failure { () async throws(RecordsError) in try await database.save(record) }
      #expect(error?.code == .zoneNotFound)
      #expect(ZoneID(zone.id.description) == zone.id)
    }
  }

  @Test func `a file is uploaded once and downloaded unchanged`() async throws {
    try await LocalBroker.run { broker in
      let database = broker.container().privateDatabase
      let content = (0..<200_000).map { UInt8(truncatingIfNeeded: $0 &* 7) }
      let asset = try await database.upload(content)
      #expect(try await database.upload(content) == asset)
      try await database.save(Record(recordType: "Photo", fields: ["file": .asset(asset)]))
      #expect(try await database.content(of: asset) == content)
    }
  }

  @Test func `deleting a post deletes its comments, and the result names them`() async throws {
    try await LocalBroker.run { broker in
      let database = broker.container().privateDatabase
      let post = Record(recordType: "Post", id: RecordID(recordName: "post"))
      func comment(_ number: Int) -> Record {
        var comment = Record(recordType: "Comment", id: RecordID(recordName: "c\(number)"))
        comment["post"] = .reference(Reference(recordName: "post", action: .deleteSelf))
        return comment
      }
      let early = await failure { () async throws(RecordsError) in
        try await database.save(comment(0))
      }
      #expect(early?.code == .referenceViolation)
      try await database.save(post)
      try await database.modify(saving: (0..<700).map(comment)).get()
      let cascade = try await database.deleteRecord(withID: post.id)
      #expect(cascade.count == 700 && cascade.recordIDs.count == 100 && !cascade.continues)
      var names: Set<String> = []
      for try await id in database.recordsDeleted(in: cascade) { names.insert(id.recordName) }
      #expect(names == Set(["post"] + (0..<700).map { "c\($0)" }))
      let last = await failure { () async throws(RecordsError) in
        _ = try await database.record(for: comment(699).id)
      }
      #expect(last?.code == .unknownItem)
    }
  }
}

/// Returns the error that `body` throws; `nil` if it throws none.
func failure<Result>(_ body: () async throws(RecordsError) -> Result) async -> RecordsError? {
  do throws(RecordsError) {
    _ = try await body()
    return nil
  } catch {
    return error
  }
}
