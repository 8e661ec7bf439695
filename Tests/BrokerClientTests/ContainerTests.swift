import BrokerClient
import BrokerClientTesting
import FoundationEssentials
import Testing

@Suite("K6, K7 containers, accounts and errors", .timeLimit(.minutes(5)))
struct ContainerTests {
  @Test func `containers and accounts are isolated, devices of an account share records`()
    async throws
  {
    try await LocalBroker.run { broker in
      let note = Record(recordType: "Note", id: RecordID(recordName: "a"))
      try await broker.container("one", account: "alice").privateDatabase.save(note)
      for (name, account, isThere) in [
        ("one", "alice", true), ("two", "alice", false), ("one", "bob", false),
      ] {
        let other = broker.container(name, account: account, device: "other").privateDatabase
        let error = await failure { () async throws(RecordsError) in
          try await other.record(for: note.id)
        }
        #expect((error == nil) == isThere)
      }
    }
  }

  @Test func `containers have separate subscriptions`() async throws {
    try await LocalBroker.run { broker in
      let one = broker.container("one").privateDatabase
      try await one.save(Subscription(id: "a", .database(recordType: nil)))
      #expect(try await broker.container("two").privateDatabase.allSubscriptions().isEmpty)
      #expect(try await one.allSubscriptions().count == 1)
    }
  }

  @Test func `the account's status and id can be fetched`() async throws {
    try await LocalBroker.run { broker in
      let container = broker.container(account: "alice")
      #expect(await container.accountStatus() == .available)
      let saved = try await container.privateDatabase.save(Record(recordType: "Note"))
      let fetched = try await container.privateDatabase.record(for: saved.id)
      #expect(fetched.creatorUserID == (try await container.userID()))
      #expect(fetched.lastModifiedDevice == container.device.id)
    }
  }

  @Test func `without a broker a call times out with a hint`() async throws {
    let storage = try LocalBroker.Storage()
    let container = Container(
      name: "tests", broker: storage.address, device: DeviceIdentity(name: "laptop"),
      patience: .milliseconds(300))
    let error = await failure { () async throws(RecordsError) in
      try await container.privateDatabase.save(Record(recordType: "Note"))
    }
    #expect(error?.code == .networkUnavailable)
    #expect(error?.hint.isEmpty == false)
    #expect(error?.retryAfter != nil)
    #expect(await container.accountStatus() == .couldNotDetermine)
  }

  @Test func `malformed names, types, keys and numbers are rejected before they are sent`()
    async throws
  {
    let database = Container(name: "tests", device: DeviceIdentity(name: "laptop")).privateDatabase
    let wrong = [
      Record(recordType: "Note", id: RecordID(recordName: "_a")),
      Record(recordType: "1Note"),
      Record(recordType: "Note", fields: ["a b": 1]),
      Record(recordType: "Note", fields: ["a": .double(.nan)]),
      Record(recordType: "Note", fields: ["a": .reference(Reference(recordName: ""))]),
    ]
    for record in wrong {
      let error = await failure { () async throws(RecordsError) in try await database.save(record) }
      #expect(error?.code == .invalidArguments)
      #expect(error?.message.isEmpty == false)
    }
  }

  @Test func `a cancelled task stops waiting`() async throws {
    let storage = try LocalBroker.Storage()
    let container = Container(
      name: "tests", broker: storage.address, device: DeviceIdentity(name: "laptop"))
    let waiting = Task {
      await failure { () async throws(RecordsError) in
        try await container.privateDatabase.save(Record(recordType: "Note"))
      }
    }
    waiting.cancel()
    #expect(await waiting.value?.code == .operationCancelled)
    let following = Task { try await container.privateDatabase.changesUntilNow() }
    following.cancel()
    await #expect(throws: RecordsError.self) { try await following.value }
    await container.close()
    let error = await failure { () async throws(RecordsError) in try await container.userID() }
    #expect(error?.code == .operationCancelled)
  }

  @Test func `an identity is saved in a private file and read again`() async throws {
    let path = FileManager.default.temporaryDirectory.appending(
      path: "identity-\(UInt64.random(in: 0 ... .max))"
    ).path
    defer { try? FileManager.default.removeItem(atPath: path) }
    try await LocalBroker.run { broker in
      var ids: Set<String?> = []
      for _ in 0..<2 {
        let container = Container(
          name: "tests", broker: broker.address, account: "alice",
          device: try DeviceIdentity.kept(at: path, name: "laptop"),
          deviceChanged: { try? $0.keep(at: path) })
        try await container.privateDatabase.save(Record(recordType: "Note"))
        ids.insert(try DeviceIdentity.kept(at: path, name: "").id)
        #expect(try DeviceIdentity.kept(at: path, name: "") == container.device)
      }
      #expect(ids.count == 1 && !ids.contains(nil))
    }
  }
}
