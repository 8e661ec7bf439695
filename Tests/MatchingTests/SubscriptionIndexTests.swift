// Rules of the index that the property tests do not test one by one.

import PredicateWorld
import Predicates
import Records
import TestTiers
import Testing

@testable import Matching

@Suite("B1, B4 the subscription index")
struct SubscriptionIndexTests {
  private let index = SubscriptionIndex()

  private func insert(
    _ text: String, scope: SubscriptionScope = .zone(.standard), type: String? = "Contact",
    options: FiringOptions = .all
  ) throws -> UInt32 {
    try index.insert(
      Predicate(text), scope: scope, type: type.map(RecordType.init(stored:)), options: options
    ).value
  }

  private func matches(
    old: Fields? = nil, new: Fields? = nil, scopes: [SubscriptionScope] = [.zone(.standard)],
    type: String = "Contact"
  ) -> [UInt32: MatchReason] {
    var list = MatchList()
    let state = { RecordState(system: IndexWorld.system, record: EncodedRecord($0)) }
    index.match(
      RecordEvent(
        scopes: scopes, type: RecordType(stored: type), old: old.map(state), new: new.map(state)),
      into: &list)
    return Dictionary(uniqueKeysWithValues: list.matches.map { ($0.number, $0.reason) })
  }

  @Test
  func `the states before and after decide between created, updated, entered, left and deleted`()
    throws
  {
    let number = try insert("age > 17")
    let (child, adult): (Fields, Fields) = (["age": .int64(10)], ["age": .int64(20)])
    #expect(matches(new: adult) == [number: .created] && matches(new: child) == [:])
    #expect(matches(old: child, new: adult) == [number: .entered])
    #expect(matches(old: adult, new: adult) == [number: .updated])
    #expect(matches(old: adult, new: child) == [number: .left])
    #expect(matches(old: adult) == [number: .deleted] && matches(old: child) == [:])
  }

  @Test func `a subscription matches only the changes that its options select`() throws {
    let creation = try insert("TRUEPREDICATE", options: .creation)
    let update = try insert("TRUEPREDICATE", options: .update)
    let deletion = try insert("TRUEPREDICATE", options: .deletion)
    #expect(matches(new: [:]) == [creation: .created])
    #expect(matches(old: [:], new: [:]) == [update: .updated])
    #expect(matches(old: [:]) == [deletion: .deleted])
  }

  @Test func `a subscription matches only its scope and its type`() throws {
    let here = try insert("TRUEPREDICATE")
    let everything = try insert("TRUEPREDICATE", type: nil)
    let wide = try insert("TRUEPREDICATE", scope: .privateDatabase(AccountID(1)))
    #expect(Set(matches(new: [:]).keys) == [here, everything])
    #expect(Set(matches(new: [:], type: "Post").keys) == [everything])
    let scopes: [SubscriptionScope] = [.zone(.standard), .privateDatabase(AccountID(1))]
    #expect(Set(matches(new: [:], scopes: scopes).keys) == [here, everything, wide])
    #expect(matches(new: [:], scopes: [.publicDatabase]).isEmpty)
  }

  @Test func `equal predicates are stored once, in any order and spelling`() throws {
    _ = try insert("a == 1 AND b == 'x'")
    let partition = try #require(index.partition(.zone(.standard), "Contact"))
    let bytes = partition.count
    for text in [
      "b == 'x' AND a == 1.0", "NOT NOT (a IN {1} AND b == 'x')", "a == 1 AND (b == 'x')",
    ] {
      _ = try insert(text)
    }
    #expect(partition.count == bytes && index.count == 4)
    #expect(matches(new: ["a": .int64(1), "b": .string("x")]).count == 4)
  }

  @Test func `when all but one are removed, only that one is left`() throws {
    let kept = try insert("kept == 1")
    var numbers: [UInt32] = []
    var random = SeededGenerator(seed: 5)
    for _ in 0..<400 {
      let predicate = RandomPredicates.predicate(&random)
      numbers.append(
        try index.insert(
          predicate, scope: .zone(.standard), type: RecordType(stored: "Contact"), options: .all
        ).value)
    }
    for number in numbers.shuffled(using: &random) { index.remove(SubscriptionNumber(number)) }
    let partition = try #require(index.partition(.zone(.standard), "Contact"))
    // Only the value that it compares with is left. It is filed under that value or not at all.
    #expect(partition.count == 1 && partition.symbols.count == 1)
    #expect(matches(new: ["kept": .int64(1)]) == [kept: .created])
  }

