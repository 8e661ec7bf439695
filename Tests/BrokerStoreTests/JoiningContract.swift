// Every store: what an account that joins a zone sees of the time before.

import BrokerCore
import BrokerStore
import Records
import Testing

@Suite("H3 what joiners see contract")
struct JoiningContract {
  private let old = Asset(digest: Array(repeating: 1, count: 32), sizeBytes: 10)
  private let present = Asset(digest: Array(repeating: 2, count: 32), sizeBytes: 10)

  /// A zone whose record “a” has had three ages and two photos, the last of each before bob joins. “b” and “c”
  /// were deleted.
  private func world(_ kind: StoreKind) throws -> SharedWorld {
    var world = try SharedWorld(kind)
    for photo in [old, present] {
      try world.ada.store.transact {
        try $0.registerAsset(photo, UploadID(photo.id, of: world.ada.identity), at: time(1))
      }
    }
    let zone = world.zone
    _ = try world.ada.modify(
      [save("a", tag: 1, ["age": .int64(2), "photo": .asset(old)]), delete("b", tag: 2)], in: zone)
    _ = try world.ada.modify([save("c", ["age": .int64(7)])], in: zone)
    _ = try world.ada.modify([delete("c", tag: 5)], in: zone)
    _ = try world.ada.modify(
      [save("a", tag: 3, ["age": .int64(3), "photo": .asset(present)])], in: zone)
    try world.accept()
    return world
  }

  private func ages(
    of name: String, seenBy client: StoreClient, in zone: ZoneID
  ) throws -> [Int64] {
    let id = RecordID(zone: zone, name: RecordName(stored: name))
    let history = try client.store.history(id, below: nil, of: client.identity)
    return try history.states.compactMap { state in
      guard case .int64(let age)? = try state.change.record.fields()["age"] else { return nil }
      return age
    }
  }

  private func trash(of zone: ZoneID, seenBy client: StoreClient) throws -> [String] {
    try client.store.trash(zone, below: nil, of: client.identity).items.map(\.last.name.text)
  }

  private func sees(_ asset: Asset, _ client: StoreClient, in zone: ZoneID) throws -> Bool {
    try client.store.asset(asset.id, in: zone, for: client.identity) != nil
  }

  @Test(arguments: StoreKind.allCases, [false, true])
  func `a joiner sees the present version of a record and all later ones, not the earlier ones`(
    kind: StoreKind, isAdministrator: Bool
  ) throws {
    var world = try world(kind)
    let zone = world.zone
    if isAdministrator {
      try world.ada.shared(
        .setParticipant(zone, world.bob.identity.account, .readWrite, isAdministrator: true))
    }
    #expect(try ages(of: "a", seenBy: world.bob, in: zone) == [])
    #expect(try trash(of: zone, seenBy: world.bob) == [])
    #expect(try !sees(old, world.bob, in: zone) && sees(present, world.bob, in: zone))
    _ = try world.ada.modify([save("a", tag: 7, ["age": .int64(4)])], in: zone)
    _ = try world.ada.modify([save("a", tag: 8, ["age": .int64(5)])], in: zone)
    _ = try world.ada.modify([save("c", ["age": .int64(8)])], in: zone)
    _ = try world.ada.modify([delete("a", tag: 9), delete("c", tag: 10)], in: zone)
    #expect(try ages(of: "a", seenBy: world.bob, in: zone) == [5, 4, 3])
    #expect(try ages(of: "c", seenBy: world.bob, in: zone) == [8])
    #expect(try trash(of: zone, seenBy: world.bob) == ["c", "a"])
    #expect(try !sees(old, world.bob, in: zone) && sees(present, world.bob, in: zone))
    #expect(try ages(of: "a", seenBy: world.ada, in: zone) == [5, 4, 3, 2, 1])
    #expect(try ages(of: "c", seenBy: world.ada, in: zone) == [8, 7])
    #expect(try trash(of: zone, seenBy: world.ada) == ["c", "a", "b"])
    #expect(try sees(old, world.ada, in: zone))
  }

  @Test(arguments: StoreKind.allCases)
  func `who leaves and joins again sees nothing of the time before`(kind: StoreKind) throws {
    var world = try world(kind)
    let zone = world.zone
    let withoutPhoto = Operation.Save(
      name: RecordName(stored: "a"), type: RecordType(stored: "Contact"), tag: Revision(7),
      fields: EncodedRecord(["age": .int64(4)]), removed: ["photo"])
    _ = try world.ada.modify([.save(withoutPhoto)], in: zone)
    #expect(try ages(of: "a", seenBy: world.bob, in: zone) == [3])
    #expect(try sees(present, world.bob, in: zone))
    _ = try world.bob.share(.leave(zone)).answer.get()
    try world.accept()
    #expect(try ages(of: "a", seenBy: world.bob, in: zone) == [])
    #expect(try !sees(present, world.bob, in: zone))
  }

  @Test(arguments: StoreKind.allCases)
  func `a changed permission hides nothing that was seen`(kind: StoreKind) throws {
    var world = try world(kind)
    let zone = world.zone
    _ = try world.ada.modify([save("a", tag: 7, ["age": .int64(4)])], in: zone)
    try world.ada.shared(
      .setParticipant(zone, world.bob.identity.account, .readOnly, isAdministrator: false))
    #expect(try ages(of: "a", seenBy: world.bob, in: zone) == [3])
  }

  @Test(arguments: StoreKind.allCases)
  func `the broker knows the revision at which an account joined, and none of the owner`(
    kind: StoreKind
  ) throws {
    let world = try world(kind)
    let joined = try world.bob.store.transact {
      try $0.zones(at: [ZonePosition(zone: world.zone, token: nil)], of: world.bob.identity)
    }.first?.joined
    #expect(joined == Revision(7))
    let own = try world.ada.store.transact {
      try $0.zones(at: [ZonePosition(zone: world.zone, token: nil)], of: world.ada.identity)
    }.first?.joined
    #expect(own == .zero)
  }
}
