// Slots are created and released with the predicates that name their fields, and no account can use all.

import PredicateWorld
import Predicates
import Records
import TestTiers
import Testing

@testable import Matching

@Suite("B1 the slots of fields")
struct SlotTests {
  private let index = SubscriptionIndex()
  private let type = RecordType(stored: "Contact")

  private func insert(
    _ predicate: Predicate, of account: Int? = nil, wasAccepted: Bool = false
  ) throws -> SubscriptionNumber {
    try index.insert(
      predicate, scope: .publicDatabase, type: type, options: .all,
      of: account.map { AccountID(UInt128($0)) }, wasAccepted: wasAccepted)
  }

  private func matches(_ fields: Fields) -> Set<UInt32> {
    var list = MatchList()
    index.match(
      RecordEvent(
        scopes: [.publicDatabase], type: type, old: nil,
        new: RecordState(system: IndexWorld.system, record: EncodedRecord(fields))),
      into: &list)
    return Set(list.matches.map(\.number))
  }

  /// A predicate on a field of its own. The numbers rotate through all kinds of keys.
  private func predicate(_ number: Int) throws -> Predicate {
    let name = "field\(number)"
    let text =
      switch number % 8 {
      case 0: "\(name) == 'v'"
      case 1: "\(name) ==[cd] 'v'"
      case 2: "\(name) CONTAINS 'vvv' OR \(name) BEGINSWITH[c] 'v'"
      case 3: "\(name) > 4"
      case 4: "ANY \(name) == 'v'"
      case 5: "\(name) BETWEEN {3, 9}"
      case 6: "ANY \(name) BEGINSWITH 'v'"
      default: "\(name) <= 7 AND \(name) >= 5"
      }
    return try Predicate(text)
  }

  /// The fields of a record that the predicate of this number matches.
  private func fields(_ number: Int) -> Fields {
    let value: Value =
      switch number % 8 {
      case 0, 1: .string("v")
      case 2: .string("xvvv")
      case 4, 6: .list([.string("v")])
      default: .int64(6)
      }
    return [FieldKey(stored: "field\(number)"): value]
  }

  /// With one resting predicate all are evaluated one by one, with 100 they are filed under keys.
  @Test(.onlyInCheck, arguments: [(1, 70_000), (100, 200_000)])
  func `ever new field names leak no slots and no memory, and matches are still found`(
    resting: Int, names: Int
  ) throws {
    let kept = try (0..<resting).map { try insert(Predicate("kept == \($0)")) }
    var (latest, bytes): ([SubscriptionNumber], Int) = ([], 0)
    for number in 0..<names {
      latest.append(try insert(predicate(number)))
      if number % 5000 < 8 {
        #expect(matches(fields(number)) == latest.last.map { [$0.value] })
        #expect(matches(fields(number - 100)).isEmpty)
      }
      if latest.count > 20 { index.remove(latest.removeFirst()) }
      if number == 20_000 { bytes = index.byteCount }
    }
    for number in latest { index.remove(number) }
    let partition = try #require(index.partition(.publicDatabase, "Contact"))
    #expect(matches(["kept": .int64(0)]) == [kept[0].value])
    #expect(partition.table.slotCount < 100, "\(partition.table.slotCount)")
    #expect(partition.slotLedger.elements.isEmpty && partition.symbols.count <= 2 * resting)
    #expect(index.byteCount <= bytes + 4096, "\(index.byteCount) after \(bytes)")
  }

  @Test func `a reused slot has nothing of its former use`() throws {
    for number in 0..<100 { _ = try insert(Predicate("kept == \(number)")) }
    let former = try [
      "a CONTAINS 'abc'", "a > 5", "a < 100", "ANY a == 'x'", "a BEGINSWITH[c] 'abc'",
      "a == 'abcd'",
    ].map { try insert(Predicate($0)) }
    let partition = try #require(index.partition(.publicDatabase, "Contact"))
    let slots = partition.table.slotCount
    for number in former { index.remove(number) }
    for slot in SystemField.allCases.count..<slots where !partition.table.isUsed(UInt16(slot)) {
      #expect(partition.uses[slot].kinds == 0 && partition.uses[slot].trigramFilter == 0)
    }
    let latter = try insert(Predicate("b == 'abcd' OR b > 7"))
    #expect(partition.table.slotCount == slots)
    #expect(matches(["a": .string("abcd"), "b": .int64(6)]).isEmpty)
    #expect(matches(["a": .int64(50), "b": .int64(8)]) == [latter.value])
  }

  @Test func `words and accounts are loaded only while a predicate reads them`() throws {
    _ = try insert(Predicate("recordID == 'r'"))
    let words = try insert(Predicate("self CONTAINS 'word'"))
    let accounts = try insert(Predicate("creatorUserRecordID == 'x'"))
    let partition = try #require(index.partition(.publicDatabase, "Contact"))
    #expect(partition.table.usesWords && partition.table.usesAccounts)
    index.remove(words)
    index.remove(accounts)
    #expect(!partition.table.usesWords && !partition.table.usesAccounts)
  }

  @Test func `an account that names too many fields is rejected, and other accounts are not`()
    throws
  {
    var made = 0
    let error = #expect(throws: RecordsError.self) {
      for number in 0..<FieldTable.slotsMaximum {
        _ = try insert(Predicate("mine\(number) == 1"), of: 1)
        made += 1
      }
    }
    #expect(error?.code == .quotaExceeded && error?.reason == "subscriptionFields")
    #expect((1000..<1500).contains(made), "\(made)")
    let own = try insert(Predicate("mine7 == 1"), of: 1)
    #expect(matches(["mine7": .int64(1)]).contains(own.value), "known fields are still free to use")
    for number in 0..<900 { _ = try insert(Predicate("other\(number) == 1"), of: 2) }
    for account in 3..<200 {
      _ = #expect(throws: RecordsError.self) {
        for number in 0..<2000 {
          _ = try insert(Predicate("a\(account)x\(number) == 1"), of: account)
        }
      }
    }
    #expect(throws: Never.self) {
      for number in 0..<50 { _ = try insert(Predicate("last\(number) == 1"), of: 1000) }
    }
  }

  @Test func `an account can use its released slots again`() throws {
    _ = try insert(Predicate("kept == 1"))
    var numbers: [SubscriptionNumber] = []
    for round in 0..<5 {
      for number in 0..<900 {
        numbers.append(try insert(Predicate("r\(round)n\(number) == 1"), of: 1))
      }
      for number in numbers { index.remove(number) }
      numbers = []
    }
  }

  @Test func `subscriptions accepted before are accepted again in any order`() throws {
    for number in 0..<6000 {
      _ = try insert(Predicate("mine\(number) == 1"), of: 1, wasAccepted: true)
    }
    #expect(throws: RecordsError.self) { try insert(Predicate("more == 1"), of: 1) }
    #expect(throws: Never.self) { try insert(Predicate("more == 1"), of: 2) }
  }

  @Test func `predicates of one account never prevent those of another from being filed`() throws {
    // Each is evaluated without keys, and would use many slots if it were filed.
    for number in 0..<64 {
      let terms = (0..<200).map { "ANY f\(number)x\($0) BEGINSWITH 'a'" }
      let operands = try terms.map { try Predicate($0) }
      _ = try? insert(.or(operands), of: 1)
    }
    let number = try (0..<65).map { try insert(Predicate("plain == \($0)"), of: 2) }[64]
    #expect(matches(["plain": .int64(64)]) == [number.value])
    #expect(matches(["f1x1": .list([.string("abc")])]).count == 1)
  }
}
