// Finds the subscriptions that match a change of a record, among a million, in microseconds.
// docs/decisions/0011-subscription-index.md describes the design and its reasons. An index is used from
// one thread; subscriptions are inserted and removed between events.

import Predicates
import Records

/// The records that a subscription covers: a zone or a database.
package enum SubscriptionScope: Hashable, Sendable {
  /// One zone.
  case zone(ZoneID)
  /// All zones that an account owns.
  case privateDatabase(AccountID)
  /// All zones that other accounts share with an account.
  case sharedDatabase(AccountID)
  /// The container's public database.
  case publicDatabase
}

/// A change of a record, to be matched against subscriptions.
package struct RecordEvent: Sendable {
  /// All scopes that contain the record.
  package var scopes: [SubscriptionScope]
  /// The record's type.
  package var type: RecordType
  /// The record before the change; `nil` on creation.
  package var old: RecordState?
  /// The record after the change; `nil` on deletion.
  package var new: RecordState?

  package init(
    scopes: [SubscriptionScope], type: RecordType, old: RecordState?, new: RecordState?
  ) {
    self.scopes = scopes
    self.type = type
    self.old = old
    self.new = new
  }
}

/// An index of subscriptions that finds those that match a change.
package final class SubscriptionIndex {
  private var partitions: [Partition?] = []
  private var indexes: [Partition.Key: Int] = [:]
  private var free: [Int] = []
  /// The last partition used: at startup, subscriptions are inserted partition by partition.
  private var latest: (key: Partition.Key, index: Int)?
  private var subscribers = SubscriberLists()
  private let scratch = ScratchMemory()
  /// The number of subscriptions to every record type.
  private var anyTypeCount = 0

  /// Creates an empty index.
  package init() {}

  /// The number of subscriptions.
  package var count: Int { subscribers.count }

  /// The memory in use, in bytes, including unused capacity.
  package var byteCount: Int {
    subscribers.byteCount + scratch.byteCount + partitions.reduce(0) { $0 + ($1?.byteCount ?? 0) }
  }

  /// Inserts a subscription, in about 1 µs. It is matched against the events that follow.
  /// - Parameters:
  ///   - account: the account that owns the subscription. Its predicates can read a limited number of
  ///     different fields in one scope (`SlotQuotas`). `nil` for no limit.
  ///   - wasAccepted: whether the subscription was accepted before, so that the limit does not apply.
  /// - Returns: the subscription's number, which may have been that of a removed subscription.
  /// - Throws: `invalidArguments` if the predicate uses `now()`; `quotaExceeded` if the account's
  ///   subscriptions read too many different fields; `limitExceeded` if the fields of all accounts do.
  ///   The index is unchanged then.
  package func insert(
    _ predicate: Predicate, scope: SubscriptionScope, type: RecordType?, options: FiringOptions,
    of account: AccountID? = nil, wasAccepted: Bool = false
  ) throws(RecordsError) -> SubscriptionNumber {
    let index = partitionIndex(of: Partition.Key(scope: scope, type: type))
    guard let partition = partitions[index] else {
      preconditionFailure("A partition's index refers to a free entry.")
    }
    let block: UInt32
    do {
      block = try partition.block(
        for: predicate, chargingTo: SlotCharge(account, wasAccepted: wasAccepted))
    } catch {
      if partition.count == 0 { drop(partition, index) }
      throw error
    }
    if type == nil { anyTypeCount += 1 }
    let header = partition.blocks.header(block)
    return SubscriptionNumber(subscribers.add(to: block, header, partition: index, options))
  }

  /// Removes a subscription, in about 1 µs. Its number can be reused by the next insert.
  package func remove(_ number: SubscriptionNumber) {
    guard let subscriber = subscribers[number],
      let partition = partitions[Int(subscriber.partition)]
    else { preconditionFailure("Subscription \(number.value) is not in the index.") }
    let header = partition.blocks.header(subscriber.block)
    subscribers.remove(number, header)
    if header.pointee.flags & BlockHeader.hasAny == 0 { partition.remove(subscriber.block) }
    if partition.key.type == nil { anyTypeCount -= 1 }
    if partition.count == 0 { drop(partition, Int(subscriber.partition)) }
  }

  /// Finds the subscriptions that match a change. The cost is a small constant and some nanoseconds for
  /// each match.
  /// - Parameters:
  ///   - only: the subscriptions that may be notified; `nil` for all. The predicates of other
  ///     subscriptions are not evaluated, so that their owners learn nothing about the record, not even
  ///     from a predicate that exceeds its limit.
  ///   - stepsMaximum: the limit of steps, at most `PredicateLimits.stepsPerEvent`.
  ///   - list: receives the result and replaces an earlier one.
  package func match(
    _ event: RecordEvent, among only: Set<SubscriptionNumber>? = nil,
    stepsMaximum: Int = PredicateLimits.stepsPerEvent, into list: inout MatchList
  ) {
    list.removeAll()
    list.stepsLeft = min(stepsMaximum, PredicateLimits.stepsPerEvent)
    list.only = only.map { Set($0.map(\.value)) }
    for scope in event.scopes {
      match(event, Partition.Key(scope: scope, type: event.type), into: &list)
      if anyTypeCount > 0 { match(event, Partition.Key(scope: scope, type: nil), into: &list) }
    }
  }

  /// Returns the partition of a scope and a type, for tests.
  func partition(_ scope: SubscriptionScope, _ type: String?) -> Partition? {
    indexes[Partition.Key(scope: scope, type: type.map(RecordType.init(stored:)))].flatMap {
      partitions[$0]
    }
  }

  private func match(_ event: RecordEvent, _ key: Partition.Key, into list: inout MatchList) {
    guard let index = indexes[key], let partition = partitions[index] else { return }
    partition.match(old: event.old, new: event.new, subscribers, into: &list)
  }

  private func partitionIndex(of key: Partition.Key) -> Int {
    if let latest, latest.key == key { return latest.index }
    if let index = indexes[key] {
      latest = (key, index)
      return index
    }
    let index = free.popLast() ?? partitions.count
    if index == partitions.count { partitions.append(nil) }
    partitions[index] = Partition(key, scratch)
    indexes[key] = index
    return index
  }

  private func drop(_ partition: Partition, _ index: Int) {
    partitions[index] = nil
    indexes[partition.key] = nil
    latest = nil
    free.append(index)
  }
}
