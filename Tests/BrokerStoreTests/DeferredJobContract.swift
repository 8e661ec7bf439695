// Every store: deferred jobs. Directory updates and cleanup that exceed one transaction are done in steps.
// Permissions change at once.

import BrokerCore
import BrokerStore
import Records
import TestTiers
import Testing

extension StoreClient {
  /// Runs deferred jobs until none is pending. Returns the effects of each step.
  @discardableResult
  mutating func updateDirectories() throws -> [CommitEffects] {
    var steps: [CommitEffects] = []
    repeat {
      steps.append(try committer.report(of: .directoryUpdates, at: time(9)).effects)
    } while steps.last?.jobs.contains(.directoryUpdates) == true
    return steps
  }
}

@Suite("Z2, Z4, I10, I11 deferred job contract")
struct DeferredJobContract {
  /// Adds participants to ada's zone, each with a number of subscriptions to it.
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

  /// Returns the directory changes that a device of the account receives which knows `revision`.
  private func news(
    _ client: inout StoreClient, _ name: String, _ key: [UInt8], since revision: Revision
  ) throws -> DirectoryPage {
    try StoreClient.signIn(
      &client.committer, account: name, key: key, device: client.identity.device,
      directory: revision
    ).directory
  }

  @Test(.onlyInCheck, arguments: StoreKind.allCases, [false, true])
  func `a zone with many subscribers disappears at once and is cleaned up in steps`(
    kind: StoreKind, isStopped: Bool
  ) throws {
    var world = try SharedWorld(kind)
    let guests = try guests(8, subscriptions: 120, in: &world)
    let before = try guests.map { try $0.store.directory(of: $0.identity).to }
    let effects =
      isStopped
      ? try world.ada.share(.stop(world.zone)).effects
      : try world.ada.modify([.deleteZone()], in: world.zone).1
    #expect(effects.losses.map(\.account) == guests.map(\.identity.accountKey))
    #expect(effects.jobs.contains(.directoryUpdates))
    let deletions = effects.directories.flatMap(\.page.subscriptions)
    #expect(deletions.count <= BrokerLimits.deferredJobsPerTransaction && !deletions.isEmpty)
    for guest in guests {
      #expect(
        try guest.store.fetch(
          [RecordID(zone: world.zone, name: RecordName(stored: "a"))], of: guest.identity
        ).compactMap(\.self).isEmpty)
    }
    let steps = try world.ada.updateDirectories()
    #expect(steps.count > 1)
    for step in steps {
      let gone = step.directories.flatMap(\.page.subscriptions).count
      #expect(gone <= BrokerLimits.deferredJobsPerStep)
    }
    for index in guests.indices {
      let page = try guests[index].store.directory(of: guests[index].identity)
      #expect(page.to > before[index])
      #expect(page.entries.filter { $0.zone == world.zone }.map(\.isDeleted) == [true])
      #expect(page.subscriptions.isEmpty)
    }
    #expect(try world.ada.updateDirectories().count == 1, "nothing is left")
  }

  @Test(arguments: StoreKind.allCases)
  func `a participant that returns before the cleanup has no earlier subscriptions`(kind: StoreKind)
    throws
  {
    var world = try SharedWorld(kind)
    var guests = try guests(5, subscriptions: 120, in: &world)
    let effects = try world.ada.share(.stop(world.zone)).effects
    #expect(effects.jobs.contains(.directoryUpdates))
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
    try world.ada.updateDirectories()
    for guest in guests {
      let page = try guest.store.directory(of: guest.identity)
      #expect(page.subscriptions.map(\.id.text) == ["new"])
      #expect(try guest.entry(world.zone)?.isDeleted == false)
    }
  }

  @Test(.onlyInCheck, arguments: StoreKind.allCases)
  func `renaming hundreds of shared zones in one request updates all directories in steps`(
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
    #expect(effects.jobs.contains(.directoryUpdates))
    #expect(effects.directories.count <= BrokerLimits.deferredJobsPerTransaction)
    let steps = try world.ada.updateDirectories()
    #expect(steps.allSatisfy { $0.directories.count <= BrokerLimits.deferredJobsPerStep })
    let told = (effects.directories + steps.flatMap(\.directories)).filter {
      $0.account == world.bob.identity.accountKey
    }
    #expect(Set(told.flatMap { $0.page.entries.map(\.zone) }) == Set(zones))
    #expect(told.flatMap(\.page.entries).allSatisfy { $0.title == "late" })
    // A changed name is distributed in the same way.
    let (_, named) = try world.bob.store.transact { [bob = world.bob] in
      try $0.perform(.setDisplayName("Bob B."), of: bob.identity)
    }
    #expect(named.jobs.contains(.directoryUpdates))
    try world.ada.updateDirectories()
    let entries = try world.ada.store.directory(of: world.ada.identity).entries
    #expect(
      entries.filter { zones.contains($0.zone) }.allSatisfy {
        $0.members.map(\.displayName) == ["Bob B."]
      })
  }
}
