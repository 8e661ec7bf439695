// Participants and requests for access, against a real broker with several accounts.

import BrokerClient
import BrokerClientTesting
import Testing

@Suite("Z3, Z6, K5 the participants of a share", .timeLimit(.minutes(5)))
struct DatabaseParticipantsTests {
  @Test func `a user is invited by name if it can be found`() async throws {
    try await LocalBroker.run { broker in
      let zone = try await AliceZone(broker)
      let link = try await zone.share(.none)
      let bob = broker.container(account: "bob")
      let id = try await bob.userID()
      let hidden = await failure { () async throws(RecordsError) in
        try await zone.database.inviteUser(named: "bob", to: zone.id, permission: .readOnly)
      }
      #expect(hidden?.code == .unknownItem && hidden?.reason == "noSuchAccount")
      try await bob.setDiscoverable(true)
      let invited = try await zone.database.inviteUser(
        named: "bob", to: zone.id, permission: .readWrite)
      let participant = try #require(invited.participant(id))
      #expect(participant.acceptanceStatus == .invited && participant.role == .member)
      #expect(participant.permission == .readWrite && participant.userIdentity.name == "bob")
      #expect(try await bob.sharedDatabase.allZones().isEmpty)
      #expect(try await bob.accept(link).permission == .readWrite)
      let accepted = try await zone.database.share(of: zone.id).participant(id)
      #expect(accepted?.acceptanceStatus == .accepted)
      let nothing = await failure { () async throws(RecordsError) in
        try await zone.database.inviteUser(named: "bob", to: zone.id, permission: .none)
      }
      #expect(nothing?.code == .invalidArguments)
    }
  }

  @Test func `a participant that may only read can no longer write, and the other way round`()
    async throws
  {
    try await LocalBroker.run { broker in
      let zone = try await AliceZone(broker)
      let (bob, shared) = try await zone.join(try await zone.share(.readWrite), account: "bob")
      var note = try await bob.sharedDatabase.record(
        for: RecordID(recordName: "a", zoneID: shared))
      let share = try await zone.database.share(of: zone.id)
      var participant = try #require(share.participant(try await bob.userID()))
      participant.permission = .readOnly
      let limited = try await zone.database.save(participant, in: zone.id)
      #expect(limited.participant(participant.id)?.permission == .readOnly)
      note["text"] = "two"
      let error = await failure { [note] () async throws(RecordsError) in
        try await bob.sharedDatabase.save(note)
      }
      #expect(error?.code == .permissionFailure && error?.reason == "readOnly")
      #expect(try await bob.sharedDatabase.record(for: note.id)["text"] == "one")
      participant.permission = .readWrite
      try await zone.database.save(participant, in: zone.id)
      try await bob.sharedDatabase.save(note)
      #expect(try await zone.database.record(for: zone.recordID)["text"] == "two")
    }
  }

