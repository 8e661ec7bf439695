import DequeModule

/// A fair queue: accounts take turns, and the work of one account stays in its order.
///
/// The queue itself has no limit; callers limit what an account may have in it. It is `@inlinable` because
/// every save passes through it, and unspecialized generic code of another module would cost a microsecond
/// each time.
package struct AccountTurns<Work> {
  /// The work of each account that has any.
  @usableFromInline var waiting: [StoreKey: Deque<Work>] = [:]
  /// The accounts that have work, in the order of their turns.
  @usableFromInline var order: Deque<StoreKey> = []

  /// Creates a queue without work.
  @inlinable package init() {}

  /// Whether no account has work.
  @inlinable package var isEmpty: Bool { order.isEmpty }

  /// Whether another account than `account` has work.
  @inlinable package func hasWork(excluding account: StoreKey) -> Bool {
    waiting.count > (waiting[account] == nil ? 0 : 1)
  }

  /// Adds work after that of the same account.
  @inlinable package mutating func add(_ work: Work, of account: StoreKey) {
    if waiting[account] == nil { order.append(account) }
    waiting[account, default: []].append(work)
  }

  /// Removes and returns the next work; `nil` if there is none.
  @inlinable package mutating func next() -> Work? {
    guard let account = order.popFirst() else { return nil }
    // Mutated in place, because a local variable would copy the deque.
    let work = waiting[account]?.popFirst()
    if waiting[account]?.isEmpty == true {
      waiting[account] = nil
    } else {
      order.append(account)
    }
    return work
  }

  /// Removes and returns the next work of another account than `account`, whose turn moves to the end.
  /// Returns `nil` if no other account has work.
  @inlinable package mutating func next(excluding account: StoreKey?) -> Work? {
    if let account, order.first == account, let account = order.popFirst() { order.append(account) }
    return order.first == account ? nil : next()
  }

  /// Puts back the work that was removed last. `work` must be in the order of removal; it precedes the other
  /// work of its accounts, and its first element is the next to be removed.
  @inlinable package mutating func putBack(_ work: [(account: StoreKey, work: Work)]) {
    guard !work.isEmpty else { return }
    var returned: [StoreKey: Deque<Work>] = [:]
    var first = Deque<StoreKey>()
    for (account, item) in work {
      if returned[account] == nil { first.append(account) }
      returned[account, default: []].append(item)
    }
    for (account, items) in returned {
      var items = items
      while let later = waiting[account]?.popFirst() { items.append(later) }
      waiting[account] = items
    }
    while let account = order.popFirst() {
      if returned[account] == nil { first.append(account) }
    }
    order = first
  }
}
