// Who is told. Kept apart from the predicates: a thousand devices that ask the same hang on one
// predicate, which is run once.

import Predicates
import Records

/// The number of a subscription in an index: small, and given out again after its removal, so that
/// whoever keeps the index can keep the rest in an array.
package struct SubscriptionNumber: Hashable, Sendable {
  /// The number, from 0.
  package let value: UInt32

  /// The subscription of this number.
  package init(_ value: UInt32) {
    self.value = value
  }
}

/// A subscription to be told, and why.
package struct SubscriptionMatch: Hashable, Sendable, BitwiseCopyable {
  /// The subscription.
  package let number: UInt32
  /// The reason.
  package let reason: MatchReason

  /// Tells subscription `number` for `reason`.
  package init(number: UInt32, reason: MatchReason) {
    self.number = number
    self.reason = reason
  }
}

/// What an event came to. Kept by the caller and used again, so that nothing is allocated.
package struct MatchList: Sendable {
  /// Whom to tell, in no order, nobody twice.
  package internal(set) var matches: [SubscriptionMatch] = []
  /// Subscriptions whose predicate could not be evaluated within its limit.
  package internal(set) var unknown: [SubscriptionNumber] = []
  /// What the event left of the steps it might take.
  package internal(set) var stepsLeft = 0

  /// The only subscriptions that may hear of the event, where not all may.
  var only: Set<UInt32>?

  /// Nothing so far.
  package init() {}

  @inline(__always)
  func concerns(_ number: UInt32) -> Bool { only?.contains(number) ?? true }

  mutating func removeAll() {
    matches.removeAll(keepingCapacity: true)
    unknown.removeAll(keepingCapacity: true)
  }
}

/// One subscription: its predicate's block and its place among the block's subscribers.
struct Subscriber: BitwiseCopyable {
  /// 0 once it is removed.
  var block: UInt32
  /// Its place in the block's list, where there is one.
  var position: UInt32
  /// The partition that the block is in.
  var partition: UInt32
}

/// A subscriber as a block keeps it: the number in the low 29 bits, the options above.
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
