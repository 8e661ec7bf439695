// Every store: queries.

import BrokerCore
import BrokerStore
import Predicates
import Records
import TestTiers
import Testing

@Suite("B1, K2 queries contract")
struct QueryContract {
  private func form(
    _ predicate: String, zone: ZoneID? = nil, sort: [QueryForm.SortOrder] = [], limit: Int = 0,
    keys: [FieldKey]? = nil
  ) -> QueryForm {
    QueryForm(
      zone: zone, type: RecordType(stored: "Contact"), predicate: PredicateText(predicate),
      sort: sort, desiredKeys: keys, limit: limit)
  }

  /// Returns the record names of each page of a query.
  private func pages(
    _ form: QueryForm, _ client: StoreClient, isOverdue: Bool = false, isBrief: Bool = false
  ) throws -> [[String]] {
    let query = try RecordQuery(form)
    var pages: [[String]] = []
    var cursor: QueryCursor?
    repeat {
      let page = try client.store.query(
        query, from: cursor, of: client.identity,
        clock: QueryClock(now: time(5), isBrief: isBrief) { isOverdue })
      pages.append(page.records.map(\.change.name.text))
      cursor = try page.cursor.map { try QueryCursor(bytes: $0, of: query) }
    } while cursor != nil
    return pages
  }

  @Test(arguments: StoreKind.allCases)
  func `matching records are returned in pages, by name`(kind: StoreKind) throws {
    var client = try StoreClient(try kind.make())
    _ = try client.modify((0..<50).map { save("r\(10 + $0)", ["n": .int64(Int64($0))]) })
    _ = try client.modify([delete("r13", tag: 4)])
    let found = try pages(form("n < 10", limit: 4), client)
    #expect(found == [["r10", "r11", "r12", "r14"], ["r15", "r16", "r17", "r18"], ["r19"]])
  }

  @Test(arguments: StoreKind.allCases)
  func `a sort order applies to all zones of the account and no others`(kind: StoreKind) throws {
    let store = try kind.make()
    var client = try StoreClient(store)
    var other = try StoreClient(store, account: "bob", key: [2])
    _ = try other.modify([save("theirs", ["n": .int64(0)])])
    let family = ZoneID(owner: client.identity.account, name: ZoneName(0x77))
    let request = client.nextRequest([
      OperationGroup(
        zone: family,
        operations: [.saveZone(title: "Family"), save("b", ["n": .int64(2)])])
    ])
    _ = client.committer.perform([request], at: time(2))
    _ = try client.modify([save("a", ["n": .int64(1)]), save("c", ["n": .int64(3)]), save("d")])
    let descending = QueryForm.SortOrder(key: "n", isDescending: true)
    #expect(
      try pages(form("TRUEPREDICATE", sort: [descending], limit: 2), client)
        == [["c", "b"], ["a", "d"]])
    #expect(try pages(form("n > 0", limit: 1), client) == [["a"], ["b"], ["c"]])
    #expect(try pages(form("TRUEPREDICATE", zone: family), client) == [["b"]])
    let error = #expect(throws: RecordsError.self) {
      try pages(form("TRUEPREDICATE", zone: other.zone), client)
    }
    #expect(error?.code == .zoneNotFound)
  }

  @Test(arguments: StoreKind.allCases)
  func `now() is the time of the query, and only the desired fields are sent`(kind: StoreKind)
    throws
  {
    var client = try StoreClient(try kind.make())
    _ = try client.modify([
      save("past", ["at": .date(time(4)), "x": .int64(1)]),
      save("future", ["at": .date(time(6)), "x": .int64(2)]),
    ])
    let query = try RecordQuery(form("at < now()", keys: ["x"]))
    let page = try client.store.query(
      query, from: nil, of: client.identity, clock: QueryClock(now: time(5)) { false })
    #expect(try page.records.map { try $0.change.record.fields() } == [["x": .int64(1)]])
    #expect(page.records.map(\.zone) == [client.zone])
  }

  @Test(arguments: StoreKind.allCases)
  func `a page that takes too long is rejected`(kind: StoreKind) throws {
    var client = try StoreClient(try kind.make())
    _ = try client.modify((0..<200).map { save("r\($0)") })
    let error = #expect(throws: RecordsError.self) {
      try pages(form("x == 1"), client, isOverdue: true)
    }
    #expect(error?.code == .limitExceeded && error?.reason == "tooSlow")
  }

  @Test(.onlyInCheck, arguments: StoreKind.allCases)
  func `a record on which the predicate takes too long is skipped and counted`(
    kind: StoreKind
  ) throws {
    var client = try StoreClient(try kind.make())
    let long = String(repeating: "a", count: 100_000)
    _ = try client.modify([
      save("a", ["x": .string("b")]), save("b", ["x": .string(long)]),
      save("c", ["x": .string("b")]),
    ])
    let pattern = "*" + String(repeating: "a", count: 3000) + "b*"
    let query = try RecordQuery(form("x LIKE '\(pattern)' OR x == 'b'"))
    let page = try client.store.query(
      query, from: nil, of: client.identity, clock: QueryClock(now: time(5)) { false })
    #expect(page.records.map(\.change.name.text) == ["a", "c"] && page.skipped == 1)
  }

  @Test(
    .onlyInCheck,
    arguments: [
      (String(repeating: "é", count: 200_000), "x ==[cd] 'b'"),
      (String(repeating: "a", count: 100_000), "x LIKE '*\(String(repeating: "a", count: 300))b*'"),
    ])
  func `a brief page ends at the first record that takes long to fold or to search`(
    text: String, predicate: String
  ) throws {
    var client = try StoreClient(try StoreKind.sqliteInMemory.make())
    _ = try client.modify([save("a", ["x": .string(text)]), save("b", ["x": .string("b")])])
    let error = #expect(throws: RecordsError.self) {
      try pages(form(predicate), client, isBrief: true)
    }
    #expect(error?.reason == "tooSlow")
    #expect(throws: Never.self) { try pages(form(predicate), client) }
    #expect(try pages(form("x == 'b'"), client, isBrief: true) == [["b"]])
  }

  @Test(arguments: StoreKind.allCases)
  func `a query ends once its client is gone, also while SQL skips records`(
    kind: StoreKind
  ) throws {
    var client = try StoreClient(try kind.make())
    for batch in 0..<25 { _ = try client.modify((0..<400).map { save("r\(batch)-\($0)") }) }
    let other = QueryForm(
      database: .private, zone: nil, type: RecordType(stored: "Other"),
      predicate: PredicateText("TRUEPREDICATE"))
    nonisolated(unsafe) var asked = 0
    let clock = QueryClock(now: time(5)) {
      asked += 1
      return asked > 2
    }
    let error = #expect(throws: RecordsError.self) {
      try client.store.query(
        try RecordQuery(other), from: nil, of: client.identity, clock: clock)
    }
    #expect(error?.reason == "tooSlow" && asked == 3)
  }
}