  @Test func `a signature agrees with either state of a change`() throws {
    for number in 0..<100 { _ = try insert("a == \(number) AND b == \(number)") }
    let number = try insert("a == 7 AND b == 2")
    let (before, after): (Fields, Fields) = (
      ["a": .int64(7), "b": .int64(2)], ["a": .int64(7), "b": .int64(3)]
    )
    #expect(matches(old: before, new: after) == [number: .left])
    #expect(matches(old: after, new: before) == [number: .entered])
  }

  @Test func `a predicate that takes too long on a record is reported, and no other is`() throws {
    let pattern = "*" + String(repeating: "a", count: 3000) + "b*"
    let slow = try index.insert(
      Predicate("note LIKE %@ OR x == 1", arguments: [.string(pattern)]),
      scope: .zone(.standard), type: RecordType(stored: "Contact"), options: .all)
    let fast = try insert("note CONTAINS 'aaa'")
    let long: Fields = ["note": .string(String(repeating: "a", count: 100_000))]
    var list = MatchList()
    let state = RecordState(system: IndexWorld.system, record: EncodedRecord(long))
    let event = RecordEvent(
      scopes: [.zone(.standard)], type: RecordType(stored: "Contact"), old: nil, new: state)
    index.match(event, into: &list)
    #expect(list.unknown == [slow] && list.matches.map(\.number) == [fast])
    #expect(
      matches(new: ["x": .int64(1)]) == [slow.value: .created], "it is evaluated for other records")
  }

  @Test
  func `a text too long to be folded is unknown only to predicates that read its folded form`()
    throws
  {
    for number in 0..<100 { _ = try insert("other ==[c] 'v\(number)'") }
    let asked = try ["note ==[d] 'y'", "NOT note CONTAINS[c] 'z'", "ANY tags ==[cd] 'y'"].map {
      try insert($0)
    }
    let plain = try [insert("note BEGINSWITH 'y'"), insert("x == 1")]
    let words = try insert("self CONTAINS 'y'")
    let long = Value.string("y" + String(repeating: "\u{301}", count: 40_000))
    let record = EncodedRecord(["note": long, "tags": .list([long]), "x": .int64(1)])
    var list = MatchList()
    index.match(
      RecordEvent(
        scopes: [.zone(.standard)], type: RecordType(stored: "Contact"), old: nil,
        new: RecordState(system: IndexWorld.system, record: record)), into: &list)
    #expect(Set(list.unknown.map(\.value)) == Set(asked + [words]))
    #expect(Set(list.matches.map(\.number)) == Set(plain))
  }

  @Test func `an event without steps is reported to all subscriptions it may concern`()
    throws
  {
    let all = try insert("x == 1")
    var list = MatchList()
    let event = RecordEvent(
      scopes: [.zone(.standard)], type: RecordType(stored: "Contact"), old: nil,
      new: RecordState(system: IndexWorld.system, record: EncodedRecord(["x": .int64(1)])))
    index.match(event, stepsMaximum: 0, into: &list)
    #expect(list.unknown.map(\.value) == [all] && list.matches.isEmpty)
    index.match(event, stepsMaximum: 1000, into: &list)
    #expect(list.unknown.isEmpty && list.matches.map(\.number) == [all])
    #expect((1..<1000).contains(list.stepsLeft))
  }

  @Test(.onlyInCheck)
  func `many costly predicates cost no more than a few, and ordinary ones are still evaluated`()
    throws
  {
    // Each stays below the limit of one run.
    let pattern = "*" + String(repeating: "a", count: 100) + "b*"
    var costly: Set<UInt32> = []
    for number in 0..<40 {
      let predicate = try Predicate(
        "note LIKE %@ OR x == \(number)", arguments: [.string(pattern)])
      costly.insert(
        try index.insert(
          predicate, scope: .zone(.standard), type: RecordType(stored: "Contact"), options: .all
        ).value)
    }
    let plain = try insert("note BEGINSWITH 'aaa'")
    let state = RecordState(
      system: IndexWorld.system,
      record: EncodedRecord(["note": .string(String(repeating: "a", count: 80_000))]))
    var list = MatchList()
    index.match(
      RecordEvent(
        scopes: [.zone(.standard)], type: RecordType(stored: "Contact"), old: nil, new: state),
      into: &list)
    #expect(list.matches.map(\.number) == [plain])
    let off = Set(list.unknown.map(\.value))
    #expect(!off.isEmpty && off.isStrictSubset(of: costly), "\(off.count)")
  }

  @Test(.onlyInCheck) func `costly predicates do not use up the steps that cheaper ones need`()
    throws
  {
    let pattern = "*" + String(repeating: "a", count: 100) + "b*"
    var costly: Set<SubscriptionNumber> = []
    for number in 0..<8 {
      costly.insert(
        try index.insert(
          Predicate("note LIKE %@ OR x == \(number)", arguments: [.string(pattern)]),
          scope: .zone(.standard), type: RecordType(stored: "Contact"), options: .all))
    }
    // It reads every byte, which is more than an ordinary one does.
    let searching = try insert("note CONTAINS 'needle'")
    let text = String(repeating: "a", count: 150_000) + "needle"
    let state = RecordState(
      system: IndexWorld.system, record: EncodedRecord(["note": .string(text)]))
    var list = MatchList()
    index.match(
      RecordEvent(
        scopes: [.zone(.standard)], type: RecordType(stored: "Contact"), old: nil, new: state),
      into: &list)
    #expect(list.matches.map(\.number) == [searching])
    #expect(Set(list.unknown).isSubset(of: costly) && !list.unknown.isEmpty)
  }

  @Test func `if only some subscriptions may be notified, no other predicate is evaluated`()
    throws
  {
    let pattern = "*" + String(repeating: "a", count: 3000) + "b*"
    let slow = try index.insert(
      Predicate("note LIKE %@", arguments: [.string(pattern)]), scope: .zone(.standard),
      type: RecordType(stored: "Contact"), options: .all)
    let own = try index.insert(
      Predicate("note BEGINSWITH 'aaa'"), scope: .zone(.standard),
      type: RecordType(stored: "Contact"), options: .all)
    let others = try index.insert(
      Predicate("note BEGINSWITH 'aaa'"), scope: .zone(.standard),
      type: RecordType(stored: "Contact"), options: .all)
    let long: Fields = ["note": .string(String(repeating: "a", count: 100_000))]
    let event = RecordEvent(
      scopes: [.zone(.standard)], type: RecordType(stored: "Contact"), old: nil,
      new: RecordState(system: IndexWorld.system, record: EncodedRecord(long)))
    var list = MatchList()
    index.match(event, among: [own], into: &list)
    #expect(list.unknown.isEmpty && list.matches.map(\.number) == [own.value])
    index.match(event, into: &list)
    #expect(list.unknown == [slow])
    #expect(Set(list.matches.map(\.number)) == [own.value, others.value])
  }

  @Test func `now() is rejected, and the index is unchanged`() throws {
    #expect(throws: RecordsError.self) { try insert("born < now()") }
    #expect(index.count == 0 && index.partition(.zone(.standard), "Contact") == nil)
  }

  @Test func `ten thousand scopes with one subscription use less than two kilobytes each`() throws {
    for number in 1...10_000 {
      _ = try insert("city == 'x'", scope: .privateDatabase(AccountID(UInt128(number))))
    }
    #expect(index.byteCount < 10_000 * 2000)
    let found = matches(new: ["city": .string("x")], scopes: [.privateDatabase(AccountID(77))])
    #expect(found.count == 1)
  }

  @Test func `numbers are reused and stay small`() throws {
    let first = try insert("a == 1")
    for _ in 0..<100 {
      let number = try insert("a == 2")
      #expect(number == first + 1)
      index.remove(SubscriptionNumber(number))
    }
  }
}
