// Every store: subscriptions to the shared database, access requests, and the visibility of accounts.

import BrokerCore
import BrokerStore
import Records
import Testing

@Suite("B1, K1, K5, Z6, I10, I11 shared database contract")
struct SharedDatabaseContract {
  private func everything(
    _ database: DatabaseScope, id: String, zone: ZoneID? = nil
  ) -> SubscriptionForm {
    SubscriptionForm(
      id: SubscriptionID(stored: id), database: database,
      kind: zone.map { .zone($0, type: nil) } ?? .database(type: nil))
  }

  private func told(_ client: StoreClient, _ start: NotificationStart) throws -> [String] {
    try client.told(behind: start).notifications.flatMap { notification in
      notification.firings.map {
        "\($0.subscription) \(notification.database) \(notification.record.name)"
      }
    }
  }

  @Test(arguments: StoreKind.allCases)
  func `a change in a shared zone notifies the accounts that may see it at that moment`(
    kind: StoreKind
  )
    throws
  {
    var world = try SharedWorld(kind)
    let start = try world.bob.follow()
    let owners = try world.ada.follow()
    #expect(try world.bob.subscribe(everything(.shared, id: "all")) == nil)
    #expect(try world.bob.subscribe(everything(.private, id: "own")) == nil)
    #expect(try world.ada.subscribe(everything(.private, id: "mine")) == nil)
    let stranger = try world.bob.subscribe(everything(.shared, id: "zone", zone: world.zone))
    #expect(stranger?.code == .zoneNotFound)
    _ = try world.ada.modify([save("before")], in: world.zone)
    try world.accept()
    #expect(try world.bob.subscribe(everything(.shared, id: "zone", zone: world.zone)) == nil)
    _ = try world.ada.modify([save("during")], in: world.zone)
    _ = try world.bob.modify([save("by bob")], in: world.zone)
    #expect(try told(world.bob, start) == ["all shared during", "zone shared during"])
    #expect(try told(world.ada, owners) == ["mine private by bob"])
    let removed = try world.ada.share(world.removal)
    let gone = removed.effects.directories.flatMap(\.page.subscriptions)
    #expect(gone.map(\.id.text) == ["zone"] && gone[0].form == nil)
    _ = try world.ada.modify([save("after")], in: world.zone)
    #expect(
      try told(world.bob, start) == [],
      "a notification that was not acknowledged is no longer delivered")
    try world.bob.sweep()
    #expect(try told(world.bob, start) == [])
    let again = try world.bob.share(.accept(SharedWorld.secret)).answer
    #expect(throws: RecordsError.self) { try again.get() }
    #expect(try world.bob.subscribe(everything(.shared, id: "zone", zone: world.zone)) != nil)
  }

  @Test(arguments: StoreKind.allCases)
  func `an access request is listed, denied, repeated and approved`(kind: StoreKind) throws {
    var world = try SharedWorld(kind, .none)
    let bob = world.bob.identity.account
    let refused = #expect(throws: RecordsError.self) {
      _ = try world.bob.share(.accept(SharedWorld.secret)).answer.get()
    }
    #expect(refused?.reason == "notInvited")
    try world.ada.shared(.revokeLink(world.zone))
    for (decision, standing) in [
      (AccessDecision.deny, AccessRequest.Standing.denied), (.block, .blocked),
    ] {
      #expect(try world.bob.share(.requestAccess(SharedWorld.secret)).answer.get() == .done)
      let asked = try world.ada.shared(.fetch(world.zone)).requests
      #expect(asked.map(\.name) == ["bob"] && asked.map(\.standing) == [.waiting])
      let share = try world.ada.shared(.answerRequest(world.zone, bob, decision))
      #expect(share.requests.map(\.standing) == [standing])
    }
    #expect(try world.bob.share(.requestAccess(SharedWorld.secret)).answer.get() == .done)
    #expect(try world.ada.shared(.fetch(world.zone)).requests.map(\.standing) == [.blocked])
    let approved = try world.ada.shared(
      .answerRequest(world.zone, bob, .approve(.readOnly)))
    #expect(approved.requests.isEmpty)
    #expect(approved.participants.map(\.status) == [.accepted, .accepted])
    #expect(try world.bob.entry(world.zone)?.isWritable == false)
    let member = try world.bob.shared(.fetch(world.zone))
    #expect(member.link == nil && member.participants.map(\.name) == ["ada", "bob"])
  }

  // MARK: Files

  @Test(arguments: StoreKind.allCases)
  func `a member's asset is charged to the owner, whose quota limits it`(kind: StoreKind) throws {
    var world = try SharedWorld(kind)
    try world.accept()
    world.bob.committer = Committer(
      store: world.bob.store, generator: SystemRandomNumberGenerator(),
      quotas: QuotaPolicy(accountBytes: 100, participantsPercent: 100))
    let (small, large) = (file(1, bytes: 60), file(2, bytes: 41))
    for asset in [small, large] {
      try world.bob.store.transact {
        try $0.registerAsset(asset, UploadID(asset.id, of: world.bob.identity), at: time(1))
      }
    }
    let both = try world.bob.modify(
      [save("p", ["x": .asset(small)]), save("q", ["x": .asset(large)])], in: world.zone
    ).0
    guard case .failed(let error, _) = both[1] else {
      Issue.record("\(both)")
      return
    }
    #expect(error.code == .quotaExceeded && error.reason == "ownersQuota")
    func isSaved(_ name: String, _ asset: Asset) throws -> Bool {
      let result = try world.bob.modify([save(name, ["x": .asset(asset)])], in: world.zone).0[0]
      if case .saved = result { return true }
      return false
    }
    #expect(try isSaved("p", small))
    #expect(try isSaved("q", small), "it is charged once")
    #expect(try !isSaved("r", large))
    #expect(try world.ada.store.asset(small.id, in: world.zone, for: world.ada.identity) == small)
    let own = try world.bob.modify([save("mine", ["x": .asset(large)])]).0
    guard case .saved = own.groups[0][0] else {
      Issue.record("\(own)")
      return
    }
  }

  @Test(arguments: StoreKind.allCases)
  func `N1 members can use half of the owner's quota of files`(kind: StoreKind) throws {
    var world = try SharedWorld(kind)
    try world.accept()
    let quotas = QuotaPolicy(accountBytes: 100)
    world.ada.committer = Committer(
      store: world.ada.store, generator: SystemRandomNumberGenerator(), quotas: quotas)
    world.bob.committer = Committer(
      store: world.bob.store, generator: SystemRandomNumberGenerator(), quotas: quotas)
    let zone = world.zone
    func save(_ asset: Asset, _ client: inout StoreClient) throws -> String {
      try client.store.transact {
        try $0.registerAsset(asset, UploadID(asset.id, of: client.identity), at: time(1))
      }
      let operation = BrokerStoreTests.save("\(asset.id)", ["x": .asset(asset)])
      guard case .failed(let error, _) = try client.modify([operation], in: zone).0[0] else {
        return ""
      }
      return error.reason ?? "\(error.code)"
    }
    #expect(try save(file(1, bytes: 30), &world.bob) == "")
    #expect(try save(file(2, bytes: 20), &world.bob) == "")
    #expect(try save(file(3, bytes: 1), &world.bob) == "participantsQuota")
    #expect(try save(file(4, bytes: 50), &world.ada) == "")
  }

  private func file(_ byte: UInt8, bytes: UInt64) -> Asset {
    Asset(digest: Array(repeating: byte, count: 32), sizeBytes: bytes)
  }

  // MARK: Accounts

  private func names(
    _ order: AccountRequest, _ client: StoreClient
  ) throws -> [String] {
    try client.store.accounts(order, of: client.identity).profiles.map(\.name)
  }

  @Test(arguments: StoreKind.allCases)
  func `an account is visible to accounts it shares with, and to all if discoverable`(
    kind: StoreKind
  ) throws {
    var world = try SharedWorld(kind)
    let eve = try StoreClient(world.ada.store, account: "eve", key: [3])
    let ada = world.ada.identity.account
    #expect(try names(.me, world.ada) == ["ada"])
    #expect(try names(.look([.current, ada]), world.ada) == ["ada", "ada"])
    #expect(try names(.look([ada]), world.bob) == [])
    #expect(try names(.find(name: "ada"), world.bob) == [])
    try world.accept()
    #expect(try names(.look([ada]), world.bob) == ["ada"])
    #expect(try names(.look([world.bob.identity.account]), world.ada) == ["bob"])
    #expect(try names(.look([ada]), eve) == [])
    let identity = world.ada.identity
    let changed = try world.ada.store.transact {
      _ = try $0.perform(.setDisplayName("Ada L."), of: identity)
      return try $0.perform(.setDiscoverable(true), of: identity).profiles
    }
    #expect(changed.map(\.displayName) == ["Ada L."] && changed.map(\.isDiscoverable) == [true])
    #expect(try names(.look([ada]), eve) == ["ada"])
    #expect(try names(.find(name: "ada"), eve) == ["ada"])
    #expect(try names(.discoverable(after: ""), eve) == ["ada"])
  }

  @Test(arguments: StoreKind.allCases)
  func `only a discoverable account can be invited by name`(kind: StoreKind) throws {
    var world = try SharedWorld(kind, .none)
    let order = SharingRequest.invite(world.zone, name: "bob", .readOnly)
    let refused = #expect(throws: RecordsError.self) { try world.ada.shared(order) }
    #expect(refused?.reason == "noSuchAccount")
    let bob = world.bob.identity
    _ = try world.bob.store.transact { try $0.perform(.setDiscoverable(true), of: bob) }
    #expect(try world.ada.shared(order).participants.map(\.status) == [.accepted, .invited])
    #expect(try world.bob.entry(world.zone) == nil)
    try world.accept()
    #expect(try world.bob.entry(world.zone)?.isWritable == false)
  }

  @Test(arguments: StoreKind.allCases)
  func `an undiscoverable account can be invited by accounts that share a zone with it`(
    kind: StoreKind
  ) throws {
    var world = try SharedWorld(kind)
    try world.accept()
    var eve = try StoreClient(world.ada.store, account: "eve", key: [3])
    let secret = ShareSecret(9)
    func share(_ client: inout StoreClient) throws -> ZoneID {
      let zone = ZoneID(owner: client.identity.account, name: ZoneName(3))
      _ = try client.modify([.saveZone(title: "Own")], in: zone)
      let digest = client.identity.account.bytes + secret.bytes
      try client.shared(
        .create(zone, ShareForm(publicPermission: .none, link: LinkForm(digest: digest))))
      return zone
    }
    let (bobs, eves, adas) = (try share(&world.bob), try share(&eve), try share(&world.ada))
    func reason(_ client: inout StoreClient, _ zone: ZoneID, _ name: String) throws -> String? {
      let outcome = try client.share(.invite(zone, name: name, .readOnly))
      if case .failure(let error) = outcome.answer { return error.reason }
      return nil
    }
    for name in ["ada", "bob", "nobody"] {
      #expect(try reason(&eve, eves, name) == "noSuchAccount")
    }
    #expect(try reason(&world.bob, bobs, "ada") == nil, "whose zone it is in")
    #expect(try reason(&world.ada, adas, "bob") == nil, "who is in its zone")
    #expect(try reason(&world.bob, bobs, "eve") == "noSuchAccount")
    _ = try eve.share(.accept(SharedWorld.secret)).answer.get()
    #expect(try reason(&world.bob, bobs, "eve") == nil, "who is in a third one's zone with it")
    try world.ada.shared(world.removal)
    #expect(try reason(&eve, eves, "bob") == "noSuchAccount")
  }

  @Test func `the number of an account's own and shared zones is limited`() throws {
    var world = try SharedWorld(.sqliteInMemory)
    let bob = world.bob.identity.account
    func results(_ range: Range<Int>) throws -> [OperationResult] {
      let groups = range.map { index in
        OperationGroup(
          zone: ZoneID(owner: bob, name: ZoneName(UInt128(100 + index))),
          operations: [.saveZone(title: "g")])
      }
      let result = world.bob.committer.perform([world.bob.nextRequest(groups)], at: time(5))[0]
      return try StoreClient.outcome(result).0.groups.flatMap { $0 }
    }
    // The standard zone is the first of them.
    for start in stride(from: 0, to: 800, by: 400) { _ = try results(start..<start + 400) }
    let last = try results(800..<1000)
    #expect(last.filter { $0 == .zoneSaved }.count == 199)
    guard case .failed(let error, _)? = last.last else {
      Issue.record("\(last)")
      return
    }
    #expect(error.code == .quotaExceeded && error.reason == "zones")
    let refused = #expect(throws: RecordsError.self) { try world.accept() }
    #expect(refused?.reason == "zones")
    let gone = ZoneID(owner: bob, name: ZoneName(100))
    _ = try world.bob.modify([.deleteZone()], in: gone)
    try world.accept()
    guard case .failed? = try results(2000..<2001).last else {
      Issue.record("Others' zones count too.")
      return
    }
  }

  @Test(arguments: StoreKind.allCases)
  func `discoverable accounts are returned in pages of a hundred`(kind: StoreKind) throws {
    let store = try kind.make()
    var last: StoreClient?
    for index in 0..<105 {
      let client = try StoreClient(
        store, account: "p\(1000 + index)", key: [UInt8(index), 1])
      _ = try store.transact { try $0.perform(.setDiscoverable(true), of: client.identity) }
      last = client
    }
    let client = try #require(last)
    let first = try client.store.accounts(.discoverable(after: ""), of: client.identity)
    #expect(first.profiles.count == 100 && !first.isWhole)
    let rest = try client.store.accounts(
      .discoverable(after: first.profiles[99].name), of: client.identity)
    #expect(rest.profiles.map(\.name) == (1100..<1105).map { "p\($0)" } && rest.isWhole)
  }
}
