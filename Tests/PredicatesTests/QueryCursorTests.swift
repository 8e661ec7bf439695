// Cursors as bytes, and the total order that they are positions in.

import PredicateOracle
import PredicateWorld
import Records
import Testing

@testable import Predicates

@Suite("K2 cursors and positions")
struct QueryCursorTests {
  private static let sort = [
    SortKey(.field("a")), SortKey(.field("b"), isAscending: false), SortKey(.system(.creationDate)),
  ]

  private func query(_ predicate: String = "TRUEPREDICATE", sort: [SortKey] = sort) throws
    -> RecordQuery
  {
    try RecordQuery(
      type: RecordType(stored: "Contact"), predicate: Predicate(predicate), sort: sort)
  }

  private func position(_ random: inout SeededGenerator) -> SortPosition {
    var fields = Fields()
    if random.percent(80) { fields["a"] = Value(NastyValues.scalar(&random)) }
    if random.percent(80) { fields["b"] = Value(NastyValues.number(&random)) }
    let zone = ZoneID(owner: AccountID(UInt128(random.below(2))), name: ZoneName(1))
    return SortPosition(fields, RandomRecords.system(&random), zone: zone, sort: Self.sort)
  }

  @Test(arguments: 0..<6) func `a cursor survives as bytes, with every kind of value`(seed: UInt64)
    throws
  {
    var random = SeededGenerator(seed: seed)
    let query = try query()
    for _ in 0..<60 {
      let cursor = QueryCursor(query, after: position(&random))
      let again = try QueryCursor(bytes: cursor.bytes, of: query)
      #expect(again == cursor && again.bytes == cursor.bytes, "seed \(seed)")
      #expect(again.name == cursor.position.name)
      #expect(again.firstKey == IndexKey(cursor.position.values[0]))
    }
  }

  @Test func `a cursor of a query with another condition, type, sort or zone is rejected`() throws {
    var random = SeededGenerator(seed: 1)
    let bytes = QueryCursor(try query("a == 1"), after: position(&random)).bytes
    #expect(throws: Never.self) { try QueryCursor(bytes: bytes, of: query("a == 1")) }
    let turned = Self.sort.map { SortKey($0.path, isAscending: !$0.isAscending) }
    let others = [
      try query("a == 2"), try query("a == 1", sort: turned), try query("a == 1", sort: []),
      try query("a == 1", sort: Self.sort.reversed()),
      try RecordQuery(
        type: RecordType(stored: "Post"), predicate: Predicate("a == 1"), sort: Self.sort),
      try RecordQuery(
        type: RecordType(stored: "Contact"), zone: .standard, predicate: Predicate("a == 1"),
        sort: Self.sort),
      try RecordQuery(
        type: RecordType(stored: "Contact"), database: .shared, predicate: Predicate("a == 1"),
        sort: Self.sort),
    ]
    for other in others {
      let error = #expect(throws: RecordsError.self) { try QueryCursor(bytes: bytes, of: other) }
      #expect(error?.code == .invalidArguments)
    }
    let same = try RecordQuery(
      type: RecordType(stored: "Contact"), predicate: Predicate("a == 1"), sort: Self.sort,
      desiredKeys: ["a"], limit: 3
    )
    #expect(throws: Never.self) { try QueryCursor(bytes: bytes, of: same) }
  }

  @Test(arguments: 0..<4) func `damaged bytes of a cursor are rejected, or one of the query`(
    seed: UInt64
  ) throws {
    var random = SeededGenerator(seed: seed)
    let query = try query()
    let whole = QueryCursor(query, after: position(&random)).bytes
    for _ in 0..<400 {
      var bytes = whole
      for _ in 0..<1 + random.below(3) where !bytes.isEmpty {
        switch random.below(3) {
        case 0: bytes[random.below(bytes.count)] = UInt8(random.below(256))
        case 1: bytes.removeLast(random.below(bytes.count))
        default: bytes.insert(UInt8(random.below(256)), at: random.below(bytes.count))
        }
      }
      guard let cursor = try? QueryCursor(bytes: bytes, of: query) else { continue }
      #expect(cursor.position.values.count == Self.sort.count, "seed \(seed)")
      #expect(throws: Never.self) { try cursor.validate(for: query) }
    }
  }

  @Test(arguments: 0..<4) func `positions have a total order`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let positions = (0..<24).map { _ in position(&random) }
    let isBefore = positions.map { left in positions.map { left.precedes($0, Self.sort) } }
    for one in positions.indices {
      #expect(!isBefore[one][one])
      for other in positions.indices where one != other {
        if isBefore[one][other] { #expect(!isBefore[other][one], "seed \(seed)") }
        if !isBefore[one][other], !isBefore[other][one] {
          let (left, right) = (positions[one], positions[other])
          #expect(left.name == right.name && left.zone == right.zone, "seed \(seed)")
        }
        let reached = positions.indices.filter { isBefore[one][other] && isBefore[other][$0] }
        #expect(reached.allSatisfy { isBefore[one][$0] }, "seed \(seed): \(positions[one])")
      }
    }
  }

  @Test func `missing values are first ascending, last descending, and classes do not mix`() throws
  {
    var random = SeededGenerator(seed: 2)
    let system = RandomRecords.system(&random)
    let values: [Value?] = [
      nil, .string(""), .string("a"), .int64(-5), .double(2.5), .date(Timestamp(microseconds: 0)),
      .bytes([]), .bytes([1]),
    ]
    for isAscending in [true, false] {
      let sort = [SortKey(.field("a"), isAscending: isAscending)]
      let positions = values.map { value in
        SortPosition(value.map { ["a": $0] } ?? [:], system, zone: .standard, sort: sort)
      }
      for (index, one) in positions.enumerated() {
        for (other, position) in positions.enumerated() {
          let expected = isAscending ? index < other : index > other
          #expect(one.precedes(position, sort) == expected, "\(values[index] as Any)")
        }
      }
    }
  }
}
