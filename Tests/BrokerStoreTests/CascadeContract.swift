// Every store: cascades that are too long for one transaction. The remaining records are hidden from all
// readers at once and deleted in steps, which continue after a crash.

import BrokerCore
import BrokerStore
import FoundationEssentials
import PredicateWorld
import Records
import SQLiteFile
import TestTiers
import Testing

@Suite("T1, I1, I4 cascade contract")
struct CascadeContract {
  static let small = CascadeBounds(perTransaction: 3, perStep: 2)

  private func comments(_ count: Int, of post: String = "post") -> [Operation] {
    (0..<count).map { attach("c\($0)", to: [post]) }
  }

  private func names(_ count: Int) -> [String] { ["post"] + (0..<count).map { "c\($0)" } }

  @Test(.onlyInCheck, arguments: StoreKind.allCases)
  func `a post with thousands of comments disappears at once for all readers`(kind: StoreKind)
    throws
  {
    var client = try StoreClient(try kind.make())
    _ = try client.results([save("post"), save("stays")])
    let count = Limits.cascadePerTransaction + 1500
    for start in stride(from: 0, to: count, by: 400) {
      _ = try client.results(
        (start..<min(start + 400, count)).map { attach("c\($0)", to: ["post"]) })
    }
    let (outcome, effects) = try client.modify([delete("post", tag: 1)])
    guard case .deleted(_, let cascaded) = outcome.groups[0][0] else {
      throw RecordsError(.internalError, "\(outcome)")
    }
    #expect(cascaded.count == Limits.cascadePerTransaction && cascaded.goesOn)
    #expect(cascaded.names.count == Limits.cascadedNamesPerOutcome)
    #expect(effects.jobs.contains(.cascades))
    #expect(effects.zones[0].changes.count == Limits.cascadePerTransaction + 1)
    let all = names(count) + ["stays"]
    #expect(try client.seen(among: all) == ["stays"])
    #expect(try client.cascaded(by: outcome.number.value).goesOn)
    var steps = 0
    var isMore = true
    while isMore {
      let (changes, more) = try client.completeCascades()
      #expect(changes.count <= BrokerLimits.cascadePerStep)
      (steps, isMore) = (steps + 1, more)
    }
    #expect(steps == 2)
    let page = try client.cascaded(by: outcome.number.value)
    #expect(Set(page.names) == Set(names(count)) && page.names.count == count + 1)
    #expect(!page.goesOn)
    #expect(try client.page(after: 1, scanStart: 0).to.value > 0)
    #expect(try client.seen(among: all) == ["stays"])
  }

  @Test(arguments: StoreKind.allCases)
  func `the rest of a cascade is deleted in steps, with the same origin, and notifies`(
    kind: StoreKind
  ) throws {
    let store = try kind.make(cascades: Self.small)
    var client = try StoreClient(store)
    var phone = try StoreClient(store, key: [2])
    let start = try phone.follow()
    #expect(try phone.subscribe(query("TRUEPREDICATE", options: .deletion)) == nil)
    _ = try client.results([save("post")] + comments(8))
    let (outcome, _) = try client.modify([delete("post", tag: 1)])
    #expect(try client.seen(among: names(8)).isEmpty)
    var reaped: [Change] = []
    while true {
      let (changes, isMore) = try client.completeCascades(at: time(60))
      #expect(changes.count <= 2)
      reaped += changes
      guard isMore else { break }
    }
    #expect(reaped.map(\.name.text) == ["c3", "c4", "c5", "c6", "c7"])
    #expect(reaped.map(\.tag.value) == Array(14...18))
    #expect(reaped.allSatisfy { $0.modified.origin.request == outcome.number })
    #expect(reaped.allSatisfy { $0.modified.origin.device == client.identity.device })
    #expect(reaped.allSatisfy { $0.modified.time == time(60) })
    let told = try phone.told(behind: start).notifications.map(\.record.name.text)
    #expect(told == names(8))
    #expect(try client.completeCascades().0.isEmpty)
  }

