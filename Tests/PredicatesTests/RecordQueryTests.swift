// Queries over records in any order: the pages together are the sorted result.

import PredicateWorld
import Predicates
import Records
import Testing

@Suite("K2 queries")
struct RecordQueryTests {
  private static let contact = RecordType(stored: "Contact")

  private func record(_ name: String, _ fields: Fields, type: RecordType = contact) -> Change {
    let origin = Origin(account: AccountID(1), device: DeviceID(1), request: RequestNumber(1))
    let stamp = Stamp(time: Timestamp(microseconds: 7), origin: origin)
    return Change(
      name: RecordName(stored: name), tag: Revision(1), kind: .saved, type: type, created: stamp,
      modified: stamp, record: EncodedRecord(fields))
  }

  private func page(
    _ query: RecordQuery, _ records: [Change], from cursor: QueryCursor? = nil
  ) throws -> QueryPage {
    var run = try QueryRun(query, from: cursor, now: Timestamp(microseconds: 0))
    for record in records { try run.look(at: record) }
    return run.page()
  }

  private func all(_ query: RecordQuery, _ records: [Change]) throws -> [String] {
    var names: [String] = []
    var cursor: QueryCursor?
    repeat {
      let page = try page(query, records.shuffled(), from: cursor)
      names += page.records.map(\.change.name.text)
      #expect(page.records.count <= query.limit)
      cursor = try page.cursor.map { try QueryCursor(bytes: $0.bytes, of: query) }
    } while cursor != nil
    return names
  }

  @Test(arguments: 0..<20) func `the pages together contain every match once, in order`(
    seed: UInt64
  )
    throws
  {
    var random = SeededGenerator(seed: seed)
    let records = (0..<80).map { record("r\($0)", RandomRecords.fields(&random)) }
    let predicate = RandomPredicates.predicate(&random)
    let sort = ["name", "age", "misc"].map {
      SortKey(.field(FieldKey(stored: $0)), isAscending: random.percent(50))
    }
    let small = try RecordQuery(type: Self.contact, predicate: predicate, sort: sort, limit: 7)
    let large = try RecordQuery(type: Self.contact, predicate: predicate, sort: sort, limit: 1000)
    let paged = try all(small, records)
    #expect(try page(large, records).records.map(\.change.name.text) == paged)
    let expected = records.filter { record in
      let plain = PlainEvaluation(
        (try? record.record.fields()) ?? [:], SystemFields(record),
        now: Timestamp(microseconds: 0))
      return plain.holds(predicate)
    }
    #expect(Set(paged) == Set(expected.map(\.name.text)) && paged.count == expected.count)
  }

  @Test
  func
    `missing values sort first, numbers by value, equal ones by name; descending is the reverse`()
    throws
  {
    let records = [
      record("c", ["n": .int64(2)]), record("a", ["n": .double(2)]), record("b", [:]),
      record("d", ["n": .double(1.5)]), record("e", ["n": .string("x")]),
      record("other", ["n": .int64(0)], type: RecordType(stored: "Post")),
    ]
    func names(_ isAscending: Bool) throws -> [String] {
      try all(
        RecordQuery(
          type: Self.contact, predicate: .constant(true),
          sort: [SortKey(.field("n"), isAscending: isAscending)], limit: 2), records)
    }
    #expect(try names(true) == ["b", "e", "d", "a", "c"])
    #expect(try names(false) == ["a", "c", "d", "e", "b"])
  }

  @Test func `a page contains only desired keys, and the sort can use other fields`() throws {
    let records = [record("a", ["n": .int64(2), "m": .int64(1)]), record("b", ["n": .int64(1)])]
    let query = try RecordQuery(
      type: Self.contact, predicate: Predicate("n > 0"), sort: [SortKey(.field("n"))],
      desiredKeys: ["m", "absent"])
    let found = try page(query, records).records
    #expect(found.map(\.change.name.text) == ["b", "a"])
    #expect(try found.map { try $0.change.record.fields() } == [[:], ["m": .int64(1)]])
  }

  @Test func `a page continues where the last ended, although records were created and deleted`()
    throws
  {
    var records = (0..<10).map { record("r\($0)", ["n": .int64(Int64($0))]) }
    let query = try RecordQuery(
      type: Self.contact, predicate: .constant(true), sort: [SortKey(.field("n"))], limit: 4)
    let first = try page(query, records)
    records.removeFirst(5)
    records.append(record("new", ["n": .int64(5)]))
    let second = try page(query, records, from: first.cursor)
    #expect(second.records.map(\.change.name.text) == ["new", "r5", "r6", "r7"])
  }

