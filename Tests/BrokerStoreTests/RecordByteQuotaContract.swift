// Every store: the quota of bytes of an account's records and their earlier versions. The counted bytes equal
// the stored ones after any sequence of insertions and deletions.

import BrokerCore
import BrokerStore
import GRDB
import Records
import Testing

@Suite("I11, I18 quota of record bytes contract")
struct RecordByteQuotaContract {
  private static let text = String(repeating: "x", count: 10_000)

  private static func committer(
    _ store: any RecordStore, bytes: Int,
    participantsPercent: Int = QuotaPolicy.participantsPercent
  ) -> Committer<SystemRandomNumberGenerator> {
    Committer(
      store: store, generator: SystemRandomNumberGenerator(),
      quotas: QuotaPolicy(accountRecordBytes: bytes, participantsPercent: participantsPercent))
  }

  private func reason(_ result: OperationResult) -> String {
    guard case .failed(let error, _) = result else { return "" }
    return error.code == .quotaExceeded ? error.reason ?? "?" : "\(error.code)"
  }

  private func large(_ name: String, _ number: Int64) -> Operation {
    .save(
      Operation.Save(
        name: RecordName(stored: name), type: RecordType(stored: "Contact"), policy: .allKeys,
        tag: nil, fields: EncodedRecord(["n": .int64(number), "text": .string(Self.text)])))
  }

  @Test(arguments: StoreKind.allCases)
  func `an account at its byte limit can delete, and save after emptying its trash`(
    kind: StoreKind
  ) throws {
    var client = try StoreClient(try kind.make())
    client.committer = Self.committer(client.store, bytes: 100_000)
    for number in 0..<9 {
      #expect(reason(try client.modify([large("a", Int64(number))]).0.groups[0][0]) == "")
    }
    #expect(reason(try client.modify([large("a", 10)]).0.groups[0][0]) == "recordBytes")
    #expect(reason(try client.modify([large("b", 1)]).0.groups[0][0]) == "recordBytes")
    #expect(reason(try client.modify([delete("a", tag: 9)]).0.groups[0][0]) == "")
    #expect(reason(try client.modify([large("b", 1)]).0.groups[0][0]) == "recordBytes")
    _ = try client.modify([.emptyTrash(through: Revision(100))])
    while try client.store.transact({
      try $0.expireHistory(AgeCutoff(before: time(0)), rowsMaximum: 100)
    }
    ) {}
    #expect(reason(try client.modify([large("b", 2)]).0.groups[0][0]) == "")
  }

  @Test(arguments: StoreKind.allCases)
  func `tombstones count, so repeated creation and deletion reaches the quota`(
    kind: StoreKind
  ) throws {
    var client = try StoreClient(try kind.make())
    client.committer = Self.committer(client.store, bytes: 100_000)
    var count = 0
    while count < 1000 {
      let results = try client.modify([save("\(count)")]).0.groups[0]
      guard case .saved(let tag) = results[0] else { break }
      _ = try client.modify([delete("\(count)", tag: tag.value)])
      count += 1
    }
    #expect((100..<200).contains(count), "each is two states and at least 512 bytes")
  }

  @Test(arguments: StoreKind.allCases)
  func `a member's records count against the owner's quota of bytes`(kind: StoreKind) throws {
    var world = try SharedWorld(kind)
    try world.accept()
    world.bob.committer = Self.committer(world.bob.store, bytes: 50_000)
    world.ada.committer = Self.committer(world.ada.store, bytes: 50_000)
    let zone = world.zone
    func save(_ client: inout StoreClient, _ name: String) throws -> [String] {
      var reasons: [String] = []
      for number in 0..<6 {
        reasons.append(reason(try client.modify([large(name, Int64(number))], in: zone).0[0]))
      }
      return reasons
    }
    #expect(try save(&world.bob, "c").last == "participantsQuota")
    // The owner has the other half, also after the member wrote as much as it could.
    let own = try save(&world.ada, "d")
    #expect(own.count { $0 == "" } >= 2 && own.last == "recordBytes")
    world.bob.committer = Self.committer(world.bob.store, bytes: 50_000, participantsPercent: 100)
    #expect(try save(&world.bob, "c").last == "ownersQuota")
    #expect(reason(try world.bob.modify([large("mine", 1)]).0.groups[0][0]) == "")
  }

