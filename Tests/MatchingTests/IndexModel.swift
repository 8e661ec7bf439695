// An index next to a plain list of the same subscriptions. Each event is matched by the index and by
// evaluating every predicate of the list.

import PredicateWorld
import Predicates
import Records
import Testing

@testable import Matching

/// An index and the list that it must agree with.
struct IndexModel {
  /// A subscription of the list.
  struct Entry {
    let predicate: Predicate
    let scope: SubscriptionScope
    let type: RecordType?
    let options: FiringOptions
  }

  /// A record before or after a change.
  typealias State = (fields: Fields, system: SystemFields)

  let index = SubscriptionIndex()
  private(set) var entries: [UInt32: Entry] = [:]
  /// The number of matches that the list expected so far.
  private(set) var matchCount = 0

  /// Inserts a subscription into both. Returns its number.
  @discardableResult
  mutating func insert(
    _ predicate: Predicate, scope: SubscriptionScope = .publicDatabase,
    type: RecordType? = RecordType(stored: "Contact"), options: FiringOptions = .all,
    of account: AccountID? = nil
  ) throws -> UInt32 {
    let number = try index.insert(
      predicate, scope: scope, type: type, options: options, of: account
    ).value
    #expect(entries[number] == nil, "the number of a living subscription is not given out again")
    entries[number] = Entry(predicate: predicate, scope: scope, type: type, options: options)
    #expect(index.count == entries.count)
    return number
  }

  /// Inserts subscriptions that no record matches, so that the partition files predicates under keys.
  mutating func insertRest(scope: SubscriptionScope = .publicDatabase) throws {
    for number in 0...Partition.scanMax {
      try insert(Predicate("resting == 'r\(number)'"), scope: scope)
    }
  }

  /// Removes a subscription from both.
  mutating func remove(_ number: UInt32) {
    index.remove(SubscriptionNumber(number))
    entries[number] = nil
    #expect(index.count == entries.count)
  }

  /// Removes all subscriptions, in a random order.
  mutating func removeAll(_ random: inout SeededGenerator) {
    for number in entries.keys.sorted().shuffled(using: &random) { remove(number) }
  }

  /// Matches a change with both and compares the results.
  mutating func check(
    old: State? = nil, new: State? = nil, scopes: [SubscriptionScope] = [.publicDatabase],
    type: RecordType = RecordType(stored: "Contact"), _ place: Comment
  ) {
    var list = MatchList()
    index.match(
      RecordEvent(
        scopes: scopes, type: type, old: old.map(Self.encoded), new: new.map(Self.encoded)),
      into: &list)
    #expect(list.unknown.isEmpty, place)
    var found: [UInt32: MatchReason] = [:]
    for match in list.matches {
      #expect(found.updateValue(match.reason, forKey: match.number) == nil, place)
    }
    var expected: [UInt32: MatchReason] = [:]
    for (number, entry) in entries
    where scopes.contains(entry.scope) && (entry.type == nil || entry.type == type) {
      expected[number] = Self.reason(entry, old: old, new: new)
    }
    matchCount += expected.count
    guard found != expected else { return }
    for number in Set(found.keys).union(expected.keys).sorted()
    where found[number] != expected[number] {
      Issue.record(
        """
        \(String(describing: found[number])) instead of \(String(describing: expected[number])): \
        \(String(describing: entries[number])), \(place)
        """)
    }
  }

  private static func encoded(_ state: State) -> RecordState {
    RecordState(system: state.system, record: EncodedRecord(state.fields))
  }

  private static func reason(_ entry: Entry, old: State?, new: State?) -> MatchReason? {
    let isChange = old != nil && new != nil
    let option: FiringOptions = isChange ? .update : old == nil ? .creation : .deletion
    guard entry.options.contains(option) else { return nil }
    let before = old.map { PlainEvaluation($0.fields, $0.system).holds(entry.predicate) } ?? false
    let after = new.map { PlainEvaluation($0.fields, $0.system).holds(entry.predicate) } ?? false
    guard isChange else { return before ? .deleted : after ? .created : nil }
    return after ? before ? .updated : .entered : before ? .left : nil
  }
}
