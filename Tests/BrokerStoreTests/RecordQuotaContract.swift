// Every store: the quota of records, and the account that each record counts against.

import BrokerCore
import BrokerStore
import Records
import SQLiteFile
import Testing

@Suite("Z3, T1, I18 quota of records contract")
struct RecordQuotaContract {
  private static func committer(
    _ store: any RecordStore, _ count: Int,
    participantsPercent: Int = QuotaPolicy.participantsPercent
  ) -> Committer<SystemRandomNumberGenerator> {
    Committer(
      store: store, generator: SystemRandomNumberGenerator(),
      quotas: QuotaPolicy(accountRecords: count, participantsPercent: participantsPercent))
  }

  /// Returns the reasons for which operations are rejected; empty for those that succeed.
  private func reasons(_ results: [OperationResult]) -> [String] {
    results.map { result in
      guard case .failed(let error, _) = result else { return "" }
      return error.code == .quotaExceeded ? error.reason ?? "?" : "\(error.code)"
    }
  }

  @Test(arguments: StoreKind.allCases)
  func `an account at its limit can change and delete records but not create any`(kind: StoreKind)
    throws
  {
    var client = try StoreClient(try kind.make())
    client.committer = Self.committer(client.store, 3)
    func done(_ operations: Operation...) throws -> [String] {
      try operations.flatMap { try reasons(client.modify([$0]).0.groups[0]) }
    }
    #expect(try done(save("a"), save("b"), save("c")) == ["", "", ""])
    #expect(try done(save("d")) == ["records"])
    #expect(try done(save("a", tag: 1, ["x": .int64(1)]), save("d")) == ["", "records"])
    #expect(try done(delete("b", tag: 2), save("d"), save("e")) == ["", "", "records"])
    // In one request a deletion frees quota for later operations, not for earlier ones.
    let groups = [save("f"), delete("c", tag: 3), save("f")].map {
      OperationGroup(zone: .standard, operations: [$0])
    }
    let request = client.nextRequest(groups)
    let outcome = try StoreClient.outcome(client.committer.perform([request], at: time(3))[0]).0
    #expect(reasons(outcome.groups.flatMap(\.self)) == ["records", "", ""])
    // A group that exceeds the quota has no effect and uses no quota.
    let action = try client.modify([delete("f", tag: 8), save("g"), save("h")]).0
    #expect(reasons(action.groups[0]).contains("records"))
    #expect(try done(delete("f", tag: 8), save("g")) == ["", ""])
    // Another account has a quota of its own.
    var other = try StoreClient(client.store, account: "bob", key: [2])
    other.committer = Self.committer(client.store, 3)
    #expect(try reasons(other.modify([save("a"), save("b")]).0.groups[0]) == ["", ""])
  }

  @Test(arguments: StoreKind.allCases)
  func `a member's records count against the owner's quota of records`(kind: StoreKind) throws {
    var world = try SharedWorld(kind)
    try world.accept()
    world.bob.committer = Self.committer(world.bob.store, 3)
    #expect(try reasons(world.bob.modify([save("c")], in: world.zone).0) == [""])
    let beyondHalf = try world.bob.modify([save("d")], in: world.zone).0
    #expect(reasons(beyondHalf) == ["participantsQuota"])
    world.bob.committer = Self.committer(world.bob.store, 3, participantsPercent: 100)
    let refused = try world.bob.modify([save("d")], in: world.zone).0
    #expect(reasons(refused) == ["ownersQuota"])
    #expect(try reasons(world.bob.modify([save("mine")]).0.groups[0]) == [""])
    _ = try world.ada.modify([.deleteZone()], in: world.zone)
    world.ada.committer = Self.committer(world.ada.store, 3)
    let own = try world.ada.modify([save("1"), save("2"), save("3")]).0.groups[0]
    #expect(reasons(own) == ["", "", ""], "a deleted zone's records count no more")
  }

