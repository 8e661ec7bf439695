// Every store: assets of public records, and the public records of deleted accounts.

import BrokerCore
import BrokerStore
import Records
import Testing

@Suite("K5, T1, I19, I21 public files and accounts contract")
struct PublicAccountContract {
  private let photo = Asset(digest: Array(repeating: 1, count: 32), sizeBytes: 60)
  private let other = Asset(digest: Array(repeating: 2, count: 32), sizeBytes: 41)

  private func register(_ asset: Asset, by client: StoreClient, at now: Int64 = 1) throws {
    try client.store.transact {
      try $0.registerAsset(asset, UploadID(asset.id, of: client.identity), at: time(now))
    }
  }

  private func charged(_ client: StoreClient) throws -> Int {
    let unknown = Asset(digest: Array(repeating: 9, count: 32), sizeBytes: 1)
    let offer = try client.store.transact {
      try $0.offered(unknown, by: client.identity, at: time(1))
    }
    guard case .wanted(let bytes) = offer else { throw RecordsError(.internalError, "\(offer)") }
    return bytes
  }

  private func isReadable(_ asset: Asset, by client: StoreClient) throws -> Bool {
    try client.store.asset(asset.id, in: .public, for: client.identity) == asset
  }

  @Test(arguments: StoreKind.allCases)
  func `an asset is readable with a record that refers to it, and charged to its creator`(
    kind: StoreKind
  ) throws {
    var world = try PublicWorld(kind, "Diary: read creator")
    try register(photo, by: world.ada)
    try register(other, by: world.ada)
    #expect(try world.ada.change(publicSave("p", "Post", ["photo": .asset(photo)])) == nil)
    #expect(try world.ada.change(publicSave("d", "Diary", ["photo": .asset(other)])) == nil)
    #expect(try isReadable(photo, by: world.bob))
    #expect(try !isReadable(other, by: world.bob))
    #expect(try isReadable(other, by: world.ada))
    #expect(try charged(world.ada) == 101)
    #expect(try charged(world.bob) == 0)
    for asset in [photo, other] {
      let refused = try world.bob.change(publicSave("b", "Post", ["photo": .asset(asset)]))
      #expect(refused?.code == .assetNotAvailable, "each sends what it names")
    }
    try register(photo, by: world.bob)
    #expect(try world.bob.change(publicSave("b", "Post", ["photo": .asset(photo)])) == nil)
    #expect(try charged(world.bob) == 60)
    #expect(try world.ada.change(forcedDelete("p")) == nil)
    #expect(try isReadable(photo, by: world.ada), "bob's post names it")
  }

