// Random sequences of operations on an index: inserts, removals, replacements, the same predicate many times
// and changes of records, over many accounts, scopes and types. After the operations the whole is compared.

import PredicateWorld
import Predicates
import Records
import Testing

@testable import Matching

@Suite("B1, B4 the index over accounts, zones and types")
struct SubscriptionIndexModelTests {
  private static let scopes = (1...3).flatMap { number -> [SubscriptionScope] in
    let account = AccountID(UInt128(number))
    return [
      .privateDatabase(account), .sharedDatabase(account),
      .zone(ZoneID(owner: account, name: ZoneName(1))),
      .zone(ZoneID(owner: account, name: ZoneName(2))),
    ]
  }
  private static let types: [RecordType?] = [
    RecordType(stored: "Contact"), RecordType(stored: "Post"), nil,
  ]

  private struct World {
    var model = IndexModel()
    var random: SeededGenerator
    var records: [IndexModel.State] = []
    /// Predicates that several subscriptions have.
    var shared: [Predicate] = []

    init(seed: UInt64) {
      random = SeededGenerator(seed: seed)
      shared = (0..<5).map { _ in RandomPredicates.predicate(&random) }
      records = (0..<6).map { _ in (RandomRecords.fields(&random), RandomRecords.system(&random)) }
    }

    mutating func insert() throws {
      let predicate =
        random.percent(25) ? random.one(of: shared) : RandomPredicates.predicate(&random, depth: 2)
      try model.insert(
        predicate, scope: random.percent(70) ? scopes[0] : random.one(of: scopes),
        type: random.percent(80) ? types[0] : random.one(of: types),
        options: FiringOptions(rawValue: UInt8(1 + random.below(7))),
        of: random.percent(50) ? AccountID(UInt128(1 + random.below(3))) : nil)
    }

    mutating func removeOne() {
      guard let number = model.entries.keys.sorted().randomElement(using: &random) else { return }
      model.remove(number)
    }

    /// Removes a subscription and inserts another under its id, as saving it again does.
    mutating func replaceOne() throws {
      removeOne()
      try insert()
    }

    mutating func change(_ place: Comment) {
      let index = random.below(records.count)
      let old = records[index]
      let new: IndexModel.State = (RandomRecords.edited(old.fields, &random), old.system)
      let type = random.percent(70) ? RecordType(stored: "Contact") : RecordType(stored: "Post")
      // A record is in a zone, in its owner's private database and in others' shared databases.
      let all =
        random.percent(20)
        ? scopes : scopes.shuffled(using: &random).prefix(1 + random.below(3)).map { $0 }
      switch random.below(4) {
      case 0: model.check(new: new, scopes: all, type: type, place)
      case 1: model.check(old: old, scopes: all, type: type, place)
      default: model.check(old: old, new: new, scopes: all, type: type, place)
      }
      records[index] = new
    }
  }

  @Test(arguments: 0..<4) func `after every sequence of operations, the index agrees with the list`(
    seed: UInt64
  ) throws {
    var world = World(seed: seed)
    for phase in 0..<4 {
      for _ in 0..<250 {
        switch world.random.below(10) {
        case 0...(phase % 2 == 0 ? 6 : 1): try world.insert()
        case 2...7: world.removeOne()
        default: try world.replaceOne()
        }
      }
      for _ in 0..<6 { world.change("seed \(seed), phase \(phase)") }
    }
    #expect(world.model.matchCount > 0)
    world.model.removeAll(&world.random)
    for _ in 0..<4 { world.change("seed \(seed), empty") }
    for scope in Self.scopes {
      for type in Self.types { #expect(world.model.index.partition(scope, type?.text) == nil) }
    }
  }

  @Test func `memory after removals is that of an index that never had more`() throws {
    var random = SeededGenerator(seed: 77)
    var model = IndexModel()
    var bytes: [Int] = []
    for _ in 0..<4 {
      for number in 0..<400 {
        let predicate = RandomPredicates.predicate(&random, depth: 2)
        try model.insert(predicate, scope: random.one(of: Self.scopes))
        try model.insert(Predicate("own\(number) == 'x'"), scope: Self.scopes[number % 12])
      }
      model.removeAll(&random)
      bytes.append(model.index.byteCount)
    }
    // Without partitions, only the subscribers and the scratch memory are left.
    #expect(bytes[3] < bytes[1] + (16 << 10) && bytes[3] < 100_000, "\(bytes)")
  }

  @Test(arguments: [1, 2, 3, 1000]) func `many subscribers of one predicate are each notified once`(
    count: Int
  ) throws {
    var random = SeededGenerator(seed: UInt64(count))
    var model = IndexModel()
    let state: IndexModel.State = (["age": .int64(3), "name": .string("a")], IndexWorld.system)
    let forms = [
      "age == 3 AND name == 'a'", "name == 'a' AND age == 3.0", "NOT NOT age == 3 AND name == 'a'",
    ]
    for number in 0..<count {
      let options: FiringOptions = number % 3 == 0 ? .all : number % 3 == 1 ? .creation : .update
      try model.insert(Predicate(forms[number % 3]), options: options)
    }
    #expect(model.index.partition(.publicDatabase, "Contact")?.count == 1)
    for number in model.entries.keys.sorted().shuffled(using: &random) {
      if model.entries.count % 197 < 2 || model.entries.count < 8 {
        model.check(new: state, "\(model.entries.count) left")
        model.check(old: state, new: state, "\(model.entries.count) left")
        model.check(old: state, "\(model.entries.count) left")
      }
      model.remove(number)
    }
    model.check(new: state, "none left")
    #expect(model.index.partition(.publicDatabase, "Contact") == nil)
  }

  /// 64 predicates are evaluated one by one; with one more, all are filed under keys and stay so.
  @Test(arguments: 0..<4) func `nothing changes when a partition becomes an index`(seed: UInt64)
    throws
  {
    var random = SeededGenerator(seed: seed &+ 40)
    var model = IndexModel()
    var records: [IndexModel.State] = []
    for _ in 0..<6 {
      records.append((RandomRecords.fields(&random), RandomRecords.system(&random)))
    }
    func check(_ place: Comment) {
      for record in records { model.check(new: record, place) }
    }
    var numbers: [UInt32] = []
    while numbers.count < 40
      || model.index.partition(.publicDatabase, "Contact")?.count ?? 0 <= Partition.scanMax
    {
      let before = model.index.partition(.publicDatabase, "Contact")?.unindexed != nil
      numbers.append(try model.insert(RandomPredicates.predicate(&random, depth: 2)))
      let count = model.index.partition(.publicDatabase, "Contact")?.count ?? 0
      if count >= Partition.scanMax - 1, before { check("seed \(seed), \(count) predicates") }
    }
    let partition = try #require(model.index.partition(.publicDatabase, "Contact"))
    #expect(partition.unindexed == nil && partition.count == Partition.scanMax + 1)
    for number in numbers.dropLast(10).shuffled(using: &random) { model.remove(number) }
    check("seed \(seed), ten left")
    #expect(partition.unindexed == nil)
  }
}
