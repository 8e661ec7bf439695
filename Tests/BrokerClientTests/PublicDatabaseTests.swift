import BrokerClient
import BrokerClientTesting
import Testing

@Suite("K2, K3, K4, K5, T1 the public database", .timeLimit(.minutes(5)))
struct PublicDatabaseTests {
  @Test func `two accounts read each other's records, and each changes its own`() async throws {
    try await LocalBroker.run { broker in
      let alice = broker.container(account: "alice")
      let bob = broker.container(account: "bob")
      var post = try await alice.publicDatabase.save(
        Record(recordType: "Post", fields: ["caption": "First frost"]))
      let found = try await bob.publicDatabase.record(for: post.id)
      #expect(found.id == post.id && found["caption"] == "First frost")
      #expect(found.creatorUserID == (try await alice.userID()))
      let comment = try await bob.publicDatabase.save(
        Record(
          recordType: "Comment",
          fields: ["text": "Oh", "post": .reference(Reference(recordName: post.id.recordName))]))
      let all = try await alice.publicDatabase.records(
        matching: Query(recordType: "Comment", predicate: "text == 'Oh'"))
      #expect(all.records.map(\.id) == [comment.id])
      var edited = found
      edited["caption"] = "Mine"
      let refused = await failure { () async throws(RecordsError) in
        try await bob.publicDatabase.save(edited)
      }
      #expect(refused?.code == .permissionFailure)
      let gone = await failure { () async throws(RecordsError) in
        try await bob.publicDatabase.deleteRecord(withID: post.id)
      }
      #expect(gone?.code == .permissionFailure && gone?.message.contains("created") == true)
      post["caption"] = "Second frost"
      post = try await alice.publicDatabase.save(post)
      #expect(try await bob.publicDatabase.record(for: post.id)["caption"] == "Second frost")
      let elsewhere = await failure { () async throws(RecordsError) in
        try await alice.privateDatabase.record(for: post.id)
      }
      #expect(elsewhere?.code == .unknownItem, "the same name in another database is another")
      try await alice.publicDatabase.deleteRecord(withID: post.id)
      let query = Query(recordType: "Post")
      #expect(try await bob.publicDatabase.records(matching: query).records.isEmpty)
    }
  }

  @Test func `any account can fetch the photo of a public record`() async throws {
    try await LocalBroker.run { broker in
      let alice = broker.container(account: "alice").publicDatabase
      let bob = broker.container(account: "bob").publicDatabase
      let content = (0..<100_000).map { UInt8(truncatingIfNeeded: $0 * 7) }
      let photo = try await alice.upload(content)
      let post = try await alice.save(Record(recordType: "Post", fields: ["photo": .asset(photo)]))
      guard case .asset(let found)? = try await bob.record(for: post.id)["photo"] else {
        Issue.record("there is no photo")
        return
      }
      #expect(try await bob.content(of: found) == content)
    }
  }

  @Test func `a subscription notifies of another account's records and names the database`()
    async throws
  {
    try await LocalBroker.run { broker in
      let alice = broker.container(account: "alice")
      let bob = broker.container(account: "bob")
      var subscription = Subscription(
        id: "posts", .query(Query(recordType: "Post"), inZone: nil),
        options: [.firesOnRecordCreation])
      subscription.notification.body = "New: {caption}"
      try await bob.publicDatabase.save(subscription)
      #expect(try await bob.publicDatabase.allSubscriptions().map(\.id) == ["posts"])
      let post = try await alice.publicDatabase.save(
        Record(recordType: "Post", fields: ["caption": "Frost"]))
      for try await case .changed(let change) in bob.notifications() {
        #expect(change.recordID == post.id && change.database == .public)
        #expect(change.firings.map(\.content.body) == ["New: Frost"])
        #expect(change.userID == (try await alice.userID()))
        break
      }
      for kind in [
        Subscription.Kind.zone(.standard, recordType: nil), .database(recordType: nil),
      ] {
        let refused = await failure { () async throws(RecordsError) in
          try await bob.publicDatabase.save(Subscription(id: "all", kind))
        }
        #expect(refused?.code == .invalidArguments)
      }
    }
  }

  @Test func `it has one zone and no feed`() async throws {
    try await LocalBroker.run { broker in
      let database = broker.container().publicDatabase
      let zones = try await database.allZones()
      #expect(zones.map(\.id) == [.standard])
      let feed = await failure { () async throws(RecordsError) in
        try await database.changesUntilNow()
      }
      #expect(feed?.code == .invalidArguments && feed?.message.contains("without a feed") == true)
      let zone = await failure { () async throws(RecordsError) in
        try await database.save(Zone(title: "Mine"))
      }
      #expect(zone?.code == .invalidArguments)
    }
  }

  @Test func `a test broker's permissions are written as in its settings`() async throws {
    let storage = try LocalBroker.Storage(publicRights: "News: create nobody")
    try await LocalBroker.run(on: storage) { broker in
      let refused = await failure { () async throws(RecordsError) in
        try await broker.container().publicDatabase.save(Record(recordType: "News"))
      }
      #expect(refused?.code == .permissionFailure && refused?.reason == "publicCreate")
    }
    #expect(throws: (any Error).self) { try LocalBroker.Storage(publicRights: "News") }
  }
}
