// Every store: the limit of stored bytes that one request, transaction, cascade step or retention step reads
// and writes. It bounds the time for which other accounts wait.

import BrokerCore
import BrokerStore
import Records
import TestTiers
import Testing

@Suite("I11 store contract: stored bytes")
struct StoredBytesContract {
  private static let mebibyte = 1 << 20
  /// The fields of a record just below the size limit.
  private static let large: Fields = [
    "text": .string(String(repeating: "x", count: mebibyte - 4096))
  ]

  @Test(.onlyInCheck, arguments: StoreKind.allCases)
  func `a request that rewrites too many bytes is rejected and uses no number`(kind: StoreKind)
    throws
  {
    var client = try StoreClient(try kind.make())
    for number in 0..<9 { _ = try client.modify([save("r\(number)", Self.large)]) }
    let patches = (0..<9).map { patch("r\($0)", Int64($0)) }
    let request = client.nextRequest(patches.map { group($0) })
    let result = client.committer.perform([request], at: time(3))[0]
    guard case .client(.answered(.error(let error), _), _) = result else {
      Issue.record("\(result)")
      return
    }
    #expect(error.code == .limitExceeded && error.reason == "storedBytes")
    let half = client.request(number: RequestNumber(10), patches.prefix(8).map { group($0) })
    let (outcome, _) = try StoreClient.outcome(client.committer.perform([half], at: time(3))[0])
    #expect(outcome.groups.allSatisfy { if case .saved = $0[0] { true } else { false } })
  }

  @Test(arguments: StoreKind.allCases)
  func `a record that is rewritten repeatedly counts each time`(kind: StoreKind) throws {
    var client = try StoreClient(try kind.make())
    _ = try client.modify([save("r", Self.large)])
    let request = client.nextRequest((0..<17).map { group(patch("r", Int64($0))) })
    let result = client.committer.perform([request], at: time(3))[0]
    guard case .client(.answered(.error(let error), _), _) = result else {
      Issue.record("\(result)")
      return
    }
    #expect(error.reason == "storedBytes")
  }

  @Test(.onlyInCheck, arguments: StoreKind.allCases)
  func `a request that does not fit a transaction waits for the next one`(kind: StoreKind) throws {
    var client = try StoreClient(try kind.make())
    for number in 0..<18 { _ = try client.modify([save("r\(number)", Self.large)]) }
    let requests = (0..<3).map { turn in
      client.nextRequest((0..<6).map { group(patch("r\(turn * 6 + $0)", Int64($0))) })
    }
    let first = client.committer.performNext(at: time(3)) { requests }
    #expect(first.results.count == 1, "it needs twelve mebibytes, more than requests share")
    #expect(first.left.count == 2)
    let rest = client.committer.perform(Array(first.left), at: time(3))
    #expect(rest.count == 2)
    for result in first.results + rest { _ = try StoreClient.outcome(result) }
  }

  @Test(arguments: StoreKind.allCases)
  func `the request that used most of a transaction is reported, unless it is small`(
    kind: StoreKind
  ) throws {
    var client = try StoreClient(try kind.make())
    _ = try client.modify([save("large", Self.large)])
    let small = [client.nextRequest([group(save("a"))]), client.nextRequest([group(save("b"))])]
    #expect(client.committer.performNext(at: time(3)) { small }.mostExpensive == nil)
    let requests = [
      client.nextRequest([group(save("c"))]), client.nextRequest([group(patch("large", 1))]),
      client.nextRequest([group(save("d"))]),
    ]
    let performed = client.committer.performNext(at: time(3)) { requests }
    #expect(performed.results.count == 3)
    #expect(performed.mostExpensive == 1)
  }

  @Test(.onlyInCheck, arguments: StoreKind.allCases)
  func `a cascade of large records is hidden at once and deleted in steps`(kind: StoreKind) throws {
    let store = try kind.make()
    var client = try StoreClient(store)
    _ = try client.results([save("p")])
    let names = (0..<40).map { "c\($0)" }
    for name in names {
      var fields = Self.large
      fields["post"] = going(with: "p")
      _ = try client.results([save(name, fields)])
    }
    let (_, effects) = try client.modify([delete("p", tag: 1)])
    #expect(effects.jobs.contains(.cascades))
    #expect(changeCount(effects) <= 18)
    #expect(try client.seen(among: names).isEmpty)
    var steps = 0
    var isMore = true
    while isMore, steps < 30 {
      let step = try store.transact { try $0.completeCascades(at: time(4)) }
      #expect(changeCount(step) <= 17)
      isMore = step.jobs.contains(.cascades)
      steps += 1
    }
    #expect(!isMore && steps >= 2)
  }

  @Test(.onlyInCheck, arguments: StoreKind.allCases)
  func `a deleted zone of large records is removed in steps`(kind: StoreKind) throws {
    let store = try kind.make()
    var client = try StoreClient(store)
    let zone = ZoneID(owner: client.identity.account, name: ZoneName(7))
    _ = try client.modify([.saveZone(title: "x")], in: zone)
    for number in 0..<40 { _ = try client.modify([save("r\(number)", Self.large)], in: zone) }
    _ = try client.modify([.deleteZone(), .emptyTrash(through: Revision(100))], in: zone)
    var rows: [Int] = []
    repeat {
      rows.append(
        try store.transact {
          try $0.expireTombstones(AgeCutoff(before: time(0)), rowsMaximum: 1000)
        }
      )
    } while rows.last != 0
    #expect(rows.reduce(0, +) == 40)
    #expect(rows.allSatisfy { $0 <= 17 })
  }

  @Test(.onlyInCheck, arguments: StoreKind.allCases)
  func `large earlier versions and an emptied trash are removed in steps`(kind: StoreKind) throws {
    let store = try kind.make()
    var client = try StoreClient(store)
    for number in 0..<4 {
      _ = try client.modify([save("r\(number)", Self.large)])
      for turn in 0..<10 { _ = try client.modify([patch("r\(number)", Int64(turn))]) }
    }
    for number in 0..<3 {
      _ = try client.modify([
        .delete(Operation.Delete(name: RecordName(stored: "r\(number)"), tag: nil, isForced: true))
      ])
    }
    _ = try client.modify([.emptyTrash(through: Revision(1000))])
    var steps = 0
    while try store.transact({ try $0.expireHistory(AgeCutoff(before: time(0)), rowsMaximum: 1000) }
    ) {
      steps += 1
    }
    #expect(steps >= 2, "33 states of a mebibyte were in the trash")
    while try store.transact({ try $0.expireHistory(AgeCutoff(before: time(9)), rowsMaximum: 1000) }
    ) {
      steps += 1
    }
    let id = RecordID(zone: client.zone, name: RecordName(stored: "r3"))
    #expect(try store.history(id, below: nil, of: client.identity).states.isEmpty)
  }

  private func changeCount(_ effects: CommitEffects) -> Int {
    effects.zones.reduce(0) { $0 + $1.changes.count }
  }

  private func group(_ operation: Operation) -> OperationGroup {
    OperationGroup(zone: .standard, operations: [operation])
  }

  /// Changes one small field of a record, regardless of its change tag.
  private func patch(_ name: String, _ number: Int64) -> Operation {
    .save(
      Operation.Save(
        name: RecordName(stored: name), type: RecordType(stored: "Contact"), policy: .changedKeys,
        tag: nil, fields: EncodedRecord(["n": .int64(number)])))
  }
}
