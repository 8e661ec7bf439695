// Every store: shares. A permission is checked at the request's place in the commit order, and a directory
// lists what its account may see.

import BrokerCore
import BrokerStore
import Predicates
import Records
import Testing

extension StoreClient {
  /// Performs a share request. The digest of a link is its bytes.
  mutating func share(_ order: SharingRequest, at now: Timestamp = time(5)) throws -> ShareOutcome {
    let result = committer.perform([shareRequest(order)], at: now)[0]
    guard case .client(.shared(let outcome, _), _) = result else {
      throw RecordsError(.internalError, "\(result)")
    }
    return outcome
  }

  func shareRequest(_ order: SharingRequest) -> StorageRequest {
    .client(
      .share(order, linkDigest: order.secret.map { $0.bytes + $0.bytes }),
      RequestContext(connection: ConnectionID(1), replyTo: 1, identity: identity))
  }

  /// Performs a share request. Returns the share in its answer.
  @discardableResult
  mutating func shared(_ order: SharingRequest, at now: Timestamp = time(5)) throws -> Share {
    guard case .share(let share) = try share(order, at: now).answer.get() else {
      throw RecordsError(.internalError, "It was not answered by a share.")
    }
    return share
  }

  /// Returns the directory entry of a zone, after reading the whole directory.
  func entry(_ zone: ZoneID) throws -> DirectoryEntry? {
    try store.directory(of: identity).entries.first { $0.zone == zone }
  }

  /// Performs operations in a zone. Returns their results.
  mutating func modify(
    _ operations: [Operation], in zone: ZoneID
  ) throws -> ([OperationResult], CommitEffects) {
    let request = nextRequest([OperationGroup(zone: zone, operations: operations)])
    let (outcome, effects) = try Self.outcome(committer.perform([request], at: time(6))[0])
    return (outcome.groups[0], effects)
  }

  /// Returns the error of a write to a zone.
  mutating func refusalOfWriting(in zone: ZoneID) throws -> RecordsError.Code? {
    guard case .failed(let error, _) = try modify([save("by \(identity.account)")], in: zone).0[0]
    else { return nil }
    return error.code
  }
}

/// A zone of ada's with a share link that bob has not accepted.
struct SharedWorld {
  static let secret = ShareSecret(0xABCD)
  static let link = LinkForm(digest: secret.bytes + secret.bytes)

  var ada: StoreClient
  var bob: StoreClient
  let zone: ZoneID

  init(
    _ kind: StoreKind, _ publicPermission: SharePermission = .readWrite, link: LinkForm = link
  ) throws {
    try self.init(kind.make(), publicPermission, link: link)
  }

  init(
    _ store: any RecordStore, _ publicPermission: SharePermission = .readWrite,
    link: LinkForm = link
  ) throws {
    ada = try StoreClient(store, key: [1])
    bob = try StoreClient(store, account: "bob", key: [2])
    zone = ZoneID(owner: ada.identity.account, name: ZoneName(7))
    _ = try ada.modify(
      [.saveZone(title: "Family"), save("a", ["age": .int64(1)]), save("b")], in: zone)
    try ada.shared(
      .create(zone, ShareForm(publicPermission: publicPermission, link: link)))
  }

  /// Makes bob accept the link.
  mutating func accept() throws {
    _ = try bob.share(.accept(Self.secret)).answer.get()
  }

  var removal: SharingRequest { .removeParticipant(zone, bob.identity.account) }
}

