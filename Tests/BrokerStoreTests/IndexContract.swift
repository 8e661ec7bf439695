// Every store: declared indexes. They change the time of a query but not its result.

import BrokerCore
import BrokerStore
import PredicateWorld
import Predicates
import Records
import Synchronization
import TestTiers
import Testing

@Suite("B1, K2 declared indexes contract")
struct IndexContract {
  private static let declared = [
    "Contact.name", "Contact.age", "Contact.score", "Contact.modificationDate", "Other.name",
  ]

  /// Two stores with the same records, one with indexes. Each query runs on both.
  private struct Twins {
    var plain: StoreClient
    var indexed: StoreClient
    var tags: [String: Int64] = [:]
    var generator: SeededGenerator

    init(_ kind: StoreKind, seed: UInt64) throws {
      plain = try StoreClient(try kind.make())
      indexed = try StoreClient(try kind.make())
      generator = SeededGenerator(seed: seed)
    }

    /// Creates, changes and deletes random records.
    mutating func edit(_ count: Int) throws {
      for _ in 0..<count {
        let name = "r\(generator.below(120))"
        let tag = tags[name]
        let isDeletion = tag != nil && generator.percent(25)
        let operation =
          isDeletion
          ? delete(name, tag: tag ?? 0)
          : save(name, tag: tag, RandomRecords.fieldsAlone(&generator))
        let moment = time(Int64(2 + generator.below(5)))
        let (outcome, _) = try plain.modify([operation], at: moment)
        let (same, _) = try indexed.modify([operation], at: moment)
        guard case .saved(let saved) = outcome.groups[0][0],
          case .saved(let savedAsWell) = same.groups[0][0]
        else {
          // Some random records are invalid. Both stores reject the same ones.
          #expect(outcome.groups[0][0].isFailure == same.groups[0][0].isFailure)
          if isDeletion { tags[name] = nil }
          continue
        }
        #expect(saved == savedAsWell)
        tags[name] = isDeletion ? nil : saved.value
      }
    }

    /// Runs a random query on both stores, page after page.
    mutating func compare() throws {
      let keys: [FieldPath] =
        ["name", "age", "score", "city"].map { .field(FieldKey(stored: $0)) }
        + [.system(.modificationDate)]
      let sort = (0..<generator.below(3)).map { _ in
        SortKey(generator.one(of: keys), isAscending: generator.percent(50))
      }
      let query = try RecordQuery(
        type: RecordType(stored: "Contact"),
        zone: generator.percent(50) ? nil : plain.zone,
        predicate: generator.percent(20) ? .constant(true) : RandomPredicates.predicate(&generator),
        sort: sort, limit: 1 + generator.below(30))
      let expected = try Self.pages(query, of: plain)
      let there = try RecordQuery.moved(query, to: indexed.zone)
      #expect(try Self.pages(there, of: indexed) == expected, "\(query)")
    }

    private static func pages(_ query: RecordQuery, of client: StoreClient) throws -> [[String]] {
      var pages: [[String]] = []
      var cursor: QueryCursor?
      repeat {
        let page = try client.store.query(
          query, from: cursor, of: client.identity, clock: QueryClock(now: time(5)) { false })
        pages.append(page.records.map(\.change.name.text))
        cursor = try page.cursor.map { try QueryCursor(bytes: $0, of: query) }
      } while cursor != nil
      return pages
    }
  }

  fileprivate func declare(_ texts: [String], in store: any RecordStore) throws {
    let indexes = try texts.map { try DeclaredIndex($0) }
    try store.transact { try $0.declareIndexes(indexes) }
  }

  /// Returns the number of steps.
  @discardableResult
  fileprivate func fill(_ store: any RecordStore, rows: Int = 1000) throws -> Int {
    var steps = 0
    while try store.transact({ try $0.fillIndexes(rowsMaximum: rows) }) { steps += 1 }
    return steps
  }

