// What is too much for one transaction is done in steps: telling everybody of a zone, and clearing those
// who lost it. Rights wait for nothing.

import BrokerCore
import BrokerStore
import GRDB
import Records
import Testing

extension StoreClient {
  /// Does errands until none is left. Returns what each step told.
  @discardableResult
  mutating func runErrands() throws -> [CommitEffects] {
    var steps: [CommitEffects] = []
    repeat {
      guard case .ranErrands(let effects?) = committer.perform([.runErrands], at: time(9))[0]
      else { throw RecordsError(.internalError, "The errands were not done.") }
      steps.append(effects)
    } while steps.last?.leavesErrands == true
    return steps
  }
}

@Suite("Z2, Z4, I10, I11 errand contract")
struct ErrandContract {
  /// People of ada's zone, each with so many subscriptions to it.
  private func guests(
    _ count: Int, subscriptions: Int, in world: inout SharedWorld
  ) throws -> [StoreClient] {
    try (0..<count).map { index in
      var guest = try StoreClient(
        world.ada.store, account: "guest \(index)", key: [9, UInt8(index)])
      _ = try guest.share(.accept(SharedWorld.secret)).answer.get()
      for place in 0..<subscriptions {
        #expect(try guest.subscribe(subscription("s\(place)", world.zone)) == nil)
      }
      return guest
    }
  }

  private func subscription(_ id: String, _ zone: ZoneID) -> SubscriptionForm {
    SubscriptionForm(
      id: SubscriptionID(stored: id), database: .shared, kind: .zone(zone, type: nil),
      notification: NotificationForm())
  }

  /// What a device of the account is told that was up to date at `revision`.
  private func news(
    _ client: inout StoreClient, _ name: String, _ key: [UInt8], since revision: Revision
  ) throws -> DirectoryPage {
    try StoreClient.signIn(
      &client.committer, account: name, key: key, device: client.identity.device,
      directory: revision
    ).directory
  }