  @Test(arguments: StoreKind.allCases)
  func `N1 members can use half of the owner's quota of records, and the owner the rest`(
    kind: StoreKind
  ) throws {
    var world = try SharedWorld(kind)
    try world.accept()
    world.bob.committer = Self.committer(world.bob.store, 8)
    world.ada.committer = Self.committer(world.ada.store, 8)
    let four = (1...4).map { save("b\($0)") }
    #expect(try reasons(world.bob.modify(four, in: world.zone).0) == ["", "", "", ""])
    #expect(
      try reasons(world.bob.modify([save("b5")], in: world.zone).0) == ["participantsQuota"])
    // The two of the world are the owner's.
    #expect(try reasons(world.ada.modify([save("a1"), save("a2")], in: world.zone).0) == ["", ""])
    #expect(try reasons(world.ada.modify([save("a3")], in: world.zone).0) == ["records"])
    // A record of a member that the owner deletes frees room for the member.
    let changed = try world.ada.modify([save("b1", tag: 3)], in: world.zone).0
    #expect(reasons(changed) == [""])
    #expect(try reasons(world.ada.modify([forcedDelete("b1")], in: world.zone).0) == [""])
    #expect(try reasons(world.bob.modify([save("b5")], in: world.zone).0) == [""])
  }

  @Test(arguments: StoreKind.allCases)
  func `a public record counts against its creator's quota until it is deleted`(kind: StoreKind)
    throws
  {
    var world = try PublicWorld(kind, "Wiki: write account")
    world.ada.committer = Self.committer(world.ada.store, 2)
    world.bob.committer = Self.committer(world.bob.store, 2)
    #expect(try world.ada.change(publicSave("a", "Wiki")) == nil)
    #expect(try world.ada.change(publicSave("b", "Wiki")) == nil)
    #expect(try world.ada.change(publicSave("c", "Wiki"))?.reason == "records")
    #expect(try world.ada.modify([save("own")]).0.groups[0].count { $0.isRefused } == 1)
    #expect(try world.bob.change(publicSave("a", "Wiki", tag: 1, ["x": .int64(1)])) == nil)
    #expect(try world.bob.change(publicSave("c", "Wiki")) == nil)
    #expect(try world.bob.change(forcedDelete("b")) == nil, "by whomever it is deleted")
    #expect(try world.ada.change(publicSave("d", "Wiki")) == nil)
    #expect(try world.ada.change(publicSave("e", "Wiki"))?.reason == "records")
  }

  @Test func `the counted records equal the stored ones, also after a restart`() throws {
    let path = try StoreKind.newPath()
    do {
      var client = try StoreClient(SQLiteRecordStore(path: path))
      _ = try client.modify([save("a"), save("b"), save("c")])
      _ = try client.modify([delete("b", tag: 2)])
      for name in ["p", "q"] { #expect(try client.change(publicSave(name, "Post")) == nil) }
      #expect(try client.change(forcedDelete("q")) == nil)
    }
    func counted() throws -> [ArchiveTable.Cell] {
      let listing = try BrokerArchive(path: path).accounts(recordsMaximum: 3)
      #expect(listing.columns.suffix(2) == ["records", "recordsMaximum"])
      return Array(listing.rows[0].suffix(2))
    }
    #expect(try counted() == [.number(3), .number(3)])
    var client = try StoreClient(SQLiteRecordStore(path: path), key: [3])
    #expect(try counted() == [.number(3), .number(3)])
    client.committer = Self.committer(client.store, 4)
    let results = try client.modify([save("x")]).0.groups[0]
    #expect(reasons(results) == [""])
    #expect(try client.change(publicSave("z", "Post"))?.reason == "records")
  }

  @Test(arguments: StoreKind.allCases)
  func `a transaction that is rolled back counts nothing`(kind: StoreKind) throws {
    var client = try StoreClient(try kind.make())
    client.committer = Self.committer(client.store, 2)
    _ = try client.modify([save("a")])
    #expect(throws: RecordsError.self) {
      try client.store.transact { transaction in
        let modify = ModifyRequest(
          number: RequestNumber(2), acknowledged: .zero,
          groups: [OperationGroup(zone: .standard, operations: [save("b")])])
        var generator = SystemRandomNumberGenerator()
        let gathered = try transaction.gather(modify, of: client.identity)
        var planner = ModifyPlanner(modify, of: client.identity, at: time(3), gathered: gathered)
        guard case .perform(let writes) = planner.plan(using: &generator) else { return }
        _ = try transaction.apply(writes, of: client.identity)
        throw RecordsError(.internalError, "Undone.")
      }
    }
    #expect(try reasons(client.modify([save("c")]).0.groups[0]) == [""])
    #expect(try reasons(client.modify([save("d")]).0.groups[0]) == ["records"])
  }
}

extension OperationResult {
  fileprivate var isRefused: Bool {
    if case .failed = self { true } else { false }
  }
}