  @Test(.onlyInCheck, arguments: StoreKind.allCases, 0..<2)
  func `every page is the same with and without indexes`(kind: StoreKind, seed: UInt64) throws {
    var twins = try Twins(kind, seed: seed)
    try declare(Self.declared, in: twins.indexed.store)
    try fill(twins.indexed.store)
    for _ in 0..<4 {
      try twins.edit(60)
      for _ in 0..<20 { try twins.compare() }
    }
  }

  @Test(.onlyInCheck, arguments: 0..<4)
  func `records that change while an index is filled are in it once`(seed: UInt64) throws {
    var twins = try Twins(.sqliteInMemory, seed: seed)
    try twins.edit(150)
    try declare(Self.declared, in: twins.indexed.store)
    var isMore = true
    while isMore {
      isMore = try twins.indexed.store.transact { try $0.fillIndexes(rowsMaximum: 7) }
      try twins.edit(3)
      try twins.compare()
    }
    for _ in 0..<60 { try twins.compare() }
  }

  @Test(.onlyInCheck) func `an index that is declared again is rebuilt`() throws {
    var twins = try Twins(.sqliteInMemory, seed: 9)
    let store = twins.indexed.store
    try declare(Self.declared, in: store)
    try twins.edit(100)
    #expect(try fill(store) == Self.declared.count)
    try declare(["Contact.age"], in: store)
    try twins.edit(50)
    // The other indexes were not maintained meanwhile, and their old rows are still being deleted.
    try declare(Self.declared, in: store)
    for _ in 0..<40 { try twins.compare() }
    try fill(store, rows: 11)
    for _ in 0..<40 { try twins.compare() }
    try declare([], in: store)
    try fill(store)
    for _ in 0..<10 { try twins.compare() }
  }

  @Test func `a query on an indexed field examines no other records`() throws {
    let store = try SQLiteRecordStore()
    var client = try StoreClient(store)
    for part in 0..<10 {
      _ = try client.modify(
        (0..<100).map { number in
          save("r\(part * 100 + number)", ["age": .int64(Int64(part * 100 + number))])
        })
    }
    let query = try RecordQuery(
      type: RecordType(stored: "Contact"), predicate: Predicate("age BETWEEN {500, 509}"))
    func ask() throws -> Int {
      // A clock that expires before a page examines 64 records.
      let looks = Mutex(0)
      let clock = QueryClock(now: time(5)) {
        looks.withLock { looks in
          looks += 1
          return looks > 1
        }
      }
      return try store.query(query, from: nil, of: client.identity, clock: clock).records.count
    }
    #expect(throws: RecordsError.self) { try ask() }
    try declare(["Contact.age"], in: store)
    #expect(throws: RecordsError.self) { try ask() }
    try fill(store)
    #expect(try ask() == 10)
  }
}

extension IndexContract {
  @Test func `the index rows of a deleted zone are deleted too`() throws {
    let store = try SQLiteRecordStore()
    var client = try StoreClient(store)
    try declare(["Contact.age", "Contact.name"], in: store)
    try fill(store)
    let family = ZoneID(name: ZoneName(0x77))
    let request = client.nextRequest([
      OperationGroup(
        zone: family, operations: [.saveZone(title: "Family"), save("a"), save("b"), save("c")]),
      OperationGroup(
        zone: family, operations: [.deleteZone(), .emptyTrash(through: Revision(100))]),
    ])
    _ = try StoreClient.outcome(client.committer.perform([request], at: time(2))[0])
    let rows = try store.transact {
      try $0.expireTombstones(AgeCutoff(before: time(1)), rowsMaximum: 100)
    }
    #expect(rows == 3 + 2 * 3)
  }
}

extension OperationResult {
  fileprivate var isFailure: Bool {
    if case .failed = self { true } else { false }
  }
}

extension RecordQuery {
  /// The same query of another account's zone with the same name.
  fileprivate static func moved(_ query: RecordQuery, to zone: ZoneID) throws -> RecordQuery {
    try RecordQuery(
      type: query.type, zone: query.zone == nil ? nil : zone, predicate: query.predicate,
      sort: query.sort, limit: query.limit)
  }
}
