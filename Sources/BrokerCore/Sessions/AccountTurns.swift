// Work that waits, in turns: each account's in the order it came, and between accounts one after the
// other. What an account may have waiting is bounded where it is asked for.

/// Work of accounts that take turns.
package struct AccountTurns<Work> {
  private var waiting: [StoreKey: [Work]] = [:]
  /// The accounts that have work waiting, the one whose turn it is first.
  private var order: [StoreKey] = []

  /// Nothing waits.
  package init() {}

  /// Adds work behind what the account has waiting.
  package mutating func add(_ work: Work, of account: StoreKey) {
    if waiting[account] == nil { order.append(account) }
    waiting[account, default: []].append(work)
  }

  /// Takes the next piece of work out; `nil` where none waits.
  package mutating func next() -> Work? {
    guard !order.isEmpty else { return nil }
    let account = order.removeFirst()
    guard var own = waiting.removeValue(forKey: account) else { return nil }
    let work = own.removeFirst()
    guard !own.isEmpty else { return work }
    waiting[account] = own
    order.append(account)
    return work
  }
}
