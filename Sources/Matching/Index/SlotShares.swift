// All accounts' subscriptions on one record type share its slots, and one account could name more
// fields than there are. So a slot is charged to the account that first named its field, and what an
// account may hold is a share of what is still free. The first may hold a thousand of 65,530. With
// every account that took its whole share the next one's shrinks: after 200 it is 60, and about 2,000
// accounts would have to act together to leave none.

import Predicates
import Records

/// The account whose predicate may need new slots.
enum SlotMaker {
  /// No account: nothing is charged.
  case none
  /// An account that may take its share.
  case account(AccountID)
  /// An account whose subscription was accepted before: what it needs is charged and not limited.
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

/// How many slots of a partition each account's predicates have made.
struct SlotShares {
  private var makers: [UInt16: AccountID] = [:]
  private var counts: [AccountID: Int] = [:]

  /// The divisor of an account's share of the free slots, before one is added for each account that holds
  /// slots.
  private static let parts = 64
  /// Slots below this one are charged to no account, so that most partitions keep no record of it.
  private static let chargedFrom: UInt16 = 256

  /// How many slots `maker` may take while `freeCount` are free.
  func allowance(of maker: SlotMaker, freeCount: Int) -> Int {
    guard case .account(let account) = maker else { return .max }
    guard !counts.isEmpty else { return freeCount / (Self.parts + 1) }
    let own = counts[account] ?? 0
    let parts = Self.parts + counts.count - (own > 0 ? 1 : 0)
    // The largest n for which own + n is one part of free - n.
    return max(0, (freeCount - parts * own) / (parts + 1))
  }

  /// Charges a slot to its maker.
  mutating func charge(_ slot: UInt16, to maker: SlotMaker) {
    guard slot >= Self.chargedFrom, let account = maker.account else { return }
    makers[slot] = account
    counts[account, default: 0] += 1
  }

  /// The slot is given back.
  mutating func discharge(_ slot: UInt16) {
    guard let account = makers.removeValue(forKey: slot), let count = counts[account] else {
      return
    }
    counts[account] = count > 1 ? count - 1 : nil
  }
}
