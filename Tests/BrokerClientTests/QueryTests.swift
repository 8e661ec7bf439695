import BrokerClient
import BrokerClientTesting
import FoundationEssentials
import Testing

@Suite("K2 queries", .timeLimit(.minutes(5)))
struct QueryTests {
  @Test func `a query returns the matching records, sorted, with the desired fields`()
    async throws
  {
    try await LocalBroker.run { broker in
      let database = try await filled(broker, count: 20)
      let query = Query(
        recordType: "Note", predicate: "n > %@ AND color IN %@", arguments: [9, ["red", "blue"]],
        sortDescriptors: [Query.SortDescriptor(key: "n", ascending: false)])
      let (records, cursor) = try await database.records(matching: query, desiredKeys: ["n"])
      #expect(records.map { $0.fields } == (10..<20).reversed().map { ["n": .int64($0)] })
      #expect(cursor == nil)
      #expect(records.first?.changedKeys == [])
    }
  }

  @Test func `pages follow each other, and a sequence returns all of them`() async throws {
    try await LocalBroker.run { broker in
      let database = try await filled(broker, count: 250)
      let query = Query(recordType: "Note", sortDescriptors: [Query.SortDescriptor(key: "n")])
      var page = try await database.records(matching: query, resultsLimit: 100)
      var counts = [page.records.count]
      while let cursor = page.cursor {
        page = try await database.records(continuingMatchFrom: cursor)
        counts.append(page.records.count)
      }
      #expect(counts == [100, 100, 50])
      var numbers: [Int64?] = []
      for try await record in database.allRecords(matching: query) {
        numbers.append(record["n"]?.int64)
      }
      #expect(numbers == (0..<250).map { $0 })
    }
  }

  @Test func `records are found by creation date and by creator`() async throws {
    try await LocalBroker.run { broker in
      let database = try await filled(broker, count: 3)
      let user = try await broker.container().userID()
      let made = try await database.record(for: RecordID(recordName: "n0")).creationDate
      let day = try #require(made)
      let query = Query(
        recordType: "Note",
        predicate: "creationDate BETWEEN %@ AND creatorUserRecordID == %@",
        arguments: [[.date(day - 60), .date(day + 60)], .string(user.description)])
      #expect(try await database.records(matching: query).records.count == 3)
      let past = Query(
        recordType: "Note", predicate: "creationDate < %@", arguments: [.date(day - 60)])
      #expect(try await database.records(matching: past).records.isEmpty)
    }
  }

  @Test func `the current user's records in the public database are found by its id`() async throws
  {
    try await LocalBroker.run { broker in
      for (account, count) in [("alice", 2), ("bob", 3)] {
        let container = broker.container(account: account)
        for _ in 0..<count { try await container.publicDatabase.save(Record(recordType: "Post")) }
        let user = try await container.userID()
        let query = Query(
          recordType: "Post", predicate: "creatorUserRecordID == %@",
          arguments: [.string(user.description)])
        let found = try await container.publicDatabase.records(matching: query).records
        #expect(found.count == count && found.allSatisfy { $0.creatorUserID == user })
      }
    }
  }

  @Test func `many queries at once are all answered`() async throws {
    try await LocalBroker.run { broker in
      let database = try await filled(broker, count: 10)
      try await withThrowingTaskGroup(of: Int.self) { group in
        for _ in 0..<20 {
          group.addTask {
            try await database.records(matching: Query(recordType: "Note")).records.count
          }
        }
        for try await count in group { #expect(count == 10) }
      }
    }
  }

  @Test func `an invalid predicate is refused with its column`() async throws {
    try await LocalBroker.run { broker in
      let database = broker.container().privateDatabase
      let error = await failure { () async throws(RecordsError) in
        try await database.records(matching: Query(recordType: "Note", predicate: "a ="))
      }
      #expect(error?.code == .invalidArguments)
      #expect(error?.column != nil)
    }
  }

  private func filled(_ broker: LocalBroker, count: Int64) async throws -> Database {
    let database = broker.container().privateDatabase
    let notes = (0..<count).map {
      Record(
        recordType: "Note", id: RecordID(recordName: "n\($0)"),
        fields: ["n": .int64($0), "color": $0 % 2 == 0 ? "red" : "blue"])
    }
    try await database.modify(saving: notes).get()
    return database
  }
}
