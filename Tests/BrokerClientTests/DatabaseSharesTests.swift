// Making, changing and ending the share of a zone, against a real broker with several accounts.

import BrokerClient
import BrokerClientTesting
import FoundationEssentials
import Testing

@Suite("Z2, Z6, K5 the share of a zone", .timeLimit(.minutes(5)))
struct DatabaseSharesTests {
  @Test func `a shared zone has an owner, a link and a permission`() async throws {
    try await LocalBroker.run { broker in
      let zone = try await AliceZone(broker)
      let end = Date(timeIntervalSince1970: 4_000_000_000)
      let made = try await zone.database.createShare(
        of: zone.id, publicPermission: .readWrite,
        options: ShareLinkOptions(expirationDate: end, usesMaximum: 3))
      let user = try await zone.alice.currentUserIdentity()
      #expect(made.zoneID == zone.id && made.title == "Family")
      #expect(made.publicPermission == .readWrite)
      #expect(made.owner.userIdentity == user && made.currentUserParticipant == made.owner)
      #expect(made.participants == [made.owner] && made.accessRequests.isEmpty)
      #expect(made.linkStatus?.state == .valid && made.linkStatus?.usesLeft == 3)
      #expect(made.linkStatus?.expirationDate == end)
      let link = try #require(made.link)
      let fetched = try await zone.database.share(of: zone.id)
      #expect(fetched.link == nil, "Only the program that drew a link knows it.")
      #expect(fetched.accepts(link) && !fetched.accepts(zone.alice.newShareLink()))
    }
  }

  @Test func `sharing again changes nothing, and finds the link that the program has saved`()
    async throws
  {
    try await LocalBroker.run { broker in
      let zone = try await AliceZone(broker)
      let saved = ShareLinkOptions(link: zone.alice.newShareLink())
      let first = try await zone.database.createShare(of: zone.id, options: saved)
      #expect(first.link == saved.link)
      let again = try await zone.database.createShare(
        of: zone.id, publicPermission: .readWrite, options: saved)
      #expect(again == first)
      let other = try await zone.database.createShare(of: zone.id)
      #expect(other.link == nil && other.linkStatus == first.linkStatus)
      try await zone.database.revokeShareLink(of: zone.id)
      let revoked = try await zone.database.createShare(of: zone.id, options: saved)
      #expect(revoked.link == nil && revoked.linkStatus?.state == .revoked)
    }
  }

  @Test func `a new link replaces the one before, and participants stay`() async throws {
    try await LocalBroker.run { broker in
      let zone = try await AliceZone(broker)
      let first = try await zone.share(.readOnly)
      let (bob, shared) = try await zone.join(first, account: "bob")
      let renewed = try await zone.database.renewShareLink(of: zone.id)
      let second = try #require(renewed.link)
      #expect(second != first && renewed.accepts(second) && !renewed.accepts(first))
      #expect(renewed.participants.map(\.acceptanceStatus) == [.accepted, .accepted])
      _ = try await zone.join(second, account: "carl")
      let revoked = try await zone.database.revokeShareLink(of: zone.id)
      #expect(revoked.linkStatus?.state == .revoked && !revoked.accepts(second))
      #expect(try await zone.database.revokeShareLink(of: zone.id) == revoked)
      let note = RecordID(recordName: "a", zoneID: shared)
      #expect(try await bob.sharedDatabase.record(for: note)["text"] == "one")
      let reused = await failure { () async throws(RecordsError) in
        try await zone.database.renewShareLink(
          of: zone.id, options: ShareLinkOptions(link: first))
      }
      #expect(reused?.code == .invalidArguments && reused?.reason == "knownLink")
    }
  }

  @Test func `the public permission is that of later participants only`() async throws {
    try await LocalBroker.run { broker in
      let zone = try await AliceZone(broker)
      let link = try await zone.share(.readOnly)
      let (bob, shared) = try await zone.join(link, account: "bob")
      let changed = try await zone.database.setPublicPermission(.readWrite, of: zone.id)
      #expect(changed.publicPermission == .readWrite)
      let (carl, _) = try await zone.join(link, account: "carl")
      let note = Record(recordType: "Note", id: RecordID(recordName: "b", zoneID: shared))
      let error = await failure { () async throws(RecordsError) in
        try await bob.sharedDatabase.save(note)
      }
      #expect(error?.code == .permissionFailure)
      try await carl.sharedDatabase.save(note)
      let mine = RecordID(recordName: "b", zoneID: zone.id)
      let seen = try await zone.database.record(for: mine)
      #expect(seen.creatorUserID == (try await carl.userID()))
    }
  }

