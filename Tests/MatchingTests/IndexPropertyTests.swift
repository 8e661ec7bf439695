// Compares the index with plain evaluation of every predicate: random predicates and records, inserts,
// removals, changes and deletions in between, few and many predicates, hot keys and pairs.

import PredicateWorld
import Predicates
import Records
import TestTiers
import Testing

@testable import Matching

@Suite("B1, B4 the index equals plain evaluation")
struct IndexPropertyTests {
  @Test(arguments: 0..<UInt64(TestTier.cases(8)))
  func `after any inserts and removals, exactly the matching subscriptions are found`(seed: UInt64)
    throws
  {
    var world = IndexWorld(seed: seed)
    for _ in 0..<300 { try world.step() }
    for _ in 0..<60 { world.removeOne() }
    for _ in 0..<100 { try world.step() }
    world.removeAll()
    #expect(world.index.count == 0)
  }

  @Test
  func `hot keys are split into pairs, and still exactly the matching subscriptions are found`()
    throws
  {
    let index = SubscriptionIndex()
    var numbers: [SubscriptionNumber] = []
    var texts: [String] = []
    for number in 0..<1500 {
      let text =
        switch number % 3 {
        case 0: "city == 'hot' AND state == 's\(number % 40)' AND age > \(number % 90)"
        case 1: "city == 'hot' AND age == \(number % 50) AND label != 'l\(number)'"
        default: "city == 'hot' AND NOT label == 'l\(number)'"
        }
      texts.append(text)
      numbers.append(
        try index.insert(Predicate(text), scope: .publicDatabase, type: nil, options: .all))
    }
    func state(_ city: String, _ state: Int, _ age: Int64) -> (Fields, RecordState) {
      let fields: Fields = [
        "city": .string(city), "state": .string("s\(state)"), "age": .int64(age),
        "label": .string("l7"),
      ]
      return (fields, RecordState(system: IndexWorld.system, record: EncodedRecord(fields)))
    }
    let states = [
      state("hot", 3, 20), state("hot", 4, 20), state("cold", 3, 20), state("hot", 3, 7),
    ]
    for old in states {
      for new in states {
        var list = MatchList()
        index.match(
          RecordEvent(
            scopes: [.publicDatabase], type: RecordType(stored: "Contact"), old: old.1, new: new.1),
          into: &list)
        let found = Dictionary(uniqueKeysWithValues: list.matches.map { ($0.number, $0.reason) })
        for (number, text) in zip(numbers, texts) {
          let predicate = try Predicate(text)
          let before = PlainEvaluation(old.0, IndexWorld.system).holds(predicate)
          let after = PlainEvaluation(new.0, IndexWorld.system).holds(predicate)
          let expected: MatchReason? =
            after ? before ? .updated : .entered : before ? .left : nil
          #expect(found[number.value] == expected, "\(text)")
        }
      }
    }
    for number in numbers.shuffled() { index.remove(number) }
    #expect(index.count == 0)
  }
}

extension FiringOptions {
  static let all: FiringOptions = [.creation, .update, .deletion]
}

/// Random subscriptions and records, in an index and in plain lists.
struct IndexWorld {
  let index = SubscriptionIndex()
  private var random: SeededGenerator
  private var newNames = 0
  private var subscriptions: [UInt32: CompiledSubscription] = [:]
  private var records: [(fields: Fields, system: SystemFields)] = []

  static let system = SystemFields(
    name: RecordName(stored: "r"), created: stamp(0), modified: stamp(0))
  private static let scopes: [SubscriptionScope] = [
    .zone(.standard), .privateDatabase(AccountID(1)), .publicDatabase,
  ]

  private struct CompiledSubscription {
    let predicate: Predicate
    let scope: SubscriptionScope
    let type: RecordType?
    let options: FiringOptions
  }

  private static func stamp(_ time: Int64) -> Stamp {
    let origin = Origin(account: AccountID(1), device: DeviceID(1), request: RequestNumber(1))
    return Stamp(time: Timestamp(microseconds: time), origin: origin)
  }

  init(seed: UInt64) {
    random = SeededGenerator(seed: seed)
  }

