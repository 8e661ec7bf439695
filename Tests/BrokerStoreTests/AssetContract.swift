// Every store: assets.

import BrokerCore
import BrokerStore
import Records
import TestTiers
import Testing

@Suite("I19, I21 record store: assets")
struct AssetContract {
  let photo = Asset(digest: Array(repeating: 1, count: 32), sizeBytes: 1000)
  let other = Asset(digest: Array(repeating: 2, count: 32), sizeBytes: 50)
  static let grace: Int64 = 86_400

  func register(_ asset: Asset, by client: StoreClient, at now: Timestamp = time(1)) throws {
    try client.store.transact {
      try $0.registerAsset(asset, UploadID(asset.id, of: client.identity), at: now)
    }
  }

  func offer(_ asset: Asset, by client: StoreClient, at now: Timestamp = time(1)) throws -> String {
    let offer = try client.store.transact {
      try $0.offered(asset, by: client.identity, at: now)
    }
    switch offer {
    case .held: return "held"
    case .wanted(let charged): return "wanted, charged \(charged)"
    case .failed(let error): return error.code.rawValue
    }
  }

  /// Collects unused assets every ten minutes from `start` through `end`, both in seconds.
  func collect(_ store: any RecordStore, from start: Int64, to end: Int64) throws -> [AssetDigest] {
    try stride(from: start, through: end, by: 600).flatMap { second in
      try store.transact {
        try $0.collectAssets(graceSeconds: Self.grace, at: time(second), rowsMaximum: 10).digests
      }
    }
  }

  /// Expires all earlier versions.
  func forgetPast(_ store: any RecordStore) throws {
    _ = try store.transact {
      try $0.expireHistory(AgeCutoff(before: time(1000 * Self.grace)), rowsMaximum: 100)
    }
  }

  func codes(_ outcome: ModifyOutcome) -> [RecordsError.Code?] {
    outcome.groups.flatMap(\.self).map {
      guard case .failed(let error, _) = $0 else { return nil }
      return error.code
    }
  }

