// Every store: the cost of shares, and what is retained about former participants.

import BrokerCore
import BrokerStore
import Records
import Testing

@Suite("Z3, Z4, I11, I18 bounds of a share")
struct ShareBoundsContract {
  private func count(_ world: inout SharedWorld) throws -> Int? {
    guard
      case .preview(let preview) = try world.bob.share(.preview(SharedWorld.secret)).answer.get()
    else { return nil }
    return preview.recordCount
  }

  @Test(arguments: StoreKind.allCases)
  func `a preview reports the number of records without reading them`(kind: StoreKind) throws {
    var world = try SharedWorld(kind)
    #expect(try count(&world) == 2)
    _ = try world.ada.modify([save("c"), delete("a", tag: 1)], in: world.zone)
    _ = try world.ada.modify([save("c", tag: 3, ["x": .int64(1)])], in: world.zone)
    #expect(try count(&world) == 2)
    _ = try world.ada.modify([save("a"), save("d")], in: world.zone)
    #expect(try count(&world) == 4)
    let request = world.ada.nextRequest([
      OperationGroup(zone: world.zone, operations: [save("e"), save("f")])
    ])
    let both = world.bob.committer.perform(
      [request, world.bob.shareRequest(.preview(SharedWorld.secret))], at: time(7))
    guard case .client(.shared(let outcome, _), _) = both[1],
      case .preview(let preview) = try outcome.answer.get()
    else {
      Issue.record("\(both)")
      return
    }
    #expect(preview.recordCount == 6, "of its own transaction too")
    let (order, ada) = (world.removal, world.ada.identity)
    #expect(throws: RecordsError.self) {
      try world.ada.store.transact { transaction in
        _ = try transaction.perform(order, linkDigest: nil, of: ada, at: time(8))
        throw RecordsError(.internalError, "Undone.")
      }
    }
    #expect(try count(&world) == 6)
  }

  @Test(arguments: StoreKind.allCases)
  func `a request with hundreds of zone changes updates each directory once`(kind: StoreKind) throws
  {
    var world = try SharedWorld(kind)
    try world.accept()
    let accounts = [world.ada.identity.accountKey, world.bob.identity.accountKey]
    let titles = (0..<400).map { Operation.saveZone(title: "title \($0 % 2)") }
    let (results, renamed) = try world.ada.modify(titles, in: world.zone)
    #expect(results.allSatisfy { $0 == .zoneSaved })
    #expect(renamed.directories.map(\.account) == accounts)
    #expect(try world.bob.entry(world.zone)?.title == "title 1")
    _ = try world.ada.modify((0..<300).map { save("r\($0)") }, in: world.zone)
    let emptyings = (1...300).map { Operation.emptyTrash(through: Revision(Int64($0))) }
    let (_, emptied) = try world.ada.modify(emptyings, in: world.zone)
    #expect(emptied.directories.map(\.account) == accounts)
    #expect(try world.bob.entry(world.zone)?.erasedThrough == Revision(300))
    let (_, deleted) = try world.ada.modify(
      [.saveZone(title: "last words"), .deleteZone()], in: world.zone)
    #expect(deleted.directories.map(\.account) == accounts)
  }

  @Test(arguments: StoreKind.allCases)
  func `a request with many rejections logs one line for each zone`(kind: StoreKind) throws {
    var world = try SharedWorld(kind)
    try world.accept()
    try world.ada.shared(world.removal)
    let groups = (0..<400).map {
      OperationGroup(zone: world.zone, operations: [save("r\($0)")])
    }
    let result = world.bob.committer.perform([world.bob.nextRequest(groups)], at: time(6))[0]
    let (outcome, effects) = try StoreClient.outcome(result)
    #expect(outcome.groups.count == 400)
    #expect(effects.refusals.map(\.zone) == [world.zone])
    #expect(effects.refusals.map(\.error.code) == [.zoneNotFound])
  }

  @Test(arguments: StoreKind.allCases)
  func `a repeated outcome omits records that the account may no longer read`(kind: StoreKind)
    throws
  {
    var world = try SharedWorld(kind)
    try world.accept()
    let own = ZoneID(owner: world.bob.identity.account, name: .standard)
    _ = try world.bob.modify([save("mine")], in: own)
    let request = world.bob.nextRequest([
      OperationGroup(zone: world.zone, operations: [save("a", tag: 77)]),
      OperationGroup(zone: own, operations: [save("mine", tag: 77)]),
    ])
    func records() throws -> [Change?] {
      let result = world.bob.committer.perform([request], at: time(6))[0]
      return try StoreClient.outcome(result).0.groups.map { results in
        guard case .failed(let error, let record) = results[0] else { return nil }
        #expect(error.code == .serverRecordChanged)
        #expect((error.reason == ModifyOutcome.omittedReason) == (record == nil))
        return record
      }
    }
    #expect(try records().map(\.?.name.text) == ["a", "mine"])
    #expect(try records().map(\.?.name.text) == ["a", "mine"], "as long as it may read")
    try world.ada.shared(world.removal)
    #expect(try records().map(\.?.name.text) == [nil, "mine"])
  }

  @Test(arguments: StoreKind.allCases)
  func `a repeated outcome omits cascaded names once the account lost the zone`(
    kind: StoreKind
  ) throws {
    var world = try SharedWorld(kind)
    try world.accept()
    _ = try world.ada.modify(
      (0..<3).map { attach("c\($0)", to: ["a"]) }, in: world.zone)
    let request = world.bob.nextRequest([
      OperationGroup(zone: world.zone, operations: [delete("a", tag: 1)])
    ])
    func names() throws -> [RecordName] {
      let result = world.bob.committer.perform([request], at: time(6))[0]
      let results = try StoreClient.outcome(result).0.groups[0]
      guard case .deleted(let tag?, let cascaded) = results[0] else {
        throw RecordsError(.internalError, "\(results)")
      }
      #expect(tag.value > 0)
      return cascaded.names
    }
    #expect(try names().count == 3)
    #expect(try names().count == 3, "as long as it may read")
    try world.ada.shared(world.removal)
    #expect(try names().isEmpty)
  }

  @Test func `many joining and leaving accounts do not let a removed one join again`() throws {
    var world = try SharedWorld(.sqliteInMemory)
    try world.accept()
    try world.ada.shared(world.removal, at: time(9))
    for index in 0...BrokerLimits.formerParticipantsPerZone {
      var guest = try StoreClient(
        world.ada.store, account: "guest \(index)", key: [7, UInt8(index & 255), UInt8(index >> 8)])
      _ = try guest.share(.accept(SharedWorld.secret)).answer.get()
      _ = try guest.share(.leave(world.zone), at: time(10)).answer.get()
    }
    let gone = try world.ada.shared(.fetch(world.zone)).participants
    #expect(gone.count { $0.status == .left } == BrokerLimits.formerParticipantsPerZone - 1)
    #expect(gone.count { $0.status == .removed } == 1)
    let refused = #expect(throws: RecordsError.self) { try world.accept() }
    #expect(refused?.reason == "removed")
  }

  @Test func `the participant removed last is retained longest, regardless of the clock`() throws {
    var world = try SharedWorld(.sqliteInMemory)
    var clients: [StoreClient] = []
    for index in 0...BrokerLimits.formerParticipantsPerZone {
      var guest = try StoreClient(
        world.ada.store, account: "guest \(index)", key: [7, UInt8(index & 255), UInt8(index >> 8)])
      _ = try guest.share(.accept(SharedWorld.secret)).answer.get()
      // The clock runs backwards.
      try world.ada.shared(
        .removeParticipant(world.zone, guest.identity.account), at: time(1000 - Int64(index)))
      clients.append(guest)
    }
    #expect(throws: Never.self) {
      _ = try clients[0].share(.accept(SharedWorld.secret)).answer.get()
    }
    let last = clients.count - 1
    #expect(throws: RecordsError.self) {
      _ = try clients[last].share(.accept(SharedWorld.secret)).answer.get()
    }
  }
}
