import DeviceStore
import PredicateWorld
import Predicates
import RecordQueries
import Records
import Testing

@Suite("K5 watching the result of a query")
struct QueryWatchTests {
  private func watch(
    _ predicate: String, database: DatabaseScope = .private, zone: ZoneID? = nil
  ) throws -> QueryWatch {
    try QueryWatch(
      RecordQuery(
        type: QueryDevice.item, database: database, zone: zone, predicate: Predicate(predicate)),
      account: AccountID(0xADA))
  }

  private func change(
    _ before: Fields?, _ after: Fields?, zone: ZoneID = .standard,
    type: RecordType = QueryDevice.item
  ) -> QueryWatch.SeenChange {
    QueryWatch.SeenChange(zone: zone, type: type, before: before, after: after)
  }

  private let one: Fields = ["age": .int64(1)]
  private let two: Fields = ["age": .int64(2)]

  @Test func `a record that matches before or afterwards concerns the result`() throws {
    let watch = try watch("age == 1")
    #expect(watch.mayChange(by: [change(nil, one)]))
    #expect(watch.mayChange(by: [change(one, nil)]))
    #expect(watch.mayChange(by: [change(one, two)]))
    #expect(watch.mayChange(by: [change(two, one)]))
    #expect(watch.mayChange(by: [change(one, one)]))
    #expect(watch.mayChange(by: [change(nil, two), change(nil, one)]))
    #expect(!watch.mayChange(by: [change(nil, two), change(two, nil)]))
    #expect(!watch.mayChange(by: [change(nil, one, type: RecordType(stored: "Other"))]))
    #expect(!watch.mayChange(by: []))
  }

  @Test(arguments: ["modificationDate > date(0)", "age == 5 AND born < now()"])
  func `if dates decide, each change of the type concerns the result`(predicate: String) throws {
    #expect(try watch(predicate).mayChange(by: [change(one, two)]))
  }

  @Test func `only the zones of the query concern it`() throws {
    let (own, bobs) = (ZoneID(name: ZoneName(7)), ZoneID(owner: AccountID(2), name: ZoneName(7)))
    let all: [ZoneID] = [.standard, own, bobs, .public]
    func read(_ watch: QueryWatch) -> [ZoneID] {
      let changed = all.filter { watch.mayChange(by: [change(nil, one, zone: $0)]) }
      #expect(changed == all.filter(watch.reads))
      return changed
    }
    #expect(try read(watch("age == 1")) == [.standard, own])
    #expect(try read(watch("age == 1", zone: own)) == [own])
    #expect(try read(watch("age == 1", zone: own.resolved(for: AccountID(0xADA)))) == [own])
    #expect(try read(watch("age == 1", database: .shared)) == [bobs])
    #expect(try read(watch("age == 1", database: .public)) == [.public])
  }

  @Test(arguments: 0..<8)
  func `no edit changes a result without concerning it`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let device = try QueryDevice()
    nonisolated(unsafe) var changes: [QueryWatch.SeenChange] = []
    device.onChange { record, _ in changes.append(QueryWatch.SeenChange(record)) }
    var (unconcerned, changed) = (0, 0)
    for _ in 0..<40 {
      let query = try RecordQuery(
        type: QueryDevice.item, predicate: RandomPredicates.predicate(&random), limit: 50)
      let watch = QueryWatch(query, account: nil)
      let before = try device.page(query)
      changes = []
      try device.save(["r\(random.below(12))"]) { _ in RandomRecords.fieldsAlone(&random) }
      if try device.page(query) != before {
        changed += 1
        #expect(watch.mayChange(by: changes), "\(query)")
      } else if !watch.mayChange(by: changes) {
        unconcerned += 1
      }
    }
    #expect(changed > 5 && unconcerned > 2)
  }
}