  mutating func step() throws {
    switch random.below(10) {
    case 0...5: for _ in 0..<1 + random.below(4) { try insert() }
    case 6: removeOne()
    default: change()
    }
  }

  private mutating func insert() throws {
    // A few predicates are repeated, so that equal ones have one block.
    var predicate =
      random.percent(20)
      ? try Predicate("age == \(random.below(3)) AND name == 'a'")
      : RandomPredicates.predicate(&random)
    if random.percent(20) {
      // A field that no other predicate names, so that slots are created and released.
      newNames += 1
      let form = random.one(of: ["new\(newNames) == 1", "ANY new\(newNames) ==[c] 'a'"])
      predicate = .or([predicate, try Predicate(form)])
    }
    let subscription = CompiledSubscription(
      predicate: predicate,
      scope: random.percent(80) ? Self.scopes[0] : random.one(of: Self.scopes),
      type: (random.percent(85) ? "Contact" : random.percent(50) ? nil : "Post").map(
        RecordType.init(stored:)),
      options: FiringOptions(rawValue: UInt8(1 + random.below(7))))
    let number = try index.insert(
      predicate, scope: subscription.scope, type: subscription.type, options: subscription.options)
    #expect(subscriptions[number.value] == nil)
    subscriptions[number.value] = subscription
  }

  mutating func removeOne() {
    guard let number = subscriptions.keys.sorted().randomElement(using: &random) else { return }
    subscriptions[number] = nil
    index.remove(SubscriptionNumber(number))
  }

  mutating func removeAll() {
    while !subscriptions.isEmpty { removeOne() }
  }

  private mutating func change() {
    let isNew = records.count < 5 || random.percent(30)
    let place = isNew ? records.count : random.below(records.count)
    let old = isNew ? nil : records[place]
    var new: (fields: Fields, system: SystemFields)?
    if isNew {
      new = (RandomRecords.fields(&random), RandomRecords.system(&random))
      records.append((Fields(), Self.system))
    } else if let old, random.percent(80) {
      let system = SystemFields(
        name: old.system.name, created: old.system.created,
        modified: RandomRecords.system(&random).modified)
      new = (RandomRecords.edited(old.fields, &random), system)
    }
    if let new { records[place] = new } else { records.remove(at: place) }
    check(old: old, new: new)
  }

  private func check(
    old: (fields: Fields, system: SystemFields)?, new: (fields: Fields, system: SystemFields)?
  ) {
    let scopes = [Self.scopes[0], Self.scopes[1]]
    var list = MatchList()
    index.match(
      RecordEvent(
        scopes: scopes, type: RecordType(stored: "Contact"), old: old.map(Self.state),
        new: new.map(Self.state)),
      into: &list)
    #expect(list.unknown.isEmpty)
    var expected: [UInt32: MatchReason] = [:]
    for (number, subscription) in subscriptions
    where scopes.contains(subscription.scope) && subscription.type?.text != "Post" {
      let before = old.map { PlainEvaluation($0.fields, $0.system).holds(subscription.predicate) }
      let after = new.map { PlainEvaluation($0.fields, $0.system).holds(subscription.predicate) }
      expected[number] = Self.reason(before, after, subscription.options)
    }
    #expect(list.matches.count == Set(list.matches.map(\.number)).count)
    for match in list.matches where expected[match.number] != match.reason {
      Issue.record("\(match) of \(String(describing: subscriptions[match.number]))")
    }
    let found = Set(list.matches.map(\.number))
    for (number, reason) in expected where !found.contains(number) {
      Issue.record("missing \(reason) of \(String(describing: subscriptions[number]))")
    }
  }

  private static func reason(
    _ before: Bool?, _ after: Bool?, _ options: FiringOptions
  ) -> MatchReason? {
    switch (before, after) {
    case (nil, true): options.contains(.creation) ? .created : nil
    case (true, nil): options.contains(.deletion) ? .deleted : nil
    case (true, true): options.contains(.update) ? .updated : nil
    case (false, true): options.contains(.update) ? .entered : nil
    case (true, false): options.contains(.update) ? .left : nil
    default: nil
    }
  }

  private static func state(_ record: (fields: Fields, system: SystemFields)) -> RecordState {
    RecordState(system: record.system, record: EncodedRecord(record.fields))
  }
}