  @Test(arguments: StoreKind.allCases)
  func `a record may refer only to assets that the account has uploaded`(kind: StoreKind) throws {
    var client = try StoreClient(try kind.make())
    let early = try client.modify([save("a", ["photo": .asset(photo)])])
    #expect(codes(early.0) == [.assetNotAvailable])
    #expect(early.1.zones.isEmpty)
    try register(photo, by: client)
    #expect(codes(try client.modify([save("a", ["photo": .asset(photo)])]).0) == [nil])
    let lie = Asset(digest: photo.digest, sizeBytes: 999)
    #expect(
      codes(try client.modify([save("b", ["photo": .asset(lie)])]).0) == [.assetNotAvailable])
    let list: Fields = ["l": .list([.asset(photo), .asset(other)])]
    #expect(codes(try client.modify([save("c", list)]).0) == [.assetNotAvailable])
    #expect(try client.page().changes.map(\.name.text) == ["a"])
  }

  @Test(arguments: StoreKind.allCases)
  func `a digest reveals nothing to another account`(kind: StoreKind) throws {
    let store = try kind.make()
    var ada = try StoreClient(store)
    var bob = try StoreClient(store, account: "bob", key: [2])
    try register(photo, by: ada)
    _ = try ada.modify([save("a", ["photo": .asset(photo)])])
    #expect(try offer(photo, by: ada) == "held")
    #expect(try offer(photo, by: bob) == "wanted, charged 0")
    #expect(
      codes(try bob.modify([save("b", ["photo": .asset(photo)])]).0) == [.assetNotAvailable])
    let strangersZone = ZoneID(owner: ada.identity.account, name: .standard)
    #expect(try store.asset(photo.id, in: strangersZone, for: bob.identity) == nil)
    #expect(try store.asset(photo.id, in: .standard, for: bob.identity) == nil)
    #expect(try store.asset(photo.id, in: .standard, for: ada.identity) == photo)
    #expect(try store.registered([photo.id, other.id]) == [photo.id])
  }

  /// The check once parsed requests more strictly than the decoder. A field tag with a superfluous byte hid
  /// an asset reference from the check and gave access to another account's asset.
  @Test(arguments: StoreKind.allCases)
  func `an asset reference in an unusual encoding is checked too`(kind: StoreKind) throws {
    let store = try kind.make()
    let ada = try StoreClient(store)
    var bob = try StoreClient(store, account: "bob", key: [2])
    try register(photo, by: ada)
    let asset: [UInt8] = [0x0A, 32] + photo.digest + [0x10, 0xE8, 0x07]
    for tag: [UInt8] in [[0x4A], [0xCA, 0x00], [0xCA] + Array(repeating: 0x80, count: 8) + [0x00]] {
      let value = tag + [UInt8(asset.count)] + asset
      let field = [0x0A, 5] + Array("photo".utf8) + [0x12, UInt8(value.count)] + value
      let record = EncodedRecord(stored: [0x0A, UInt8(field.count)] + field)
      try #require(try record.fields() == ["photo": .asset(photo)])
      let request = Operation.Save(
        name: RecordName(stored: "b"), type: RecordType(stored: "Contact"), tag: nil,
        fields: record)
      #expect(codes(try bob.modify([.save(request)]).0) == [.assetNotAvailable])
      #expect(try store.asset(photo.id, in: .standard, for: bob.identity) == nil)
    }
  }

  @Test(arguments: StoreKind.allCases)
  func `a record keeps its asset while other fields change`(kind: StoreKind) throws {
    var client = try StoreClient(try kind.make())
    try register(photo, by: client)
    _ = try client.modify([save("a", ["photo": .asset(photo)])])
    #expect(codes(try client.modify([save("a", tag: 1, ["name": .string("x")])]).0) == [nil])
  }

  @Test(arguments: StoreKind.allCases)
  func `an account is charged once for each asset until the asset is deleted`(kind: StoreKind)
    throws
  {
    let client = try StoreClient(try kind.make())
    try register(photo, by: client)
    try register(photo, by: client)
    try register(other, by: client)
    let third = Asset(digest: Array(repeating: 3, count: 32), sizeBytes: 1)
    #expect(try offer(third, by: client) == "wanted, charged 1050")
    _ = try collect(client.store, from: 0, to: Self.grace + 1200)
    #expect(try offer(third, by: client) == "wanted, charged 0")
    #expect(try offer(Asset(digest: photo.digest, sizeBytes: 1), by: client) != "held")
  }

  @Test(.onlyInCheck, arguments: StoreKind.allCases)
  func `an asset in use is retained, an unused one is deleted after the grace period`(
    kind: StoreKind
  ) throws {
    var client = try StoreClient(try kind.make())
    let store = client.store
    try register(photo, by: client)
    try register(other, by: client)
    _ = try client.modify([save("a", ["photo": .asset(photo)])], at: time(5))
    #expect(try collect(store, from: 0, to: Self.grace).isEmpty)
    #expect(try collect(store, from: Self.grace + 600, to: 2 * Self.grace) == [other.id])
    _ = try client.modify(
      [save("a", tag: 1, ["photo": .string("none")])], at: time(2 * Self.grace))
    let end = 2 * Self.grace
    #expect(try store.asset(photo.id, in: .standard, for: client.identity) == photo, "its past")
    #expect(try collect(store, from: end + 600, to: 4 * Self.grace).isEmpty, "its past")
    try forgetPast(store)
    #expect(try collect(store, from: 4 * Self.grace + 600, to: 5 * Self.grace + 600).isEmpty)
    #expect(try store.asset(photo.id, in: .standard, for: client.identity) == nil)
    #expect(
      try collect(store, from: 5 * Self.grace + 1200, to: 5 * Self.grace + 1200) == [photo.id])
    #expect(try store.registered([photo.id, other.id]).isEmpty)
  }

  @Test(arguments: StoreKind.allCases)
  func `emptying the trash deletes its assets, but not those of other records`(kind: StoreKind)
    throws
  {
    var client = try StoreClient(try kind.make())
    try register(photo, by: client)
    try register(other, by: client)
    _ = try client.modify(
      [
        save("a", ["p": .asset(photo), "q": .asset(other)]), save("b", ["p": .asset(other)]),
      ], at: time(2))
    _ = try client.modify([delete("a", tag: 1)], at: time(3))
    _ = try client.modify([save("b", tag: 2, ["p": .string("none")])], at: time(4))
    #expect(try collect(client.store, from: 600, to: 1200).isEmpty)
    #expect(try client.store.asset(photo.id, in: .standard, for: client.identity) == photo)
    _ = try client.modify([.emptyTrash(through: Revision(99))], at: time(1300))
    let erased = try client.store.asset(photo.id, in: .standard, for: client.identity)
    #expect(erased == nil, "before its rows are gone")
    #expect(try client.store.asset(other.id, in: .standard, for: client.identity) == other)
    while try client.store.transact({
      try $0.expireHistory(AgeCutoff(before: time(0)), rowsMaximum: 10)
    }) {}
    #expect(try collect(client.store, from: 1800, to: 1800) == [photo.id])
    // An earlier version of the remaining record still refers to the other asset.
    #expect(try collect(client.store, from: 2400, to: 2 * Self.grace).isEmpty)
    #expect(try client.store.registered([photo.id, other.id]) == [other.id])
  }

  @Test(arguments: StoreKind.allCases)
  func `an asset of two records is deleted after both records are`(kind: StoreKind) throws {
    var client = try StoreClient(try kind.make())
    try register(photo, by: client)
    _ = try client.modify(
      [save("a", ["p": .asset(photo), "q": .asset(photo)]), save("b", ["p": .asset(photo)])],
      at: time(2))
    _ = try client.modify([delete("a", tag: 1)], at: time(3))
    #expect(try collect(client.store, from: 0, to: 2 * Self.grace).isEmpty)
    _ = try client.modify([delete("b", tag: 2)], at: time(2 * Self.grace))
    try forgetPast(client.store)
    let end = 3 * Self.grace + 1200
    #expect(try collect(client.store, from: 2 * Self.grace + 600, to: end) == [photo.id])
  }

  @Test(arguments: StoreKind.allCases)
  func `a record may refer to an asset of another record in the zone`(kind: StoreKind) throws {
    var client = try StoreClient(try kind.make())
    try register(photo, by: client)
    _ = try client.modify([save("a", ["p": .asset(photo)])])
    #expect(codes(try client.modify([save("b", ["p": .asset(photo)])]).0) == [nil])
  }

  @Test(arguments: StoreKind.allCases)
  func `deleting a zone releases its assets`(kind: StoreKind) throws {
    var client = try StoreClient(try kind.make())
    try register(photo, by: client)
    let family = ZoneID(name: ZoneName(0x77))
    let made = [
      OperationGroup(
        zone: family,
        operations: [.saveZone(title: "Family"), save("a", ["p": .asset(photo)])])
    ]
    let outcome = try StoreClient.outcome(
      client.committer.perform([client.nextRequest(made)], at: time(2))[0]
    ).0
    #expect(codes(outcome) == [nil, nil])
    let gone = [OperationGroup(zone: family, operations: [.deleteZone()])]
    _ = client.committer.perform([client.nextRequest(gone)], at: time(3))
    #expect(try client.store.asset(photo.id, in: family, for: client.identity) == nil)
    #expect(try collect(client.store, from: 0, to: Self.grace + 1200).isEmpty, "it is in the trash")
    let erased = [OperationGroup(zone: family, operations: [.emptyTrash(through: Revision(100))])]
    _ = client.committer.perform([client.nextRequest(erased)], at: time(Self.grace + 1200))
    let end = 2 * (Self.grace + 1200)
    #expect(try collect(client.store, from: Self.grace + 1200, to: end) == [photo.id])
  }

  @Test(arguments: StoreKind.allCases)
  func `a clock jump or a stopped broker does not age unused assets`(kind: StoreKind) throws {
    let client = try StoreClient(try kind.make())
    try register(photo, by: client, at: time(100))
    #expect(try collect(client.store, from: 600, to: 600).isEmpty)
    let year: Int64 = 365 * 86_400
    #expect(try collect(client.store, from: year, to: year + 3600).isEmpty)
    #expect(try collect(client.store, from: 1200, to: 1200).isEmpty, "back again")
    #expect(try collect(client.store, from: 1800, to: Self.grace).isEmpty)
    #expect(try collect(client.store, from: Self.grace + 600, to: Self.grace + 4800) == [photo.id])
  }

  @Test(arguments: StoreKind.allCases)
  func `an asset of two accounts remains on disk until neither has it`(kind: StoreKind) throws {
    let store = try kind.make()
    let ada = try StoreClient(store)
    var bob = try StoreClient(store, account: "bob", key: [2])
    try register(photo, by: ada)
    try register(photo, by: bob)
    _ = try bob.modify([save("b", ["p": .asset(photo)])], at: time(2))
    #expect(try collect(store, from: 0, to: 2 * Self.grace).isEmpty)
    #expect(try offer(photo, by: ada) == "wanted, charged 0")
    #expect(try offer(photo, by: bob) == "held")
  }

  @Test(arguments: StoreKind.allCases)
  func `offering an unused asset restarts its grace period`(kind: StoreKind) throws {
    let client = try StoreClient(try kind.make())
    try register(photo, by: client, at: time(1))
    _ = try collect(client.store, from: 0, to: Self.grace - 600)
    #expect(try offer(photo, by: client, at: time(Self.grace - 300)) == "held")
    #expect(try collect(client.store, from: Self.grace, to: 2 * Self.grace - 600).isEmpty)
    #expect(
      try collect(client.store, from: 2 * Self.grace, to: 2 * Self.grace + 600) == [photo.id])
  }
}
