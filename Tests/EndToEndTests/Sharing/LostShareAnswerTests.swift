// Share and account requests whose answer is lost. The library sends them again on a new connection, and they take
// effect once.

import BrokerClient
import Processes
import Testing

extension EndToEnd {
  @Suite("Z2, Z3, Z6, K1, K5 share requests of the library whose answer is lost")
  struct LostShareAnswerTests {
    @Test func `a repeated share request returns the link that was drawn first`() async throws {
      try await LossyZone.run { world in
        let (alice, zone) = (world.alice, world.zone)
        let database = alice.privateDatabase
        let made = try await world.losingAnswer(to: alice) {
          try await database.createShare(of: zone, publicPermission: .readOnly)
        }
        let first = try #require(made.link)
        #expect(try await world.bob.shareMetadata(for: first).title == "Family")
        let renewed = try await world.losingAnswer(to: alice) {
          try await database.renewShareLink(
            of: zone, options: ShareLinkOptions(usesMaximum: 2))
        }
        let second = try #require(renewed.link)
        #expect(renewed.linkStatus?.state == .valid && second != first)
        let accepted = try await world.losingAnswer(to: world.bob) {
          try await world.bob.accept(second)
        }
        #expect(accepted.isAccepted)
        let share = try await database.share(of: zone)
        #expect(share.linkStatus?.usesLeft == 1, "Accepting counted once.")
        #expect(share.participants.map(\.userIdentity.name) == ["alice", "bob"])
        let revoked = try await world.losingAnswer(to: alice) {
          try await database.revokeShareLink(of: zone)
        }
        #expect(revoked.linkStatus?.state == .revoked)
      }
    }

    @Test func `a repeated invitation, refusal, request and approval each take effect once`()
      async throws
    {
      try await LossyZone.run { world in
        let (alice, bob, zone) = (world.alice, world.bob, world.zone)
        let database = alice.privateDatabase
        let link = try #require(try await database.createShare(of: zone).link)
        let named = try await world.losingAnswer(to: bob) {
          try await bob.setDisplayName("Bob Brown")
        }
        #expect(named.displayName == "Bob Brown")
        #expect(
          try await world.losingAnswer(to: bob) { try await bob.setDiscoverable(true) } == .granted)
        let invited = try await world.losingAnswer(to: alice) {
          try await database.inviteUser(named: "bob", to: zone, permission: .readOnly)
        }
        #expect(invited.participants.map(\.acceptanceStatus) == [.accepted, .invited])
        try await world.losingAnswer(to: bob) { try await bob.decline(link) }
        #expect(try await database.share(of: zone).participant(named.id)?.acceptanceStatus == .left)
        try await world.losingAnswer(to: bob) { try await bob.requestAccess(with: link) }
        let requests = try await database.share(of: zone).accessRequests
        #expect(requests.map(\.status) == [.waiting])
        let request = try #require(requests.first)
        let approved = try await world.losingAnswer(to: alice) {
          try await database.answer(request, to: zone, with: .approve(.readWrite))
        }
        #expect(approved.accessRequests.isEmpty)
        #expect(approved.participant(named.id)?.permission == .readWrite)
      }
    }

    @Test func `a repeated change of a participant, leaving and stopping take effect once`()
      async throws
    {
      try await LossyZone.run { world in
        let (alice, bob, zone) = (world.alice, world.bob, world.zone)
        let database = alice.privateDatabase
        let link = try #require(
          try await database.createShare(of: zone, publicPermission: .readWrite).link)
        let shared = try await bob.accept(link).zoneID
        var participant = try #require(try await database.share(of: zone).participants.last)
        participant.role = .administrator
        let appointed = try await world.losingAnswer(to: alice) { [participant] in
          try await database.save(participant, in: zone)
        }
        #expect(appointed.participants.map(\.role) == [.owner, .administrator])
        try await world.losingAnswer(to: bob) {
          try await bob.sharedDatabase.leaveShare(of: shared)
        }
        try await bob.accept(link)
        let removed = try await world.losingAnswer(to: alice) { [participant] in
          try await database.removeParticipant(participant.id, from: zone)
        }
        #expect(removed.participants.map(\.acceptanceStatus) == [.accepted, .removed])
        let opened = try await world.losingAnswer(to: alice) {
          try await database.setPublicPermission(.readOnly, of: zone)
        }
        #expect(opened.publicPermission == .readOnly)
        try await world.losingAnswer(to: alice) { try await database.stopSharing(zone) }
        #expect(try await database.allZones().allSatisfy { !$0.isShared })
      }
    }
  }
}

/// A zone of alice's, and alice and bob connected to their broker by a relay that loses answers.
private struct LossyZone: Sendable {
  let relay: Relay
  let alice: Container
  let bob: Container
  let zone: ZoneID

  static func run(_ body: (LossyZone) async throws -> Void) async throws {
    let broker = try await RunningBroker()
    let path = broker.directory.file("r.sock")
    let relay = try Relay(at: path, to: broker.socketPath)
    try await relay.running {
      let alice = container(path, account: "alice")
      let zone = try await alice.privateDatabase.save(Zone(title: "Family")).id
      try await body(
        LossyZone(relay: relay, alice: alice, bob: container(path, account: "bob"), zone: zone))
      await alice.close()
    }
  }

  private static func container(_ path: String, account: String) -> Container {
    Container(
      name: "tests", broker: .unixSocket(path), account: account,
      device: DeviceIdentity(name: "laptop"))
  }

  /// Returns the result of `call`, whose first answer is lost after the broker has carried out the request.
  func losingAnswer<Result: Sendable>(
    to container: Container, _ call: @escaping @Sendable () async throws -> Result
  ) async throws -> Result {
    // The relay can hold answers only on a connection that is open.
    _ = try await container.currentUserIdentity()
    await relay.holdReplies()
    async let result = call()
    try await Patience.wait(until: "the broker to answer") { await relay.hasHeldReply }
    await relay.cut()
    return try await result
  }
}
