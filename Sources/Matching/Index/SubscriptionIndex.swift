// Finds, for every change of a record, exactly the subscriptions that are told, out of a million, in
// microseconds: docs/decisions/0011-subscription-index.md says how and why so. Who owns the index
// uses it from one thread; subscriptions come and go between two events.

import Predicates
import Records

/// Where a subscription looks: a zone, or something wider that the broker names by a number, such
/// as an account's private database.
package enum SubscriptionScope: Hashable, Sendable {
  /// One zone.
  case zone(ZoneID)
  /// All zones an account owns.
  case privateDatabase(AccountID)
  /// All zones of others that an account takes part in.
  case sharedDatabase(AccountID)
  /// The container's public database.
  case publicDatabase
}

/// A change of a record, as subscriptions see it.
package struct RecordEvent: Sendable {
  /// The scopes the record is in.
  package var scopes: [SubscriptionScope]
  /// Its type.
  package var type: RecordType
  /// It before the change; `nil` where it is made.
  package var old: RecordState?
  /// It after the change; `nil` where it is deleted.
  package var new: RecordState?

  /// A change.
  package init(
    scopes: [SubscriptionScope], type: RecordType, old: RecordState?, new: RecordState?
  ) {
    self.scopes = scopes
    self.type = type
    self.old = old
    self.new = new
  }
}

/// Subscriptions by what they ask.
package final class SubscriptionIndex {
  private var partitions: [Partition?] = []
  private var places: [Partition.Place: Int] = [:]
  private var free: [Int] = []
  /// The place that was asked for last: subscriptions that are read at the start come by place.
  private var latest: (place: Partition.Place, index: Int)?
  private var subscribers = SubscriberLists()
  private let bench = Workbench()
  /// Whether any subscription asks for every type.
  private var anyTypeCount = 0

  /// An index without subscriptions.
  package init() {}

  /// The subscriptions there are.
  package var count: Int { subscribers.count }

  /// The bytes it takes, with what it has room for.
  package var byteCount: Int {
    subscribers.byteCount + bench.byteCount + partitions.reduce(0) { $0 + ($1?.byteCount ?? 0) }
  }

  /// Adds a subscription; it sees the events that follow. About 1 µs.
  /// - Parameters:
  ///   - account: the account it belongs to, which may name a share of the fields that can be told
  ///     apart in one scope; `nil` for none.
  ///   - wasAccepted: whether it was in force before, so that the account's share is not asked.
  /// - Throws: `invalidArguments` for a predicate that asks for `now()`; `quotaExceeded` when the
  ///   account's subscriptions look at more fields than its share. Nothing was added then.
  package func insert(
    _ predicate: Predicate, scope: SubscriptionScope, type: RecordType?, options: FiringOptions,
    of account: AccountID? = nil, wasAccepted: Bool = false
  ) throws(RecordsError) -> SubscriptionNumber {
    let place = Partition.Place(scope: scope, type: type)
    let index = partitionIndex(of: place)
    guard let partition = partitions[index] else {
      preconditionFailure("A place leads to a partition that is there.")
    }
    let block: UInt32
    do {
      block = try partition.block(for: predicate, of: SlotMaker(account, wasAccepted: wasAccepted))
    } catch {
      if partition.count == 0 { drop(partition, index) }
      throw error
    }
    if type == nil { anyTypeCount += 1 }
    let header = partition.blocks.header(block)
    return SubscriptionNumber(subscribers.add(to: block, header, partition: index, options))
  }

  /// Takes a subscription out; no event that follows is told to it. Its number may be given out
  /// again. About 1 µs.
  package func remove(_ number: SubscriptionNumber) {
    guard let subscriber = subscribers[number],
      let partition = partitions[Int(subscriber.partition)]
    else { preconditionFailure("Subscription \(number.value) is not in the index.") }
    let header = partition.blocks.header(subscriber.block)
    subscribers.remove(number, header)
    if header.pointee.flags & BlockHeader.hasAny == 0 { partition.remove(subscriber.block) }
    if partition.place.type == nil { anyTypeCount -= 1 }
    if partition.count == 0 { drop(partition, Int(subscriber.partition)) }
  }

  /// Finds whom a change is told. The cost is a small constant and some nanoseconds for each.
  /// - Parameter only: the subscriptions that may hear of it, where not all may: no other is asked, so that
  ///   nobody learns anything of the record, not even by a predicate that takes too long on it.
  package func match(
    _ event: RecordEvent, among only: Set<SubscriptionNumber>? = nil,
    stepsMaximum: Int = PredicateLimits.stepsPerEvent, into list: inout MatchList
  ) {
    list.removeAll()
    list.stepsLeft = min(stepsMaximum, PredicateLimits.stepsPerEvent)
    list.only = only.map { Set($0.map(\.value)) }
    for scope in event.scopes {
      match(event, Partition.Place(scope: scope, type: event.type), into: &list)
      if anyTypeCount > 0 { match(event, Partition.Place(scope: scope, type: nil), into: &list) }
    }
  }

  /// What is kept for a scope and a type, for tests to look into.
  func partition(_ scope: SubscriptionScope, _ type: String?) -> Partition? {
    places[Partition.Place(scope: scope, type: type.map(RecordType.init(stored:)))].flatMap {
      partitions[$0]
    }
  }

  private func match(_ event: RecordEvent, _ place: Partition.Place, into list: inout MatchList) {
    guard let index = places[place], let partition = partitions[index] else { return }
    partition.match(old: event.old, new: event.new, subscribers, into: &list)
  }

  private func partitionIndex(of place: Partition.Place) -> Int {
    if let latest, latest.place == place { return latest.index }
    if let index = places[place] {
      latest = (place, index)
      return index
    }
    let index = free.popLast() ?? partitions.count
    if index == partitions.count { partitions.append(nil) }
    partitions[index] = Partition(place, bench)
    places[place] = index
    return index
  }

  private func drop(_ partition: Partition, _ index: Int) {
    partitions[index] = nil
    places[partition.place] = nil
    latest = nil
    free.append(index)
  }
}
