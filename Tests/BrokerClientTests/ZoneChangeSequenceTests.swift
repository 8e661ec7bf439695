import BrokerClient
import BrokerClientTesting
import FoundationEssentials
import Testing

@Suite("K2 following a zone", .timeLimit(.minutes(5)))
struct ZoneChangeSequenceTests {
  @Test func `a token returns only the changes after it`() async throws {
    try await LocalBroker.run { broker in
      let database = broker.container().privateDatabase
      let first = try await database.save(Record(recordType: "Note", fields: ["n": 1]))
      let (before, token) = try await database.changesUntilNow()
      guard case .saved(let record)? = before.first else {
        Issue.record("The record should have come.")
        return
      }
      #expect(before.count == 1 && record.fields == first.fields)
      let kept = try JSONDecoder().decode(
        ChangeToken.self, from: JSONEncoder().encode(token))
      #expect(kept == token)
      #expect(try await database.changesUntilNow(since: kept).changes.isEmpty)
      try await database.deleteRecord(withID: first.id)
      let (after, _) = try await database.changesUntilNow(since: kept)
      #expect(after == [.deleted(first.id, recordType: "Note")])
    }
  }

  @Test func `a slow reader misses nothing of ten thousand changes`() async throws {
    try await LocalBroker.run { broker in
      let (phone, laptop) = (broker.container(device: "phone"), broker.container(device: "laptop"))
      var pages = phone.privateDatabase.changes().makeAsyncIterator()
      while let page = try await pages.next(), !page.isCaughtUp {}
      let text = Value.string(String(repeating: "x", count: 500))
      let notes = (0..<10_000).map { _ in Record(recordType: "Note", fields: ["text": text]) }
      try await laptop.privateDatabase.modify(saving: notes).get()
      var ids: Set<RecordID> = []
      while ids.count < notes.count, let page = try await pages.next() {
        for case .saved(let record) in page.changes { ids.insert(record.id) }
      }
      #expect(ids == Set(notes.map(\.id)))
    }
  }

  @Test func `following a missing zone fails`() async throws {
    try await LocalBroker.run { broker in
      let error = await failure { () async throws(RecordsError) in
        try await broker.container().privateDatabase.changesUntilNow(in: .random())
      }
      #expect(error?.code == .zoneNotFound)
    }
  }

  @Test func `a zone of another database is rejected before it is sent`() async throws {
    let container = Container(name: "tests", device: DeviceIdentity(name: "laptop"))
    for database in [container.sharedDatabase, container.publicDatabase] {
      let error = await failure { () async throws(RecordsError) in
        try await database.save(Record(recordType: "Note", id: .random(in: .random())))
      }
      #expect(error?.code == .invalidArguments)
    }
  }
}
