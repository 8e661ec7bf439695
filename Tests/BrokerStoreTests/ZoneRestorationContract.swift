// Every store: deleted zones that their owner can restore.

import BrokerCore
import BrokerStore
import Records
import Testing

@Suite("N1 restoration of a deleted zone contract")
struct ZoneRestorationContract {
  private func error(_ result: OperationResult?) -> RecordsError? {
    guard case .failed(let error, _) = result else { return nil }
    return error
  }

  private func expire(_ store: any RecordStore, before seconds: Int64) throws {
    while try store.transact({
      try $0.expireHistory(AgeCutoff(before: time(seconds)), rowsMaximum: 10)
    }) {}
    while try store.transact({
      try $0.expireTombstones(AgeCutoff(before: time(seconds)), rowsMaximum: 10)
    }) > 0 {}
  }

  @Test(arguments: StoreKind.allCases)
  func `a deleted zone comes back with its records, their history and its trash`(
    kind: StoreKind
  ) throws {
    var client = try StoreClient(try kind.make())
    let zone = ZoneID(owner: client.identity.account, name: ZoneName(7))
    _ = try client.modify([.saveZone(title: "Family"), save("a"), save("gone")], in: zone)
    _ = try client.modify(
      [save("a", tag: 1, ["age": .int64(2)]), delete("gone", tag: 2)], in: zone)
    let before = try #require(try client.entry(zone))
    _ = try client.modify([.deleteZone()], in: zone)
    let deleted = try #require(try client.entry(zone))
    #expect(deleted.isDeleted && deleted.title == "Family")
    #expect(
      deleted.deletion
        == ZoneDeletion(
          time: time(6), recordCount: 1, head: Revision(4), hasDeletedRecords: true))
    try expire(client.store, before: 6)
    #expect(try client.modify([.restoreZone], in: zone).0 == [.zoneSaved])
    let restored = try #require(try client.entry(zone))
    #expect(!restored.isDeleted && restored.deletion == nil && restored.title == "Family")
    #expect(restored.incarnation != before.incarnation)
    _ = try client.modify([save("later")], in: zone)
    let found = try client.store.fetch(
      ["a", "gone", "later"].map { RecordID(zone: zone, name: RecordName(stored: $0)) },
      of: client.identity)
    #expect(found.map { $0?.kind } == [.saved, .deleted, .saved])
    let history = try client.store.history(
      RecordID(zone: zone, name: RecordName(stored: "a")), below: nil, of: client.identity)
    #expect(history.states.count == 1)
    #expect(try client.store.trash(zone, below: nil, of: client.identity).items.count == 1)
    #expect(try client.modify([.restoreZone], in: zone).0 == [.zoneSaved], "it is there already")
  }

  @Test(arguments: StoreKind.allCases)
  func `it is restored without its share, and only by its owner`(kind: StoreKind) throws {
    var world = try SharedWorld(kind)
    try world.accept()
    _ = try world.ada.modify([.deleteZone()], in: world.zone)
    #expect(try world.bob.entry(world.zone)?.deletion == nil)
    let refused = error(try world.bob.modify([.restoreZone], in: world.zone).0.first)
    #expect(refused?.code == .zoneNotFound && refused?.reason == "noSuchZone")
    #expect(try world.ada.modify([.restoreZone], in: world.zone).0 == [.zoneSaved])
    #expect(try world.ada.entry(world.zone)?.isShared == false)
    #expect(try world.bob.entry(world.zone)?.isDeleted == true)
    #expect(throws: RecordsError.self) {
      _ = try world.bob.share(.accept(SharedWorld.secret)).answer.get()
    }
  }

  @Test(arguments: StoreKind.allCases)
  func `after thirty days its records are erased and it cannot be restored`(
    kind: StoreKind
  ) throws {
    var client = try StoreClient(try kind.make())
    let zone = ZoneID(owner: client.identity.account, name: ZoneName(7))
    _ = try client.modify([.saveZone(title: "Family"), save("a")], in: zone)
    _ = try client.modify([.deleteZone()], in: zone)
    try expire(client.store, before: 7)
    #expect(try client.entry(zone)?.deletion == nil)
    let refused = error(try client.modify([.restoreZone], in: zone).0.first)
    #expect(refused?.reason == RecordsError.zoneErasedReason)
    #expect(try client.entry(zone)?.isDeleted == true)
  }

  @Test(arguments: StoreKind.allCases)
  func `emptying its trash erases a deleted zone`(kind: StoreKind) throws {
    var world = try SharedWorld(kind)
    try world.accept()
    _ = try world.ada.modify([.deleteZone()], in: world.zone)
    let emptying = Operation.emptyTrash(through: Revision(9))
    #expect(error(try world.bob.modify([emptying], in: world.zone).0.first)?.code == .zoneNotFound)
    #expect(try world.ada.entry(world.zone)?.deletion != nil)
    #expect(try world.ada.modify([emptying], in: world.zone).0 == [.trashEmptied])
    #expect(try world.ada.entry(world.zone)?.deletion == nil)
    let refused = error(try world.ada.modify([.restoreZone], in: world.zone).0.first)
    #expect(refused?.reason == RecordsError.zoneErasedReason)
  }

  @Test(arguments: StoreKind.allCases)
  func `what was saved after it was restored is not erased by who saw it in the trash before`(
    kind: StoreKind
  ) throws {
    var client = try StoreClient(try kind.make())
    let zone = ZoneID(owner: client.identity.account, name: ZoneName(7))
    _ = try client.modify([.saveZone(title: "Family"), save("a"), .deleteZone()], in: zone)
    let seen = try #require(try client.entry(zone)?.deletion)
    _ = try client.modify([.restoreZone, save("unseen"), .deleteZone()], in: zone)
    #expect(try client.modify([.emptyTrash(through: seen.head)], in: zone).0 == [.trashEmptied])
    #expect(try client.entry(zone)?.deletion?.recordCount == 2)
    #expect(try client.modify([.restoreZone], in: zone).0 == [.zoneSaved])
  }

  @Test(arguments: StoreKind.allCases)
  func `its bytes count until it is erased, its records only while it is there`(
    kind: StoreKind
  ) throws {
    var client = try StoreClient(try kind.make())
    client.committer = Committer(
      store: client.store, generator: SystemRandomNumberGenerator(),
      quotas: QuotaPolicy(accountRecords: 2, accountRecordBytes: 3_000))
    let zone = ZoneID(owner: client.identity.account, name: ZoneName(7))
    let large: Fields = ["text": .string(String(repeating: "x", count: 1_500))]
    _ = try client.modify([.saveZone(title: "Family"), save("a", large)], in: zone)
    _ = try client.modify([.deleteZone()], in: zone)
    #expect(error(try client.modify([save("b", large)]).0.groups[0].first)?.code == .quotaExceeded)
    _ = try client.modify([save("b"), save("c")])
    let tooMany = error(try client.modify([.restoreZone], in: zone).0.first)
    #expect(tooMany?.code == .quotaExceeded && tooMany?.reason == "records")
    _ = try client.modify([delete("c", tag: 2)])
    #expect(try client.modify([.restoreZone], in: zone).0 == [.zoneSaved])
    _ = try client.modify([.deleteZone(), .emptyTrash(through: Revision(100))], in: zone)
    try expire(client.store, before: 0)
    let room = error(try client.modify([save("d", large)]).0.groups[0].first)
    #expect(room == nil, "the erased bytes are free")
  }
}