  @Test func `the counted bytes equal the stored bytes`() throws {
    let path = try StoreKind.newPath()
    let store = try SQLiteRecordStore(path: path, publicRights: PublicRights())
    var client = try StoreClient(store)
    for number in 0..<70 { _ = try client.modify([large("ring", Int64(number))]) }
    for number in 0..<20 { _ = try client.modify([large("r\(number)", 1)]) }
    for number in 0..<10 {
      _ = try client.modify([
        .delete(Operation.Delete(name: RecordName(stored: "r\(number)"), tag: nil, isForced: true))
      ])
    }
    for number in 0..<60 {
      let operation = publicSave(
        "p", "Post", tag: number == 0 ? nil : Int64(number), ["n": .int64(Int64(number))])
      #expect(try client.change(operation) == nil)
    }
    let zone = ZoneID(owner: client.identity.account, name: ZoneName(7))
    _ = try client.modify([.saveZone(title: "x"), large("z", 1), large("z", 2)], in: zone)
    #expect(try differences(path) == [])
    _ = try client.modify([.emptyTrash(through: Revision(1000))])
    while try store.transact({ try $0.expireHistory(AgeCutoff(before: time(0)), rowsMaximum: 7) }) {
    }
    #expect(try differences(path) == [])
    _ = try client.modify([.deleteZone()], in: zone)
    while try store.transact({ try $0.expireTombstones(AgeCutoff(before: time(9)), rowsMaximum: 3) }
    )
      > 0
    {}
    while try store.transact({ try $0.expireHistory(AgeCutoff(before: time(9)), rowsMaximum: 7) }) {
    }
    #expect(try differences(path) == [])
  }

  @Test func `what members saved is counted as it is stored`() throws {
    let path = try StoreKind.newPath()
    var world = try SharedWorld(SQLiteRecordStore(path: path))
    try world.accept()
    for number in 0..<70 {
      _ = try world.bob.modify([large("ring", Int64(number))], in: world.zone)
    }
    for number in 0..<5 { _ = try world.ada.modify([large("ring", Int64(number))], in: world.zone) }
    _ = try world.bob.modify([large("mine", 1), large("gone", 1)], in: world.zone)
    _ = try world.ada.modify([forcedDelete("gone")], in: world.zone)
    #expect(try differences(path) == [])
    // Records that were deleted, and that the other account saves again and deletes.
    _ = try world.ada.modify([large("gone", 2), forcedDelete("a")], in: world.zone)
    _ = try world.bob.modify([large("a", 2)], in: world.zone)
    #expect(try differences(path) == [])
    _ = try world.ada.modify([forcedDelete("gone"), forcedDelete("a")], in: world.zone)
    #expect(try differences(path) == [])
    _ = try world.ada.modify([.emptyTrash(through: Revision(1000))], in: world.zone)
    while try world.ada.store.transact({
      try $0.expireHistory(AgeCutoff(before: time(9)), rowsMaximum: 7)
    }) {}
    #expect(try differences(path) == [])
    try world.ada.shared(world.removal)
    #expect(try differences(path) == [])
  }

  /// Returns the zones and accounts whose counted bytes differ from the stored ones.
  private func differences(_ path: String) throws -> [String] {
    let queue = try DatabaseQueue(path: path)
    defer { try? queue.close() }
    return try queue.read { db in
      let columns = ["key", "stored_bytes", "participants_bytes", "participants_records"]
        .joined(separator: " || ' ' || ")
      let counted = try String.fetchAll(
        db, sql: "SELECT \(columns) FROM zone ORDER BY key")
      let real = try String.fetchAll(
        db,
        sql: """
          WITH state AS (
            SELECT zone, modified_device, 256 + length(fields) AS bytes FROM record
            UNION ALL SELECT zone, modified_device, 256 + length(fields) FROM past
          ), other AS (
            SELECT state.zone, bytes FROM state JOIN zone ON zone.key = state.zone
              JOIN device ON device.key = modified_device
            WHERE account <> owner AND owner <> (SELECT key FROM account WHERE name = '')
          )
          SELECT key || ' ' ||
            coalesce((SELECT sum(bytes) FROM state WHERE state.zone = zone.key), 0) || ' ' ||
            coalesce((SELECT sum(bytes) FROM other WHERE other.zone = zone.key), 0) || ' ' ||
            (SELECT count(*) FROM record JOIN device ON device.key = created_device
              WHERE record.zone = zone.key AND kind = 0 AND account <> zone.owner
                AND zone.owner <> (SELECT key FROM account WHERE name = ''))
          FROM zone ORDER BY key
          """)
      let inPublic = try Int.fetchOne(db, sql: "SELECT sum(bytes) FROM public_bytes") ?? 0
      let realInPublic =
        try Int.fetchOne(
          db,
          sql: """
            SELECT stored_bytes FROM zone WHERE owner = (SELECT key FROM account
              WHERE id = X'00000000000000000000000000000001')
            """) ?? 0
      let isSame = inPublic == realInPublic
      return zip(counted, real).filter { $0 != $1 }.map { "\($0), not \($1)" }
        + (isSame ? [] : ["public \(inPublic), not \(realInPublic)"])
    }
  }
}