  @Test func `a participant loses access in the moment in which sharing stops`() async throws {
    try await LocalBroker.run { broker in
      let zone = try await AliceZone(broker)
      let (bob, shared) = try await zone.join(try await zone.share(.readWrite), account: "bob")
      let following = bob.sharedDatabase.changes(in: shared)
      var pages = following.makeAsyncIterator()
      while let page = try await pages.next(), !page.isCaughtUp {}
      try await zone.database.stopSharing(zone.id)
      try await zone.database.save(
        Record(recordType: "Note", id: RecordID(recordName: "later", zoneID: zone.id)))
      let ended = await failure { () async throws(RecordsError) in
        while let page = try await pages.next() { #expect(page.changes.isEmpty) }
      }
      #expect(ended?.code == .permissionFailure && ended?.reason == "accessLost")
      let id = RecordID(recordName: "a", zoneID: shared)
      let fetching = await failure { () async throws(RecordsError) in
        try await bob.sharedDatabase.record(for: id)
      }
      #expect(fetching?.code == .unknownItem)
      let saving = await failure { () async throws(RecordsError) in
        try await bob.sharedDatabase.save(Record(recordType: "Note", id: .random(in: shared)))
      }
      #expect(saving?.code == .zoneNotFound)
      #expect(try await bob.sharedDatabase.allZones().isEmpty)
      try await zone.database.stopSharing(zone.id)
      let own = try await zone.database.allZones().first { $0.id == zone.id }
      #expect(own?.isShared == false)
      let share = await failure { () async throws(RecordsError) in
        try await zone.database.share(of: zone.id)
      }
      #expect(share?.code == .unknownItem && share?.reason == "notShared")
    }
  }

  @Test func `a participant leaves, the owner cannot`() async throws {
    try await LocalBroker.run { broker in
      let zone = try await AliceZone(broker)
      let (bob, shared) = try await zone.join(try await zone.share(.readOnly), account: "bob")
      try await bob.sharedDatabase.leaveShare(of: shared)
      try await bob.sharedDatabase.leaveShare(of: shared)
      #expect(try await bob.sharedDatabase.allZones().isEmpty)
      let left = try await zone.database.share(of: zone.id).participant(try await bob.userID())
      #expect(left?.acceptanceStatus == .left)
      let error = await failure { () async throws(RecordsError) in
        try await zone.database.leaveShare(of: zone.id)
      }
      #expect(error?.code == .invalidArguments && error?.hint.isEmpty == false)
    }
  }

  @Test func `only the owner shares a zone and stops sharing it`() async throws {
    try await LocalBroker.run { broker in
      let zone = try await AliceZone(broker)
      let (bob, shared) = try await zone.join(try await zone.share(.readWrite), account: "bob")
      let database = bob.sharedDatabase
      let errors = [
        await failure { () async throws(RecordsError) in try await database.stopSharing(shared) },
        await failure { () async throws(RecordsError) in
          try await database.setPublicPermission(.none, of: shared)
        },
        await failure { () async throws(RecordsError) in
          try await database.renewShareLink(of: shared)
        },
        await failure { () async throws(RecordsError) in
          try await database.revokeShareLink(of: shared)
        },
        await failure { () async throws(RecordsError) in
          try await database.createShare(of: shared)
        },
      ]
      for error in errors { #expect(error?.code == .permissionFailure) }
      let seen = try await database.share(of: shared)
      #expect(seen.linkStatus == nil && seen.currentUserParticipant?.role == .member)
      #expect(try await zone.database.share(of: zone.id).publicPermission == .readWrite)
    }
  }

  @Test func `zones that cannot be shared are refused`() async throws {
    try await LocalBroker.run { broker in
      let container = broker.container()
      let zone = try await container.privateDatabase.save(Zone(title: "Family"))
      let missing = await failure { () async throws(RecordsError) in
        try await container.privateDatabase.createShare(of: .random())
      }
      #expect(missing?.code == .zoneNotFound)
      let standard = await failure { () async throws(RecordsError) in
        try await container.privateDatabase.createShare(of: .standard)
      }
      #expect(standard?.code == .invalidArguments)
      let publicZone = await failure { () async throws(RecordsError) in
        try await container.publicDatabase.createShare(of: .standard)
      }
      #expect(publicZone?.reason == "publicZone")
      for uses in [0, -1, 1_000_001] {
        let error = await failure { () async throws(RecordsError) in
          try await container.privateDatabase.createShare(
            of: zone.id, options: ShareLinkOptions(usesMaximum: uses))
        }
        #expect(error?.code == .invalidArguments)
      }
      let foreign = broker.container("other").newShareLink()
      let other = await failure { () async throws(RecordsError) in
        try await container.privateDatabase.createShare(
          of: zone.id, options: ShareLinkOptions(link: foreign))
      }
      #expect(other?.reason == "otherContainer")
      let shares = await failure { () async throws(RecordsError) in
        try await container.privateDatabase.share(of: zone.id)
      }
      #expect(shares?.reason == "notShared")
    }
  }
}
