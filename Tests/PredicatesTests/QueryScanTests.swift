// The choice of an index and the end of a scan, on records in memory.

import Predicates
import Records
import Synchronization
import Testing

@Suite("B1 the scan of a query")
struct QueryScanTests {
  private static let item = RecordType(stored: "Item")
  private static let zone = QueriedZone(key: 1, id: .standard)
  private static let clock = QueryClock(now: Timestamp(microseconds: 0)) { false }

  /// Records in memory, with an index on each field. It counts the records that a scan visits.
  private final class MemorySource: QuerySource {
    private let records: [Change]
    var visited = 0
    /// The index of the last visit; nil after a visit of all records.
    var used: FieldPath?

    init(_ count: Int) {
      records = (0..<count).map { number in
        QueryScanTests.record(
          "r\(10_000 + number)",
          ["age": .int64(Int64(number)), "half": .int64(Int64(number % 2))])
      }
    }

    func visit(
      _ type: RecordType, in zone: QueriedZone, from name: RecordName?,
      visit: (Change) throws -> Bool
    ) throws {
      used = nil
      for record in records where name.map({ $0 <= record.name }) ?? true {
        visited += 1
        guard try visit(record) else { return }
      }
    }

    func visit(
      _ range: KeyRanges.Range, of index: StoredIndex, in zone: QueriedZone,
      from name: RecordName?, isDescending: Bool, visit: (Change, IndexKey) throws -> Bool
    ) throws {
      used = index.declared.path
      let rows = rows(of: index, in: range)
      for (key, record) in isDescending ? rows.reversed() : rows {
        visited += 1
        guard try visit(record, key) else { return }
      }
    }

    func count(
      of ranges: KeyRanges, in index: StoredIndex, zone: QueriedZone, maximum: Int
    ) throws -> Int {
      min(maximum, ranges.ranges.reduce(0) { $0 + rows(of: index, in: $1).count })
    }

    private func rows(
      of index: StoredIndex, in range: KeyRanges.Range
    ) -> [(key: IndexKey, record: Change)] {
      records.compactMap { record in index.indexKey(of: record).map { ($0, record) } }
        .filter { row in
          !row.0.bytes.lexicographicallyPrecedes(range.low)
            && row.0.bytes.lexicographicallyPrecedes(range.high)
        }.sorted { $0.0 < $1.0 }
    }
  }

  private static func record(_ name: String, _ fields: Fields) -> Change {
    let origin = Origin(account: AccountID(2), device: DeviceID(2), request: RequestNumber(1))
    let stamp = Stamp(time: Timestamp(microseconds: 0), origin: origin)
    return Change(
      name: RecordName(stored: name), tag: Revision(1), kind: .saved, type: item, created: stamp,
      modified: stamp, record: EncodedRecord(fields))
  }

  private func page(
    _ source: MemorySource, _ predicate: String, sort: [SortKey] = [],
    clock: QueryClock = QueryScanTests.clock
  ) throws -> [String] {
    let indexes = try ["Item.half", "Item.age"].enumerated().map { number, text in
      StoredIndex(key: Int64(number), declared: try DeclaredIndex(text))
    }
    let query = try RecordQuery(
      type: Self.item, predicate: Predicate(predicate), sort: sort, limit: 3)
    return try QueryScan(source, zones: [Self.zone], indexes: indexes, clock: clock)
      .page(query, from: nil).records.map(\.change.name.text)
  }

  @Test func `the index that selects the fewest records is used`() throws {
    let source = MemorySource(100)
    #expect(
      try page(source, "half == 1 AND age BETWEEN {10, 13}") == ["r10011", "r10013"])
    #expect(source.used == .field("age") && source.visited == 4)
  }

  @Test func `without a condition that selects few, the sort order's index ends with the page`()
    throws
  {
    let source = MemorySource(12_000)
    let found = try page(
      source, "half == 1", sort: [SortKey(.field("age"), isAscending: false)])
    #expect(found == ["r21999", "r21997", "r21995"])
    // The scan looks whether the page is complete about every thousand records.
    #expect(source.used == .field("age") && source.visited < 2_500)
  }

  @Test func `a condition on other fields reads all records, or as many as the page needs`()
    throws
  {
    let source = MemorySource(100)
    #expect(try page(source, "name == nil") == ["r10000", "r10001", "r10002"])
    #expect(source.used == nil && source.visited == 4)
    source.visited = 0
    #expect(try page(source, "name != nil") == [])
    #expect(source.visited == 100)
  }

  @Test func `an overdue scan ends with a sentence`() throws {
    let looks = Mutex(0)
    let clock = QueryClock(now: Timestamp(microseconds: 0)) {
      looks.withLock { looks in
        looks += 1
        return looks > 1
      }
    }
    let source = MemorySource(12_000)
    let error = #expect(throws: RecordsError.self) {
      try page(source, "name != nil", clock: clock)
    }
    #expect(error?.reason == "tooSlow" && source.visited < 2_500)
  }
}