  @Test(arguments: StoreKind.allCases)
  func `descendants of a deleted record are hidden and cannot be edited or referred to`(
    kind: StoreKind
  ) throws {
    var client = try StoreClient(
      try kind.make(cascades: CascadeBounds(perTransaction: 1, perStep: 1)))
    _ = try client.results(
      [save("post"), attach("a", to: ["post"])] + [attach("b", to: ["a"]), attach("c", to: ["b"])])
    _ = try client.results([attach("d", to: ["c", "d"]), save("loose")])
    _ = try client.results([delete("post", tag: 1)])
    #expect(try client.seen(among: ["post", "a", "b", "c", "d", "loose"]) == ["loose"])
    let orphan = try client.results([attach("late", to: ["d"])])[0].refusal
    #expect(orphan?.reason == "parentDeleted")
    #expect(try client.results([delete("c", tag: 4)]) == [.deleted(tag: nil)])
    guard
      case .failed(let error, let server) = try client.results([
        save("c", tag: 4, ["text": .string("edited")])
      ])[0]
    else { throw RecordsError(.internalError, "It was saved.") }
    #expect(error.code == .serverRecordChanged && server?.kind == .deleted)
    // Created again, it is a new record. The old one's children are still deleted.
    #expect(try client.results([save("c", ["text": .string("new")])])[0].refusal == nil)
    #expect(try client.seen(among: ["post", "a", "b", "c", "d", "loose"]) == ["c", "loose"])
    while try client.completeCascades().isMore {}
    #expect(try client.seen(among: ["post", "a", "b", "c", "d", "loose"]) == ["c", "loose"])
  }

  @Test(arguments: StoreKind.allCases)
  func `records saved together with their hidden parent survive the cascade`(
    kind: StoreKind
  ) throws {
    var client = try StoreClient(
      try kind.make(cascades: CascadeBounds(perTransaction: 1, perStep: 1)))
    _ = try client.results([save("post"), attach("x", to: ["post"]), attach("y", to: ["post"])])
    _ = try client.results([attach("old", to: ["x"]), attach("old2", to: ["y"])])
    _ = try client.results([delete("post", tag: 1)])
    // The children first, then their hidden parents, which this saves again.
    _ = try client.results(
      [attach("n", to: ["x"]), attach("m", to: ["y"])] + [save("x"), save("y")])
    let all = ["post", "x", "y", "old", "old2", "n", "m"]
    #expect(try client.seen(among: all) == ["x", "y", "n", "m"])
    while try client.completeCascades().isMore {}
    #expect(try client.seen(among: all) == ["x", "y", "n", "m"])
  }

  @Test(arguments: StoreKind.allCases)
  func `a post that is created again keeps its new comments and loses the old ones`(
    kind: StoreKind
  ) throws {
    var client = try StoreClient(try kind.make(cascades: Self.small))
    _ = try client.results([save("post")] + comments(8))
    _ = try client.results([delete("post", tag: 1)])
    _ = try client.results([save("post"), attach("new", to: ["post"])])
    _ = try client.results([attach("c7", to: ["post"])])
    let all = names(8) + ["new"]
    #expect(try client.seen(among: all) == ["post", "new", "c7"])
    while try client.completeCascades().isMore {
      #expect(try client.seen(among: all) == ["post", "new", "c7"])
    }
    #expect(try client.seen(among: all) == ["post", "new", "c7"])
  }