  @Test func `an administrator manages participants but neither administrators nor the owner`()
    async throws
  {
    try await LocalBroker.run { broker in
      let zone = try await AliceZone(broker)
      let link = try await zone.share(.readOnly)
      let (bob, shared) = try await zone.join(link, account: "bob")
      let (carl, _) = try await zone.join(link, account: "carl")
      let (bobID, carlID) = (try await bob.userID(), try await carl.userID())
      var deputy = try #require(
        try await zone.database.share(of: zone.id).participant(bobID))
      deputy.role = .administrator
      let appointed = try await zone.database.save(deputy, in: zone.id)
      #expect(appointed.participant(bobID)?.role == .administrator)
      #expect(appointed.participant(bobID)?.permission == .readWrite)
      let seen = try await bob.sharedDatabase.share(of: shared)
      #expect(seen.linkStatus?.state == .valid && seen.accepts(link))
      var member = try #require(seen.participant(carlID))
      member.role = .administrator
      let promotion = await failure { [member] () async throws(RecordsError) in
        try await bob.sharedDatabase.save(member, in: shared)
      }
      #expect(promotion?.code == .permissionFailure)
      for owner in [seen.owner, appointed.owner] {
        let error = await failure { () async throws(RecordsError) in
          try await bob.sharedDatabase.save(owner, in: shared)
        }
        #expect(error?.code == .permissionFailure)
      }
      let expulsion = await failure { () async throws(RecordsError) in
        try await bob.sharedDatabase.removeParticipant(seen.owner.id, from: shared)
      }
      #expect(expulsion?.code == .permissionFailure)
      let own = await failure { () async throws(RecordsError) in
        try await bob.sharedDatabase.removeParticipant(bobID, from: shared)
      }
      #expect(own?.code == .invalidArguments)
      let removed = try await bob.sharedDatabase.removeParticipant(carlID, from: shared)
      #expect(removed.participant(carlID)?.acceptanceStatus == .removed)
      let gone = await failure { [member] () async throws(RecordsError) in
        try await zone.database.save(member, in: zone.id)
      }
      #expect(gone?.code == .unknownItem && gone?.reason == "notParticipant")
    }
  }

  @Test func `a removed participant returns only by an approved request`() async throws {
    try await LocalBroker.run { broker in
      let zone = try await AliceZone(broker)
      let link = try await zone.share(.readWrite)
      let (bob, shared) = try await zone.join(link, account: "bob")
      let id = try await bob.userID()
      try await zone.database.removeParticipant(id, from: zone.id)
      try await zone.database.removeParticipant(id, from: zone.id)
      #expect(try await bob.sharedDatabase.allZones().isEmpty)
      let refused = await failure { () async throws(RecordsError) in try await bob.accept(link) }
      #expect(refused?.code == .permissionFailure && refused?.reason == "removed")
      try await bob.requestAccess(with: link)
      let waiting = try await zone.database.share(of: zone.id).accessRequests
      #expect(waiting.map(\.status) == [.waiting] && waiting.map(\.id) == [id])
      let request = try #require(waiting.first)
      let approved = try await zone.database.answer(
        request, to: zone.id, with: .approve(.readOnly))
      #expect(approved.accessRequests.isEmpty)
      #expect(approved.participant(id)?.permission == .readOnly)
      #expect(try await bob.sharedDatabase.allZones().map(\.id) == [shared])
      let late = await failure { () async throws(RecordsError) in
        try await zone.database.answer(request, to: zone.id, with: .deny)
      }
      #expect(late?.code == .unknownItem && late?.reason == "noRequest")
    }
  }

  @Test func `a denied user can ask again, a blocked one does not learn that it is`() async throws {
    try await LocalBroker.run { broker in
      let zone = try await AliceZone(broker)
      let link = try await zone.share(.none)
      let bob = broker.container(account: "bob")
      var statuses: [[AccessRequest.Status]] = []
      var request: AccessRequest?
      for decision in [AccessDecision.deny, .block] {
        try await bob.requestAccess(with: link)
        let waiting = try await zone.database.share(of: zone.id).accessRequests
        request = waiting.first
        let share = try await zone.database.answer(
          try #require(request), to: zone.id, with: decision)
        statuses += [waiting.map(\.status), share.accessRequests.map(\.status)]
      }
      try await bob.requestAccess(with: link)
      statuses.append(try await zone.database.share(of: zone.id).accessRequests.map(\.status))
      #expect(statuses == [[.waiting], [.denied], [.waiting], [.blocked], [.blocked]])
      try await zone.database.answer(
        try #require(request), to: zone.id, with: .approve(.readWrite))
      #expect(try await bob.sharedDatabase.allZones().count == 1)
    }
  }

  @Test func `a share that is full admits no other account`() async throws {
    try await LocalBroker.run { broker in
      let zone = try await AliceZone(broker)
      let link = try await zone.share(.readOnly)
      let names = try await zone.discoverableAccounts(count: 101)
      for name in names.dropLast() {
        try await zone.database.inviteUser(named: name, to: zone.id, permission: .readOnly)
      }
      let inviting = await failure { () async throws(RecordsError) in
        try await zone.database.inviteUser(named: "guest-1100", to: zone.id, permission: .readOnly)
      }
      #expect(inviting?.code == .tooManyParticipants)
      let last = broker.container(account: "guest-1100", device: "phone")
      let joining = await failure { () async throws(RecordsError) in try await last.accept(link) }
      #expect(joining?.code == .tooManyParticipants)
      let first = broker.container(account: "guest-1000", device: "phone")
      try await first.accept(link)
      try await zone.database.removeParticipant(try await first.userID(), from: zone.id)
      try await last.accept(link)
      #expect(try await zone.database.share(of: zone.id).participants.count == 102)
    }
  }
}