  @Test(arguments: StoreKind.allCases, [false, true])
  func `a zone of many with many subscriptions goes at once, and is cleared in steps`(
    kind: StoreKind, isStopped: Bool
  ) throws {
    var world = try SharedWorld(kind)
    let guests = try guests(8, subscriptions: 120, in: &world)
    let before = try guests.map { try $0.store.directory(of: $0.identity).to }
    let effects =
      isStopped
      ? try world.ada.share(.stop(world.zone)).effects
      : try world.ada.modify([.deleteZone], in: world.zone).1
    #expect(effects.losses.map(\.account) == guests.map(\.identity.accountKey))
    #expect(effects.leavesErrands)
    let deletions = effects.directories.flatMap(\.page.subscriptions)
    #expect(deletions.count <= BrokerLimits.errandsPerTransaction && !deletions.isEmpty)
    for guest in guests {
      #expect(
        try guest.store.fetch(
          [RecordID(zone: world.zone, name: RecordName(stored: "a"))], of: guest.identity
        ).compactMap(\.self).isEmpty)
    }
    let steps = try world.ada.runErrands()
    #expect(steps.count > 1)
    for step in steps {
      let gone = step.directories.flatMap(\.page.subscriptions).count
      #expect(gone <= BrokerLimits.errandsPerStep)
    }
    for index in guests.indices {
      let page = try guests[index].store.directory(of: guests[index].identity)
      #expect(page.to > before[index])
      #expect(page.entries.filter { $0.zone == world.zone }.map(\.isDeleted) == [true])
      #expect(page.subscriptions.isEmpty)
    }
    #expect(try world.ada.runErrands().count == 1, "nothing is left")
  }

  @Test(arguments: StoreKind.allCases)
  func `who comes back before it was cleared has nothing of the time before`(kind: StoreKind) throws
  {
    var world = try SharedWorld(kind)
    var guests = try guests(5, subscriptions: 120, in: &world)
    let effects = try world.ada.share(.stop(world.zone)).effects
    #expect(effects.leavesErrands)
    let secret = ShareSecret(0xF00D)
    try world.ada.shared(
      .create(
        world.zone,
        ShareForm(
          publicPermission: .readWrite, link: LinkForm(digest: secret.bytes + secret.bytes))))
    for index in guests.indices {
      _ = try guests[index].share(.accept(secret)).answer.get()
      #expect(try guests[index].subscribe(subscription("new", world.zone)) == nil)
    }
    try world.ada.runErrands()
    for guest in guests {
      let page = try guest.store.directory(of: guest.identity)
      #expect(page.subscriptions.map(\.id.text) == ["new"])
      #expect(try guest.entry(world.zone)?.isDeleted == false)
    }
  }

  @Test(arguments: StoreKind.allCases)
  func `hundreds of shared zones are renamed in one request, and all are told in the end`(
    kind: StoreKind
  ) throws {
    var world = try SharedWorld(kind)
    try world.accept()
    let zones = (0..<300).map {
      ZoneID(owner: world.ada.identity.account, name: ZoneName(UInt128(1000 + $0)))
    }
    func save(_ title: String) throws -> CommitEffects {
      let groups = zones.map {
        OperationGroup(zone: $0, operations: [.saveZone(title: title)])
      }
      let result = world.ada.committer.perform([world.ada.nextRequest(groups)], at: time(6))[0]
      return try StoreClient.outcome(result).1
    }
    _ = try save("early")
    for (index, zone) in zones.enumerated() {
      let secret = ShareSecret(UInt128(5000 + index))
      try world.ada.shared(
        .create(
          zone,
          ShareForm(
            publicPermission: .readOnly, link: LinkForm(digest: secret.bytes + secret.bytes))))
      _ = try world.bob.share(.accept(secret)).answer.get()
    }
    let effects = try save("late")
    #expect(effects.leavesErrands)
    #expect(effects.directories.count <= BrokerLimits.errandsPerTransaction)
    let steps = try world.ada.runErrands()
    #expect(steps.allSatisfy { $0.directories.count <= BrokerLimits.errandsPerStep })
    let told = (effects.directories + steps.flatMap(\.directories)).filter {
      $0.account == world.bob.identity.accountKey
    }
    #expect(Set(told.flatMap { $0.page.entries.map(\.zone) }) == Set(zones))
    #expect(told.flatMap(\.page.entries).allSatisfy { $0.title == "late" })
    // A name goes the same way.
    let (_, named) = try world.bob.store.transact { [bob = world.bob] in
      try $0.perform(.setDisplayName("Bob B."), of: bob.identity)
    }
    #expect(named.leavesErrands)
    try world.ada.runErrands()
    let entries = try world.ada.store.directory(of: world.ada.identity).entries
    #expect(
      entries.filter { zones.contains($0.zone) }.allSatisfy {
        $0.members.map(\.displayName) == ["Bob B."]
      })
  }

  @Test func `a database from before tells at its start who is in the groups`() throws {
    let path = try StoreKind.newPath()
    var revision = Revision.zero
    var zone: ZoneID?
    do {
      var client = try StoreClient(SQLiteRecordStore(path: path))
      var guest = try StoreClient(client.store, account: "bob", key: [2])
      let shared = ZoneID(owner: client.identity.account, name: ZoneName(7))
      _ = try client.modify([.saveZone(title: "Family")], in: shared)
      try client.shared(
        .create(shared, ShareForm(publicPermission: .readOnly, link: SharedWorld.link)))
      _ = try guest.share(.accept(SharedWorld.secret)).answer.get()
      revision = try client.store.directory(of: client.identity).to
      zone = shared
    }
    let queue = try DatabaseQueue(path: path)
    try queue.write { db in
      try db.execute(
        sql: """
          DROP TABLE errand;
          DROP TABLE public_count;
          DELETE FROM grdb_migrations WHERE identifier LIKE '9 %';
          """)
    }
    try queue.close()
    let store = try SQLiteRecordStore(path: path)
    var committer = Committer(store: store, generator: SystemRandomNumberGenerator())
    guard case .ranErrands(let effects?) = committer.perform([.runErrands], at: time(9))[0] else {
      Issue.record("Nothing was done.")
      return
    }
    let told = effects.directories.filter { $0.page.entries.map(\.zone) == [zone] }
    #expect(told.count == 2 && told.allSatisfy { $0.page.to > .zero })
    #expect(told.map(\.page.to).contains(revision.next))
    #expect(
      told.flatMap(\.page.entries).allSatisfy { $0.members.map(\.name) == ["bob"] })
  }
}
