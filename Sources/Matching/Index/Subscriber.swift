import Predicates
import Records

/// The number of a subscription in an index. Numbers are small and reused after removal, so that the
/// index's owner can use them as array indexes.
package struct SubscriptionNumber: Hashable, Sendable {
  /// The number, from 0.
  package let value: UInt32

  /// Creates the number with this value.
  package init(_ value: UInt32) {
    self.value = value
  }
}

/// A subscription that matches a change.
package struct SubscriptionMatch: Hashable, Sendable, BitwiseCopyable {
  /// The subscription, as the value of its `SubscriptionNumber`.
  package let number: UInt32
  /// Why the subscription matches.
  package let reason: MatchReason

  package init(number: UInt32, reason: MatchReason) {
    self.number = number
    self.reason = reason
  }
}

/// The result of matching an event. The caller can pass a list again to reuse its memory.
package struct MatchList: Sendable {
  /// The subscriptions that match, in no order, each once.
  package internal(set) var matches: [SubscriptionMatch] = []
  /// The subscriptions whose predicate could not be evaluated within its limit of steps.
  package internal(set) var unknown: [SubscriptionNumber] = []
  /// The event's unused steps; 0 or less if it used all.
  package internal(set) var stepsLeft = 0

  /// The numbers of the only subscriptions that may be notified of the event; `nil` for all.
  var only: Set<UInt32>?

  /// Creates an empty list.
  package init() {}

  @inline(__always)
  func concerns(_ number: UInt32) -> Bool { only?.contains(number) ?? true }

  mutating func removeAll() {
    matches.removeAll(keepingCapacity: true)
    unknown.removeAll(keepingCapacity: true)
  }
}

/// A subscription's predicate. Predicates and subscribers are separate, so that a predicate with a
/// thousand subscribers is evaluated once.
struct Subscriber: BitwiseCopyable {
  /// The predicate's block; 0 after removal.
  var block: UInt32
  /// The position in the block's list of subscribers, if it has a list.
  var position: UInt32
  /// The index of the block's partition.
  var partition: UInt32
}

/// A subscriber in a block's list: its number in the low 29 bits, its firing options above.
struct SubscriberEntry: BitwiseCopyable {
  private let packed: UInt32

  @inline(__always)
  init(number: UInt32, options: FiringOptions) {
    precondition(number < 1 << 29, "An index has at most 2²⁹ subscriptions.")
    packed = number | UInt32(options.rawValue & 7) << 29
  }

  @inline(__always)
  init(packed: UInt32) {
    self.packed = packed
  }

  @inline(__always)
  var number: UInt32 { packed & (0x1FFF_FFFF) }
  @inline(__always)
  var options: UInt8 { UInt8(packed >> 29) }
  @inline(__always)
  var bits: UInt32 { packed }
}
