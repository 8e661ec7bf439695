// The subscriptions of all accounts to one record type use the same slots, and one account could name
// more fields than there are slots. So a slot is charged to the account that first named its field, and
// an account's quota is a fraction of the free slots. The first account can use about 1,000 of 65,530.
// Each account that exhausts its quota reduces the quota of the next one. After 200 such accounts the
// quota is 60; about 2,000 accounts together could use up all slots.

import Predicates
import Records

/// The account that a predicate's new slots are charged to.
enum SlotCharge {
  /// Not charged, without a limit.
  case none
  /// Charged to an account, up to its quota.
  case account(AccountID)
  /// Charged to an account without a limit, because its subscription was accepted before.
  case accepted(AccountID)

  init(_ account: AccountID?, wasAccepted: Bool) {
    self = account.map { wasAccepted ? .accepted($0) : .account($0) } ?? .none
  }

  fileprivate var account: AccountID? {
    switch self {
    case .none: nil
    case .account(let account), .accepted(let account): account
    }
  }
}

/// The number of slots in a partition that each account's predicates have created.
struct SlotQuotas {
  private var accounts: [UInt16: AccountID] = [:]
  private var counts: [AccountID: Int] = [:]

  /// The divisor of the free slots that gives a quota, before 1 is added for each account with slots.
  private static let parts = 64
  /// Slots below this number are not charged, so that most partitions need no records of charges.
  private static let chargedFrom: UInt16 = 256

  /// Returns the number of slots that `charge` can still use, if `freeCount` slots are free.
  func allowance(of charge: SlotCharge, freeCount: Int) -> Int {
    guard case .account(let account) = charge else { return .max }
    guard !counts.isEmpty else { return freeCount / (Self.parts + 1) }
    let own = counts[account] ?? 0
    let parts = Self.parts + counts.count - (own > 0 ? 1 : 0)
    // The largest n for which own + n <= (free - n) / parts.
    return max(0, (freeCount - parts * own) / (parts + 1))
  }

  /// Charges a new slot.
  mutating func add(_ slot: UInt16, to charge: SlotCharge) {
    guard slot >= Self.chargedFrom, let account = charge.account else { return }
    accounts[slot] = account
    counts[account, default: 0] += 1
  }

  /// Ends the charge for a released slot.
  mutating func remove(_ slot: UInt16) {
    guard let account = accounts.removeValue(forKey: slot), let count = counts[account] else {
      return
    }
    counts[account] = count > 1 ? count - 1 : nil
  }
}
