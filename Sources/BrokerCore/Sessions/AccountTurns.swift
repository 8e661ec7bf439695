// Work that waits, in turns: each account's in the order it came, and between accounts one after the
// other. What an account may have waiting is bounded where it is asked for.
//
// Inlinable: each save passes here, and generic code of another module costs it a microsecond.

import DequeModule

/// Work of accounts that take turns.
package struct AccountTurns<Work> {
  @usableFromInline var waiting: [StoreKey: Deque<Work>] = [:]
  /// The accounts that have work waiting, the one whose turn it is first.
  @usableFromInline var order: Deque<StoreKey> = []

  /// Nothing waits.
  @inlinable package init() {}

  /// Whether nothing waits.
  @inlinable package var isEmpty: Bool { order.isEmpty }

  /// Whether work waits that is not this account's.
  @inlinable package func hasWork(but account: StoreKey) -> Bool {
    waiting.count > (waiting[account] == nil ? 0 : 1)
  }

  /// Adds work behind what the account has waiting.
  @inlinable package mutating func add(_ work: Work, of account: StoreKey) {
    if waiting[account] == nil { order.append(account) }
    waiting[account, default: []].append(work)
  }

  /// Takes the next piece of work out; `nil` where none waits.
  @inlinable package mutating func next() -> Work? {
    guard let account = order.popFirst() else { return nil }
    // Taken in place: a copy of the line would be made for each piece.
    let work = waiting[account]?.popFirst()
    if waiting[account]?.isEmpty == true {
      waiting[account] = nil
    } else {
      order.append(account)
    }
    return work
  }

  /// Takes the next piece of work out that is not this account's, whose turn comes behind the others'.
  @inlinable package mutating func next(but account: StoreKey?) -> Work? {
    if let account, order.first == account, let account = order.popFirst() { order.append(account) }
    return order.first == account ? nil : next()
  }

  /// Puts work back that was taken out last and in this order, before what its accounts have waiting;
  /// the first piece comes next.
  @inlinable package mutating func putBack(_ work: [(account: StoreKey, work: Work)]) {
    guard !work.isEmpty else { return }
    var returned: [StoreKey: Deque<Work>] = [:]
    var first = Deque<StoreKey>()
    for (account, piece) in work {
      if returned[account] == nil { first.append(account) }
      returned[account, default: []].append(piece)
    }
    for (account, line) in returned {
      var line = line
      while let later = waiting[account]?.popFirst() { line.append(later) }
      waiting[account] = line
    }
    while let account = order.popFirst() {
      if returned[account] == nil { first.append(account) }
    }
    order = first
  }
}