  @Test func `a cursor of another query, or invalid bytes, are rejected`() throws {
    let records = (0..<3).map { record("r\($0)", [:]) }
    let query = try RecordQuery(type: Self.contact, predicate: .constant(true), limit: 1)
    let cursor = try #require(try page(query, records).cursor)
    let other = try RecordQuery(type: Self.contact, predicate: Predicate("a == 1"), limit: 1)
    #expect(throws: RecordsError.self) { try QueryCursor(bytes: cursor.bytes, of: other) }
    for bytes in [[], [1], [UInt8](repeating: 255, count: 20)] {
      #expect(throws: RecordsError.self) { try QueryCursor(bytes: bytes, of: query) }
    }
  }

  @Test func `records of one name in several zones are sorted by zone`() throws {
    let query = try RecordQuery(type: Self.contact, predicate: .constant(true), limit: 1)
    let zones = [1, 2, 3].map { ZoneID(owner: AccountID(1), name: ZoneName($0)) }
    var found: [ZoneID] = []
    var cursor: QueryCursor?
    repeat {
      var run = try QueryRun(query, from: cursor, now: Timestamp(microseconds: 0))
      for zone in zones.shuffled() { try run.look(at: record("same", [:]), in: zone) }
      let page = run.page()
      found += page.records.map(\.zone)
      cursor = try page.cursor.map { try QueryCursor(bytes: $0.bytes, of: query) }
    } while cursor != nil
    #expect(found == zones)
  }

  @Test func `the bytes of a page are limited, and the pages together are complete`() throws {
    let large = String(repeating: "x", count: 300_000)
    let records = (0..<12).map {
      record("r\($0)", ["n": .int64(Int64($0)), "x": .string($0 % 3 == 0 ? "" : large)])
    }
    let query = try RecordQuery(
      type: Self.contact, predicate: .constant(true), sort: [SortKey(.field("n"))], limit: 1000)
    var names: [String] = []
    var cursor: QueryCursor?
    repeat {
      let page = try page(query, records.shuffled(), from: cursor)
      let bytes = page.records.dropLast().reduce(0) { $0 + $1.change.record.bytes.count + 256 }
      #expect(bytes < QueryLimits.pageBytes && page.records.count < 12)
      names += page.records.map(\.change.name.text)
      cursor = page.cursor
    } while cursor != nil
    #expect(names == (0..<12).map { "r\($0)" })
  }

  @Test func `a form is parsed, and an error names its field`() throws {
    func form(_ predicate: String, sort: [String] = [], limit: Int = 0) -> QueryForm {
      QueryForm(
        type: Self.contact, predicate: PredicateText(predicate),
        sort: sort.map { QueryForm.SortOrder(key: $0, isDescending: true) }, limit: limit)
    }
    let query = try RecordQuery(form("a == 1", sort: ["age", "modificationDate"]))
    #expect(query.limit == QueryLimits.pageRecords)
    #expect(
      query.sort == [
        SortKey(.field("age"), isAscending: false),
        SortKey(.system(.modificationDate), isAscending: false),
      ])
    let wrong = #expect(throws: RecordsError.self) { try RecordQuery(form("a === 1")) }
    #expect(wrong?.field == "predicate" && wrong?.column == 5)
    let sort = #expect(throws: RecordsError.self) {
      try RecordQuery(form("a == 1", sort: ["phones.value"]))
    }
    #expect(sort?.field == "sort")
    let long = #expect(throws: RecordsError.self) { try RecordQuery(form("a == 1", limit: 1001)) }
    #expect(long?.code == .limitExceeded)
  }

  @Test func `limits are enforced`() {
    for limit in [0, 1001] {
      let error = #expect(throws: RecordsError.self) {
        try RecordQuery(type: Self.contact, predicate: .constant(true), limit: limit)
      }
      #expect(error?.code == .limitExceeded)
    }
    #expect(throws: RecordsError.self) {
      try RecordQuery(
        type: Self.contact, predicate: .constant(true), sort: [SortKey(.entry("a", "b"))])
    }
  }
}