  @Test(arguments: StoreKind.allCases)
  func `an asset in a record is charged to the record's creator, whose quota limits it`(
    kind: StoreKind
  ) throws {
    var world = try PublicWorld(kind, "Wiki: write account")
    world.bob.committer = Committer(
      store: world.bob.store, generator: SystemRandomNumberGenerator(),
      quotas: QuotaPolicy(accountBytes: 100))
    try register(photo, by: world.bob)
    try register(other, by: world.bob)
    #expect(try world.ada.change(publicSave("w", "Wiki")) == nil)
    #expect(
      try world.bob.change(publicSave("w", "Wiki", tag: 1, ["photo": .asset(photo)])) == nil)
    #expect(try charged(world.ada) == 60)
    let refused = try world.bob.change(
      publicSave("w", "Wiki", tag: 2, ["photo": .asset(other)]))
    #expect(refused?.code == .quotaExceeded && refused?.reason == "ownersQuota")
    #expect(try world.bob.change(publicSave("own", "Wiki", ["photo": .asset(other)])) == nil)
  }

  @Test(arguments: StoreKind.allCases)
  func `the asset of a deleted public record is released a day later`(kind: StoreKind) throws {
    var world = try PublicWorld(kind)
    try register(photo, by: world.ada)
    #expect(try world.ada.change(publicSave("p", "Post", ["photo": .asset(photo)])) == nil)
    #expect(try world.ada.change(publicSave("p", "Post", tag: 1, ["x": .int64(1)])) == nil)
    #expect(try world.ada.change(forcedDelete("p")) == nil)
    var gone: [AssetDigest] = []
    for second in stride(from: Int64(600), through: 90_000, by: 600) {
      gone += try world.ada.store.transact {
        try $0.collectAssets(graceSeconds: 86_400, at: time(second), rowsMaximum: 10).digests
      }
    }
    #expect(gone == [photo.id])
    #expect(try charged(world.ada) == 0)
  }

  // MARK: Accounts

  /// Removes records until none are left. Returns the number of steps and their effects.
  private func deleteRecordsOfDeletedAccounts(_ client: inout StoreClient) throws -> (
    steps: Int, told: Int
  ) {
    var (steps, told) = (0, 0)
    while steps < 100 {
      let report = try client.committer.report(of: .deletedAccounts, at: time(60))
      guard report.continuation != .finished else { break }
      steps += 1
      told += report.effects.notified.count
    }
    return (steps, told)
  }

  @Test(arguments: StoreKind.allCases)
  func `the public records of a deleted account are deleted in steps`(kind: StoreKind) throws {
    var world = try PublicWorld(kind)
    var eve = try StoreClient(world.ada.store, account: "eve", key: [3])
    try register(photo, by: world.ada)
    _ = try eve.follow()
    let form = SubscriptionForm(
      id: SubscriptionID(stored: "s"), database: .public,
      kind: .query(
        type: RecordType(stored: "Post"), predicate: PredicateText("TRUEPREDICATE"), zone: nil),
      options: [.deletion])
    #expect(try eve.subscribe(form) == nil)
    _ = try world.ada.modify(
      (0..<250).map { publicSave("p\(1000 + $0)", "Post") }
        + [publicSave("z", "Post", ["photo": .asset(photo)])], in: .public)
    #expect(try world.bob.change(publicSave("p1010b", "Post")) == nil)
    #expect(try world.bob.change(publicSave("zz", "Comment")) == nil)
    #expect(try deleteRecordsOfDeletedAccounts(&eve).steps == 0)
    let order = StorageRequest.administer(.deleteAccount(name: "ada"), ConnectionID(9), replyTo: 1)
    guard case .administered(.success, _, _) = eve.committer.perform([order], at: time(50))[0]
    else {
      Issue.record("ada is there still")
      return
    }
    let (steps, told) = try deleteRecordsOfDeletedAccounts(&eve)
    #expect(steps == 3 && told == 251)
    #expect(try eve.publicNames("Post") == ["p1010b"])
    #expect(try eve.publicNames("Comment") == ["zz"])
    #expect(try !isReadable(photo, by: eve))
    #expect(try deleteRecordsOfDeletedAccounts(&eve).steps == 0)
    #expect(try world.bob.change(publicSave("after", "Post")) == nil)
  }

  @Test func `a broker that stops half way continues after a restart`() throws {
    let path = try StoreKind.newPath()
    do {
      var ada = try StoreClient(try SQLiteRecordStore(path: path), key: [1])
      _ = try ada.modify((0..<150).map { publicSave("p\(1000 + $0)", "Post") }, in: .public)
      _ = ada.committer.perform(
        [
          .administer(.deleteAccount(name: "ada"), ConnectionID(9), replyTo: 1),
          .maintain(.deletedAccounts),
        ],
        at: time(50))
    }
    var bob = try StoreClient(try SQLiteRecordStore(path: path), account: "bob", key: [2])
    #expect(try bob.publicNames("Post").count == 50)
    #expect(try deleteRecordsOfDeletedAccounts(&bob).steps == 1)
    #expect(try bob.publicNames("Post") == [])
    #expect(try BrokerArchive(path: path).findings() == [])
  }

  @Test func `an export contains public records, and the reserved account is not listed`() throws {
    let path = try StoreKind.newPath()
    let store = try SQLiteRecordStore(path: path)
    var ada = try StoreClient(store, key: [1])
    var bob = try StoreClient(store, account: "bob", key: [2])
    #expect(try ada.change(publicSave("p", "Post")) == nil)
    #expect(try bob.change(publicSave("theirs", "Post")) == nil)
    let archive = BrokerArchive(path: path)
    var items: [String] = []
    try archive.export(account: "ada") { item in
      switch item {
      case .account: items.append("account")
      case .zone(_, let zone, _): items.append(zone.isPublic ? "public" : "own")
      case .record(let record): items.append("\(record.zone.isPublic) \(record.change.name)")
      case .damaged(let state): items.append("damaged \(state.name)")
      }
    }
    #expect(items == ["account", "own", "public", "true p"])
    #expect(
      try archive.accounts(recordsMaximum: 1).rows.map { $0[0] } == [.text("ada"), .text("bob")])
    let census = try archive.census()
    #expect(census.rows[0].prefix(4) == [.number(2), .number(2), .number(2), .number(2)])
    #expect(try archive.containers().rows == [[.text("contacts"), .number(2), .number(2)]])
  }
}
