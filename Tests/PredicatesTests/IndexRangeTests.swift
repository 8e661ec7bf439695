// Index keys preserve the order of values, and every record that a predicate matches has its key in the
// predicate's ranges.

import PredicateWorld
import Predicates
import Records
import TestTiers
import Testing

@Suite("B1 declared indexes: keys and ranges")
struct IndexRangeTests {
  private static let paths: [FieldPath] =
    ["name", "city", "age", "score", "born", "tags"].map { .field(FieldKey(stored: $0)) }
    + [.system(.modificationDate), .system(.recordID)]

  @Test(arguments: 0..<12) func `keys never contradict the sort order of a query`(seed: UInt64)
    throws
  {
    var random = SeededGenerator(seed: seed)
    let long = String(repeating: "é", count: 40)
    let ends: [Value?] = [.string(long + "a"), .string(long + "b"), .string(long), .list([]), nil]
    let values: [Value?] = ends + (0..<60).map { _ in RandomRecords.scalar(&random) }
    var records: [Change] = []
    for (number, value) in values.enumerated() {
      var fields = Fields()
      fields["x"] = value
      records.append(Self.record("r\(number)", fields, RandomRecords.system(&random)))
    }
    for isAscending in [true, false] {
      let sort = SortKey(.field("x"), isAscending: isAscending)
      var run = try QueryRun(
        RecordQuery(
          type: RecordType(stored: "Contact"), predicate: .constant(true), sort: [sort], limit: 100),
        from: nil, now: RandomRecords.times[0])
      for record in records { try run.look(at: record) }
      let keys = run.page().records.map { IndexKey(of: sort.path, in: $0.change) }
      #expect(keys == (isAscending ? keys.sorted() : keys.sorted(by: >)))
      #expect(Set(keys).count > 10)
    }
  }

  private static func record(_ name: String, _ fields: Fields, _ system: SystemFields) -> Change {
    Change(
      name: RecordName(stored: name), tag: Revision(1), kind: .saved,
      type: RecordType(stored: "Contact"), created: system.created, modified: system.modified,
      record: EncodedRecord(fields))
  }

  @Test(arguments: 0..<UInt64(TestTier.cases(40)))
  func `the key of a matching record is in the predicate's ranges`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var narrowed = 0
    for _ in 0..<60 {
      let predicate = RandomPredicates.predicate(&random)
      let found = Self.paths.map { ($0, predicate.ranges(of: $0)) }
      narrowed += found.filter { $0.1 != nil }.count
      for _ in 0..<12 {
        let fields = RandomRecords.fields(&random)
        let system = RandomRecords.system(&random)
        guard PlainEvaluation(fields, system, now: RandomRecords.times[2]).holds(predicate) else {
          continue
        }
        let record = Self.record(system.name.text, fields, system)
        for (path, ranges) in found {
          guard let ranges else { continue }
          let key = IndexKey(of: path, in: record)
          #expect(ranges.holds(key), "\(predicate) \(path) \(fields.all) \(ranges)")
        }
      }
    }
    #expect(narrowed > 5)
  }

  @Test func `conditions on one field result in few ranges`() throws {
    let age = FieldPath.field("age")
    func ranges(_ text: String) throws -> KeyRanges? { try Predicate(text).ranges(of: age) }
    #expect(try ranges("age > 3 AND age < 9 AND city == 'x'")?.ranges.count == 1)
    #expect(try ranges("age IN {1, 5, 5.0, 9}")?.ranges.count == 3)
    #expect(try ranges("age > 3 OR age > 5") == ranges("age > 3"))
    #expect(try ranges("age > 9 AND age < 3")?.ranges.isEmpty == true)
    #expect(try ranges("age == 1 OR city == 'x'") == nil)
    #expect(try ranges("NOT age == 1") == nil)
    #expect(try ranges("age BEGINSWITH[c] 'x'") == nil)
    #expect(try ranges("age == nil")?.holds(IndexKey(nil)) == true)
    #expect(try ranges("age >= 0")?.holds(IndexKey(nil)) == false)
  }

  @Test(arguments: ["Contact", "Contact.", ".age", "Contact.age.x", "Con tact.age", "Contact.a-b"])
  func `text other than a type and a field is rejected`(text: String) {
    #expect(throws: RecordsError.self) { try DeclaredIndex(text) }
  }
}

extension KeyRanges {
  fileprivate func holds(_ key: IndexKey) -> Bool {
    ranges.contains { range in
      !key.bytes.lexicographicallyPrecedes(range.low)
        && key.bytes.lexicographicallyPrecedes(range.high)
    }
  }
}