  @Test(arguments: StoreKind.allCases)
  func `deletions of one transaction share its cascade limit`(kind: StoreKind) throws {
    var client = try StoreClient(try kind.make(cascades: Self.small))
    _ = try client.results([save("p"), attach("p1", to: ["p"]), attach("p2", to: ["p"])])
    _ = try client.results([save("q"), attach("q1", to: ["q"]), attach("q2", to: ["q"])])
    let requests = ["p", "q"].map { name in
      client.nextRequest([
        OperationGroup(zone: .standard, operations: [delete(name, tag: name == "p" ? 1 : 4)])
      ])
    }
    let results = try client.committer.perform(requests, at: time(3)).map(StoreClient.outcome)
    #expect(results.map { $0.1.jobs.contains(.cascades) } == [false, true])
    #expect(try client.seen(among: ["p", "p1", "p2", "q", "q1", "q2"]).isEmpty)
    #expect(try client.completeCascades().0.map(\.name.text) == ["q2"])
  }

  @Test func `a reopened store continues its cascades`() throws {
    let path = try StoreKind.newPath()
    do {
      var client = try StoreClient(try SQLiteRecordStore(path: path, cascades: Self.small))
      _ = try client.results([save("post"), save("stays")] + comments(9))
      _ = try client.results([delete("post", tag: 1)])
      _ = try client.completeCascades()
    }
    for left in [2, 0, 0] {
      // One step each time the store is opened.
      var client = try StoreClient(
        try SQLiteRecordStore(path: path, cascades: Self.small), key: [UInt8(left + 3)])
      #expect(try client.seen(among: names(9) + ["stays"]) == ["stays"])
      _ = try client.completeCascades()
      #expect(try client.seen(among: names(9) + ["stays"]) == ["stays"])
    }
    #expect(try BrokerArchive(path: path).findings() == [])
  }

  @Test func `deleting a zone during a cascade deletes the rest of its records`() throws {
    let path = try StoreKind.newPath()
    var client = try StoreClient(try SQLiteRecordStore(path: path, cascades: Self.small))
    let zone = ZoneID(owner: client.identity.account, name: ZoneName(7))
    _ = try client.modify([.saveZone(title: "x"), save("post")] + comments(9), in: zone)
    _ = try client.modify([delete("post", tag: 1)], in: zone)
    _ = try client.modify([.deleteZone()], in: zone)
    let (changes, isMore) = try client.completeCascades()
    #expect(changes.isEmpty && !isMore)
    #expect(try BrokerArchive(path: path).findings() == [])
  }

  @Test(arguments: StoreKind.allCases)
  func `a record and its zone may be deleted in one request`(kind: StoreKind) throws {
    var client = try StoreClient(try kind.make())
    let zone = ZoneID(owner: client.identity.account, name: ZoneName(7))
    _ = try client.modify(
      [.saveZone(title: "x"), save("post"), attach("c", to: ["post"])], in: zone)
    let (results, effects) = try client.modify([delete("post", tag: 1), .deleteZone()], in: zone)
    #expect(results == [.deleted(tag: Revision(3)), .zoneDeleted])
    #expect(effects.zones.flatMap(\.changes).count == 1)
  }

  @Test(.onlyInCheck, arguments: StoreKind.allCases)
  func `writers to a zone with too many hidden records must retry`(kind: StoreKind) throws {
    var client = try StoreClient(try kind.make(cascades: Self.small))
    _ = try client.results([save("r0")])
    let count = BrokerLimits.hiddenLookupsPerRequest
    for start in stride(from: 1, to: count, by: 400) {
      _ = try client.results(
        (start..<min(start + 400, count)).map { attach("r\($0)", to: ["r\($0 - 1)"]) })
    }
    _ = try client.results([delete("r0", tag: 1)])
    let request = client.nextRequest([
      OperationGroup(zone: .standard, operations: [attach("late", to: ["r\(count - 1)"])])
    ])
    guard
      case .client(.answered(.error(let error), _), _) = client.committer.perform(
        [request], at: time(3))[0]
    else { throw RecordsError(.internalError, "It was answered for good.") }
    #expect(error.code == .zoneBusy && error.code.isTransient)
    #expect(try client.seen(among: ["r1", "r\(count - 1)"]).isEmpty)
  }
}
