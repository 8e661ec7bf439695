import BrokerClient
import BrokerClientTesting
import FoundationEssentials
import Testing

@Suite("Z2, Z3, K5 links that a user receives", .timeLimit(.minutes(5)))
struct ContainerSharesTests {
  @Test func `a user sees what a link leads to, accepts it, and has the zone`() async throws {
    try await LocalBroker.run { broker in
      let zone = try await AliceZone(broker)
      try await zone.alice.setDisplayName("Alice Adams")
      let link = try await zone.share(.readOnly)
      let bob = broker.container(account: "bob")
      let before = try await bob.shareMetadata(for: link)
      #expect(before.title == "Family" && before.recordCount == 1 && !before.isAccepted)
      #expect(before.permission == .readOnly)
      #expect(before.owner == (try await zone.alice.currentUserIdentity()))
      #expect(before.zoneID.owner == before.owner.id)
      #expect(try await bob.sharedDatabase.allZones().isEmpty)
      let after = try await bob.accept(link)
      #expect(after.isAccepted && after.zoneID == before.zoneID)
      #expect(try await bob.shareMetadata(for: link) == after)
      let found = try #require(try await bob.sharedDatabase.allZones().first)
      #expect(found.id == after.zoneID && found.title == "Family")
      #expect(found.isShared && !found.isWritable)
      let note = RecordID(recordName: "a", zoneID: after.zoneID)
      #expect(try await bob.sharedDatabase.record(for: note)["text"] == "one")
    }
  }

  @Test func `an account counts once towards the uses of a link`() async throws {
    try await LocalBroker.run { broker in
      let zone = try await AliceZone(broker)
      let share = try await zone.database.createShare(
        of: zone.id, publicPermission: .readOnly, options: ShareLinkOptions(usesMaximum: 1))
      let link = try #require(share.link)
      let (bob, _) = try await zone.join(link, account: "bob")
      try await bob.accept(link)
      let status = try #require(try await zone.database.share(of: zone.id).linkStatus)
      #expect(status.usesLeft == 0 && status.state == .usedUp)
      #expect(try await bob.accept(link).isAccepted)
      await expectRefusal(of: link, for: broker.container(account: "carl"), reason: "usedUp")
    }
  }

  @Test func `each link that cannot be used has its own reason`() async throws {
    try await LocalBroker.run { broker in
      let zone = try await AliceZone(broker)
      let bob = broker.container(account: "bob")
      let first = try await zone.share(.readOnly)
      await expectRefusal(of: first, for: zone.alice, reason: "ownShare")
      await expectRefusal(of: bob.newShareLink(), for: bob, reason: "unknownLink")
      let foreign = broker.container("other").newShareLink()
      await expectRefusal(of: foreign, for: bob, reason: "otherContainer")
      let past = ShareLinkOptions(expirationDate: Date(timeIntervalSinceNow: -60))
      let renewed = try await zone.database.renewShareLink(of: zone.id, options: past)
      #expect(renewed.link == nil && renewed.linkStatus?.state == .expired)
      await expectRefusal(of: first, for: bob, reason: "revoked")
      let second = zone.alice.newShareLink()
      try await zone.database.renewShareLink(
        of: zone.id,
        options: ShareLinkOptions(link: second, expirationDate: Date(timeIntervalSinceNow: -1)))
      await expectRefusal(of: second, for: bob, reason: "expired")
      let third = try #require(try await zone.database.renewShareLink(of: zone.id).link)
      try await zone.database.setPublicPermission(.none, of: zone.id)
      await expectRefusal(
        of: third, for: bob, reason: "notInvited", code: .permissionFailure)
      try await zone.database.stopSharing(zone.id)
      let ended = await failure { () async throws(RecordsError) in try await bob.accept(third) }
      #expect(ended?.code == .invalidArguments)
    }
  }

  @Test func `a user declines an invitation and can be invited again`() async throws {
    try await LocalBroker.run { broker in
      let zone = try await AliceZone(broker)
      let link = try await zone.share(.none)
      let bob = broker.container(account: "bob")
      let early = await failure { () async throws(RecordsError) in try await bob.decline(link) }
      #expect(early?.code == .permissionFailure && early?.reason == "noInvitation")
      try await bob.setDiscoverable(true)
      let id = try await bob.userID()
      let invited = try await zone.database.inviteUser(
        named: "bob", to: zone.id, permission: .readWrite)
      #expect(invited.participant(id)?.acceptanceStatus == .invited)
      try await bob.decline(link)
      try await bob.decline(link)
      let declined = try await zone.database.share(of: zone.id).participant(id)
      #expect(declined?.acceptanceStatus == .left)
      await expectRefusal(of: link, for: bob, reason: "notInvited", code: .permissionFailure)
      try await zone.database.inviteUser(named: "bob", to: zone.id, permission: .readOnly)
      #expect(try await bob.accept(link).permission == .readOnly)
      let late = await failure { () async throws(RecordsError) in try await bob.decline(link) }
      #expect(late?.code == .invalidArguments && late?.reason == "accepted")
    }
  }

  /// Expects that `container` can neither preview nor accept a link.
  private func expectRefusal(
    of link: ShareLink, for container: Container, reason: String,
    code: RecordsError.Code = .invalidArguments
  ) async {
    let errors = [
      await failure { () async throws(RecordsError) in try await container.shareMetadata(for: link)
      },
      await failure { () async throws(RecordsError) in try await container.accept(link) },
    ]
    for error in errors {
      #expect(error?.code == code && error?.reason == reason, "\(String(describing: error))")
      #expect(error?.message.isEmpty == false && error?.hint.isEmpty == false)
    }
  }
}