@Suite("Z2, Z3, Z4, I11, I24 share contract")
struct ShareContract {
  @Test(arguments: StoreKind.allCases)
  func `a link is previewed and accepted once, and adds the zone to the directory`(
    kind: StoreKind
  ) throws {
    var world = try SharedWorld(kind, link: LinkForm(digest: SharedWorld.link.digest, uses: 1))
    let preview = SharePreview(
      zone: world.zone, title: "Family", ownerName: "ada", permission: .readWrite,
      recordCount: 2, isAccepted: false)
    #expect(
      try world.bob.share(.preview(SharedWorld.secret)).answer.get() == .preview(preview))
    #expect(try world.bob.entry(world.zone) == nil)
    let outcome = try world.bob.share(.accept(SharedWorld.secret))
    #expect(outcome.effects.losses.isEmpty)
    #expect(
      outcome.effects.directories.map(\.account) == [
        world.ada.identity.accountKey, world.bob.identity.accountKey,
      ])
    let entry = try #require(try world.bob.entry(world.zone))
    #expect(entry.title == "Family" && entry.role == .member && entry.isWritable)
    #expect(entry.ownerName == "ada" && entry.isShared && !entry.isDeleted)
    #expect(outcome.effects.directories[1].page.entries == [entry])
    #expect(try world.ada.entry(world.zone)?.isShared == true)
    let again = try world.bob.share(.accept(SharedWorld.secret))
    guard case .preview(let inside) = try again.answer.get() else { return }
    #expect(inside.isAccepted && again.effects.directories.isEmpty)
    var eve = try StoreClient(world.ada.store, account: "eve", key: [3])
    let late = #expect(throws: RecordsError.self) {
      _ = try eve.share(.accept(SharedWorld.secret)).answer.get()
    }
    #expect(late?.reason == "usedUp")
    #expect(try world.ada.shared(.fetch(world.zone)).link?.usesLeft == 0)
  }

  @Test(arguments: StoreKind.allCases)
  func `an expired link is rejected`(kind: StoreKind) throws {
    var world = try SharedWorld(
      kind, link: LinkForm(digest: SharedWorld.link.digest, expires: time(100)))
    #expect(throws: Never.self) {
      _ = try world.bob.share(.preview(SharedWorld.secret), at: time(99)).answer.get()
    }
    let error = #expect(throws: RecordsError.self) {
      _ = try world.bob.share(.accept(SharedWorld.secret), at: time(100)).answer.get()
    }
    #expect(error?.reason == "expired")
    #expect(try world.ada.shared(.fetch(world.zone), at: time(100)).link?.standing == .expired)
  }

  @Test(arguments: StoreKind.allCases)
  func `a new link revokes the old one, and revoked links are retained up to a limit`(
    kind: StoreKind
  ) throws {
    var world = try SharedWorld(kind)
    for index in 1...BrokerLimits.linksPerZone {
      let secret = ShareSecret(UInt128(index))
      try world.ada.shared(
        .renewLink(world.zone, LinkForm(digest: secret.bytes + secret.bytes)))
    }
    func reason(_ secret: ShareSecret) throws -> String? {
      let outcome = try world.bob.share(.accept(secret))
      if case .failure(let error) = outcome.answer { return error.reason }
      return nil
    }
    #expect(try reason(SharedWorld.secret) == "unknownLink", "the oldest is forgotten")
    #expect(try reason(ShareSecret(1)) == "revoked")
    #expect(try reason(ShareSecret(UInt128(BrokerLimits.linksPerZone))) == nil)
    #expect(try world.ada.shared(.revokeLink(world.zone)).link?.standing == .revoked)
  }

  @Test(arguments: StoreKind.allCases)
  func `a write after the loss of permission is rejected, one before it is applied`(
    kind: StoreKind
  ) throws {
    var world = try SharedWorld(kind)
    try world.accept()
    let before = world.bob.nextRequest([
      OperationGroup(zone: world.zone, operations: [save("before")])
    ])
    let demotion = world.ada.shareRequest(
      .setParticipant(
        world.zone, world.bob.identity.account, .readOnly, isAdministrator: false))
    let between = world.bob.nextRequest([
      OperationGroup(zone: world.zone, operations: [save("between")])
    ])
    let removal = world.ada.shareRequest(world.removal)
    let after = world.bob.nextRequest([
      OperationGroup(zone: world.zone, operations: [save("after")])
    ])
    let results = world.ada.committer.perform(
      [before, demotion, between, removal, after], at: time(7))
    let codes = try [0, 2, 4].map { place -> RecordsError.Code? in
      guard case .failed(let error, _) = try StoreClient.outcome(results[place]).0.groups[0][0]
      else { return nil }
      return error.code
    }
    #expect(codes == [nil, .permissionFailure, .zoneNotFound])
    let refusals = try [2, 4].map { try StoreClient.outcome(results[$0]).1.refusals.map(\.zone) }
    #expect(refusals == [[world.zone], [world.zone]])
    guard case .client(.shared(let outcome, _), _) = results[3] else { return }
    #expect(
      outcome.effects.losses == [
        AccessLoss(
          container: world.bob.identity.container, account: world.bob.identity.accountKey,
          zone: world.zone)
      ])
  }

  @Test(arguments: StoreKind.allCases)
  func `every read checks the permission in its own transaction`(kind: StoreKind) throws {
    var world = try SharedWorld(kind)
    let photo = Asset(digest: Array(repeating: 1, count: 32), sizeBytes: 10)
    try world.ada.store.transact {
      try $0.registerAsset(photo, UploadID(photo.id, of: world.ada.identity), at: time(1))
    }
    try world.accept()
    _ = try world.ada.modify(
      [save("c", ["photo": .asset(photo)]), delete("b", tag: 2)], in: world.zone)
    let (bob, zone) = (world.bob, world.zone)
    let id = RecordID(zone: zone, name: RecordName(stored: "a"))
    let stored = try #require(
      try bob.store.transact {
        try $0.zones(at: [ZonePosition(zone: zone, token: nil)], of: bob.identity)
      }.first?.stored)
    let page = PageRequest(
      reader: bob.identity, key: try #require(stored.key), zone: zone,
      incarnation: stored.incarnation, after: .zero, scanStart: .zero, attachment: 1)
    func query(_ zone: ZoneID?) throws -> Int {
      let form = QueryForm(
        database: .shared, zone: zone, type: RecordType(stored: "Contact"),
        predicate: PredicateText("TRUEPREDICATE"))
      return try bob.store.query(
        RecordQuery(form), from: nil, of: bob.identity, clock: QueryClock(now: time(5)) { false }
      ).records.count
    }
    #expect(try bob.store.page(page).changes.count == 3)
    #expect(try bob.store.fetch([id], of: bob.identity)[0] != nil)
    #expect(try bob.store.trash(zone, below: nil, of: bob.identity).items.count == 1)
    #expect(try query(nil) == 2)
    #expect(try query(zone) == 2)
    #expect(try bob.store.asset(photo.id, in: zone, for: bob.identity) == photo)
    try world.ada.shared(world.removal)
    let refused = #expect(throws: RecordsError.self) { _ = try bob.store.page(page) }
    #expect(refused?.code == .permissionFailure && refused?.reason == "accessLost")
    #expect(try bob.entry(zone)?.isShared == true)
    #expect(try bob.store.fetch([id], of: bob.identity) == [nil])
    #expect(try bob.store.trash(zone, below: nil, of: bob.identity).items.isEmpty)
    #expect(try bob.store.history(id, below: nil, of: bob.identity).states.isEmpty)
    #expect(try query(nil) == 0)
    #expect(throws: RecordsError.self) { _ = try query(zone) }
    #expect(try bob.store.asset(photo.id, in: zone, for: bob.identity) == nil)
    let attached = try bob.store.transact {
      try $0.zones(at: [ZonePosition(zone: zone, token: nil)], of: bob.identity)
    }
    #expect(attached.first?.stored == nil)
  }

  @Test(arguments: StoreKind.allCases)
  func `an account that lost a zone learns nothing of its later changes`(kind: StoreKind) throws {
    var world = try SharedWorld(kind)
    try world.accept()
    let before = try world.bob.store.directory(of: world.bob.identity).to
    let left = try world.bob.share(.leave(world.zone))
    _ = try left.answer.get()
    #expect(left.effects.losses.map(\.isDeparture) == [true])
    let (_, effects) = try world.ada.modify([.saveZone(title: "Secret")], in: world.zone)
    #expect(effects.directories.map(\.account) == [world.ada.identity.accountKey])
    let entry = try #require(try world.bob.entry(world.zone))
    #expect(entry.isDeleted && entry.title.isEmpty && !entry.isWritable)
    #expect(!entry.isShared, "the account left the zone itself")
    #expect(entry.revision > before)
    #expect(try world.ada.entry(world.zone)?.isShared == true, "the link is open")
    let share = try world.ada.shared(.fetch(world.zone))
    #expect(share.participants.map(\.status) == [.accepted, .left])
    try world.accept()
    #expect(try world.bob.entry(world.zone)?.title == "Secret")
  }

  @Test(arguments: StoreKind.allCases)
  func `Z2 a zone with an open link counts as shared, until the link is closed`(
    kind: StoreKind
  ) throws {
    var world = try SharedWorld(kind, .none)
    func isShared() throws -> Bool { try world.ada.entry(world.zone)?.isShared == true }
    #expect(try !isShared())
    for (request, isOpen) in [
      (SharingRequest.setPublicPermission(world.zone, .readOnly), true),
      (.revokeLink(world.zone), false), (.renewLink(world.zone, LinkForm(digest: [7])), true),
      (.stop(world.zone), false),
    ] {
      let effects = try world.ada.share(request).effects
      #expect(effects.directories.map(\.account) == [world.ada.identity.accountKey])
      #expect(try isShared() == isOpen, "\(request)")
    }
  }

  @Test(arguments: StoreKind.allCases)
  func `Z6 only the owner and administrators of a share see access requests`(
    kind: StoreKind
  ) throws {
    var world = try SharedWorld(kind)
    try world.accept()
    var deputy = try StoreClient(world.ada.store, account: "carol", key: [4])
    _ = try deputy.share(.accept(SharedWorld.secret)).answer.get()
    let carol = deputy.identity.account
    try world.ada.shared(.setParticipant(world.zone, carol, .readOnly, isAdministrator: true))
    try world.ada.shared(.setPublicPermission(world.zone, .none))
    var eve = try StoreClient(world.ada.store, account: "eve", key: [3])
    let managers = [world.ada.identity.accountKey, deputy.identity.accountKey]
    let asked = try eve.share(.requestAccess(SharedWorld.secret))
    #expect(asked.effects.directories.map(\.account) == managers)
    #expect(asked.effects.directories[0].page.entries[0].requests.map(\.name) == ["eve"])
    #expect(try deputy.entry(world.zone)?.requests.map(\.standing) == [.waiting])
    #expect(try world.bob.entry(world.zone)?.requests == [])
    #expect(try eve.share(.requestAccess(SharedWorld.secret)).effects.directories.isEmpty)
    let denied = try world.ada.share(.answerRequest(world.zone, eve.identity.account, .deny))
    #expect(denied.effects.directories.map(\.account) == managers)
    #expect(try world.ada.entry(world.zone)?.requests.map(\.standing) == [.denied])
    _ = try eve.share(.requestAccess(SharedWorld.secret), at: time(9))
    let before = try world.ada.entry(world.zone)?.requests
    #expect(before?.map(\.asked) == [time(9)])
    _ = try world.ada.share(
      .answerRequest(world.zone, eve.identity.account, .approve(.readOnly)))
    #expect(try world.ada.entry(world.zone)?.requests == [])
    #expect(try world.bob.entry(world.zone)?.members.map(\.name) == ["bob", "carol", "eve"])
  }

  @Test(arguments: StoreKind.allCases)
  func `K1 the members of a zone see each other's names and learn of changed names`(
    kind: StoreKind
  ) throws {
    var world = try SharedWorld(kind)
    try world.accept()
    let bob = world.bob.identity.account
    #expect(try world.ada.entry(world.zone)?.members.map(\.account) == [bob])
    #expect(try world.bob.entry(world.zone)?.ownerDisplayName == "ada")
    let named = StorageRequest.client(
      .account(.setDisplayName("Bob B.")),
      RequestContext(connection: ConnectionID(1), replyTo: 1, identity: world.bob.identity))
    guard
      case .client(.answered(_, let effects), _) = world.bob.committer.perform(
        [named], at: time(8))[0]
    else { return #expect(Bool(false), "an answer") }
    #expect(
      Set(effects.directories.map(\.account)) == [
        world.ada.identity.accountKey, world.bob.identity.accountKey,
      ])
    #expect(try world.ada.entry(world.zone)?.members.map(\.displayName) == ["Bob B."])
    #expect(try world.bob.entry(world.bob.zone)?.ownerDisplayName == "Bob B.")
    let share = try world.ada.shared(.fetch(world.zone))
    #expect(share.participants.map(\.displayName) == ["ada", "Bob B."])
    let again = world.bob.committer.perform([named], at: time(9))[0]
    guard case .client(.answered(_, let none), _) = again else { return }
    #expect(none.directories.isEmpty, "nothing changed")
    try world.ada.shared(world.removal)
    #expect(try world.ada.entry(world.zone)?.members == [])
    #expect(try world.bob.entry(world.zone)?.members == [])
  }

  @Test(arguments: StoreKind.allCases)
  func `Z4 the owner sees an account that declined an invitation as having left`(kind: StoreKind)
    throws
  {
    var world = try SharedWorld(kind, .none)
    try world.ada.store.transact { _ in }
    let discoverable = StorageRequest.client(
      .account(.setDiscoverable(true)),
      RequestContext(connection: ConnectionID(1), replyTo: 1, identity: world.bob.identity))
    _ = world.bob.committer.perform([discoverable], at: time(4))
    try world.ada.shared(.invite(world.zone, name: "bob", .readOnly))
    #expect(try world.bob.share(.decline(SharedWorld.secret)).answer.get() == .done)
    let share = try world.ada.shared(.fetch(world.zone))
    #expect(share.participants.map(\.status) == [.accepted, .left])
    #expect(throws: RecordsError.self) {
      _ = try world.bob.share(.accept(SharedWorld.secret)).answer.get()
    }
    try world.ada.shared(.invite(world.zone, name: "bob", .readWrite))
    try world.accept()
    #expect(try world.bob.entry(world.zone)?.isWritable == true)
  }

  @Test(arguments: StoreKind.allCases)
  func `renaming, emptying the trash and deleting update the directories of all members`(
    kind: StoreKind
  )
    throws
  {
    var world = try SharedWorld(kind)
    try world.accept()
    let accounts = [world.ada.identity.accountKey, world.bob.identity.accountKey]
    for operation in [
      Operation.saveZone(title: "Friends"), .emptyTrash(through: Revision(1)), .deleteZone(),
    ] {
      let (results, effects) = try world.ada.modify([operation], in: world.zone)
      #expect(!results.contains { if case .failed = $0 { true } else { false } })
      #expect(effects.directories.map(\.account) == accounts, "\(operation)")
      #expect(effects.losses.map(\.account) == (operation == .deleteZone() ? [accounts[1]] : []))
    }
    #expect(try world.bob.entry(world.zone)?.isDeleted == true)
    let error = #expect(throws: RecordsError.self) {
      _ = try world.bob.share(.accept(SharedWorld.secret)).answer.get()
    }
    #expect(error?.reason == "revoked")
  }

  @Test(arguments: StoreKind.allCases)
  func `roles determine the permitted changes of the zone itself`(kind: StoreKind) throws {
    var world = try SharedWorld(kind)
    try world.accept()
    let bob = world.bob.identity.account
    func codes() throws -> [RecordsError.Code?] {
      try [
        Operation.saveZone(title: "\(world.zone)"), .deleteZone(),
        .emptyTrash(through: Revision(1)),
      ].map {
        guard case .failed(let error, _) = try world.bob.modify([$0], in: world.zone).0[0] else {
          return nil
        }
        return error.code
      }
    }
    #expect(try codes() == [.permissionFailure, .permissionFailure, .permissionFailure])
    try world.ada.shared(
      .setParticipant(world.zone, bob, .readOnly, isAdministrator: true))
    #expect(
      try codes() == [nil, .permissionFailure, .permissionFailure], "N5 for administrators too")
    #expect(try world.bob.refusalOfWriting(in: world.zone) == nil, "administrators always write")
    #expect(try world.bob.entry(world.zone)?.role == .administrator)
    #expect(try world.bob.entry(world.zone)?.isWritable == true)
    try world.ada.shared(world.removal)
    #expect(try codes() == [.zoneNotFound, .zoneNotFound, .zoneNotFound])
  }

  @Test(arguments: StoreKind.allCases)
  func `ending a share removes all participants, and sharing again starts with none`(
    kind: StoreKind
  ) throws {
    var world = try SharedWorld(kind)
    try world.accept()
    let stopped = try world.ada.share(.stop(world.zone))
    #expect(stopped.effects.losses.map(\.account) == [world.bob.identity.accountKey])
    #expect(try world.bob.refusalOfWriting(in: world.zone) == .zoneNotFound)
    #expect(try world.ada.share(.stop(world.zone)).effects.losses.isEmpty)
    let error = #expect(throws: RecordsError.self) {
      try world.ada.shared(.fetch(world.zone))
    }
    #expect(error?.reason == "notShared")
    let digest = [UInt8](repeating: 3, count: 32)
    let share = try world.ada.shared(
      .create(world.zone, ShareForm(publicPermission: .none, link: LinkForm(digest: digest))))
    #expect(share.participants.map(\.role) == [.owner])
    #expect(share.link?.digest == digest)
  }

  @Test(arguments: StoreKind.allCases)
  func `rolling back a change of a share also restores the cache`(kind: StoreKind) throws {
    var world = try SharedWorld(kind)
    try world.accept()
    let (order, ada) = (world.removal, world.ada.identity)
    #expect(throws: RecordsError.self) {
      try world.ada.store.transact { transaction in
        _ = try transaction.perform(order, linkDigest: nil, of: ada, at: time(8))
        throw RecordsError(.internalError, "Undone.")
      }
    }
    #expect(try world.bob.refusalOfWriting(in: world.zone) == nil)
  }
}
