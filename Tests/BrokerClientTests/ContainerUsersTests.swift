// The current user and other users, against a real broker with several accounts.

import BrokerClient
import BrokerClientTesting
import FoundationEssentials
import Synchronization
import Testing

@Suite("K1 users", .timeLimit(.minutes(5)))
struct ContainerUsersTests {
  @Test func `a user has an id, an account's name and a display name that it can change`()
    async throws
  {
    try await LocalBroker.run { broker in
      let laptop = broker.container(account: "alice", device: "laptop")
      let phone = broker.container(account: "alice", device: "phone")
      let first = try await laptop.currentUserIdentity()
      #expect(first.name == "alice" && first.displayName == "alice")
      #expect(first.id == (try await phone.userID()))
      #expect(try await laptop.setDisplayName("Alice Adams").displayName == "Alice Adams")
      #expect(try await phone.currentUserIdentity().displayName == "Alice Adams")
      #expect(try await phone.setDisplayName("").displayName == "alice")
    }
  }

  @Test func `a name that is too long or has a control character is rejected and changes nothing`()
    async throws
  {
    try await LocalBroker.run { broker in
      let container = broker.container()
      let long = String(repeating: "x", count: 256)
      for (name, code) in [(long, RecordsError.Code.limitExceeded), ("a\nb", .invalidArguments)] {
        let error = await failure { () async throws(RecordsError) in
          try await container.setDisplayName(name)
        }
        #expect(error?.code == code)
      }
      let unchanged = try await container.currentUserIdentity()
      #expect(unchanged.displayName == "alice")
    }
  }

  @Test func `only discoverable users are found by name and id`() async throws {
    try await LocalBroker.run { broker in
      let (alice, bob) = (broker.container(account: "alice"), broker.container(account: "bob"))
      let id = try await bob.userID()
      #expect(try await alice.userIdentity(named: "bob") == nil)
      #expect(try await alice.userIdentity(for: id) == nil)
      #expect(try await bob.setDiscoverable(true) == .granted)
      try await bob.setDisplayName("Bob Brown")
      let found = try #require(try await alice.userIdentity(named: "bob"))
      #expect(found.id == id && found.name == "bob" && found.displayName == "Bob Brown")
      #expect(try await alice.userIdentity(for: id) == found)
      #expect(try await alice.userIdentity(named: "nobody") == nil)
      try await bob.setDiscoverable(false)
      #expect(try await alice.userIdentity(named: "bob") == nil)
    }
  }

  @Test func `users that share a zone see each other although they are not discoverable`()
    async throws
  {
    try await LocalBroker.run { broker in
      let zone = try await AliceZone(broker)
      let (bob, _) = try await zone.join(try await zone.share(.readOnly), account: "bob")
      let (alice, carl) = (zone.alice, broker.container(account: "carl"))
      let (aliceID, bobID) = (try await alice.userID(), try await bob.userID())
      #expect(try await alice.userIdentity(for: bobID)?.name == "bob")
      #expect(try await bob.userIdentity(for: aliceID)?.name == "alice")
      #expect(try await carl.userIdentities(for: [aliceID, bobID]).isEmpty)
    }
  }

  @Test func `more ids than a request holds are looked up in several, unknown ones are omitted`()
    async throws
  {
    try await LocalBroker.run { broker in
      let zone = try await AliceZone(broker)
      _ = try await zone.discoverableAccounts(count: 101)
      var listed: [UserIdentity] = []
      for try await user in zone.alice.discoverableUserIdentities() { listed.append(user) }
      #expect(listed.map(\.name) == (1000..<1101).map { "guest-\($0)" })
      let unknown = (1...50).compactMap { UserID(String(repeating: "0", count: 30) + "\($0 + 10)") }
      let own = try await zone.alice.userID()
      let found = try await zone.alice.userIdentities(for: listed.map(\.id) + unknown + [own, own])
      #expect(found.count == 102)
      #expect(found[own]?.name == "alice")
      for user in listed { #expect(found[user.id] == user) }
    }
  }

  @Test func `a user is asked once whether others may find it`() async throws {
    try await LocalBroker.run { broker in
      let container = broker.container(account: "alice")
      let questions = Mutex(0)
      let deny = { @Sendable () async -> Bool in
        questions.withLock { $0 += 1 }
        return false
      }
      #expect(try await container.discoverabilityStatus() == .initialState)
      #expect(try await container.requestDiscoverability(deny) == .denied)
      #expect(try await container.requestDiscoverability(deny) == .denied)
      // The denial is part of the saved identity.
      let saved = try JSONDecoder().decode(
        DeviceIdentity.self, from: JSONEncoder().encode(container.device))
      let restarted = Container(
        name: "tests", broker: broker.address, account: "alice", device: saved)
      #expect(try await restarted.requestDiscoverability(deny) == .denied)
      #expect(questions.withLock { $0 } == 1)
      #expect(try await restarted.setDiscoverable(true) == .granted)
      #expect(try await restarted.requestDiscoverability(deny) == .granted)
      #expect(questions.withLock { $0 } == 1)
      let phone = broker.container(account: "alice", device: "phone")
      #expect(try await phone.discoverabilityStatus() == .granted)
      try await restarted.setDiscoverable(false)
      #expect(try await phone.requestDiscoverability { true } == .granted)
      #expect(try await restarted.discoverabilityStatus() == .granted)
    }
  }

  @Test func `a user's record has its id on all devices and in the public database`() async throws {
    try await LocalBroker.run { broker in
      let laptop = broker.container(account: "alice", device: "laptop")
      let phone = broker.container(account: "alice", device: "phone")
      let id = try await laptop.userRecordID()
      let user = Record(recordType: "Users", id: id, fields: ["color": "red"])
      try await laptop.privateDatabase.save(user)
      #expect(
        try await phone.privateDatabase.record(for: phone.userRecordID())["color"] == "red")
      try await laptop.publicDatabase.save(user)
      let bob = broker.container(account: "bob")
      let seen = try await bob.publicDatabase.record(for: id)
      #expect(seen.creatorUserID?.description == id.recordName)
    }
  }
}
