// Work that waits, in turns: each account's in the order it came, and between accounts one after the
// other. What an account may have waiting is bounded where it is asked for.

/// Work of accounts that take turns.
package struct AccountTurns<Work> {
  private var waiting: [StoreKey: Line<Work>] = [:]
  /// The accounts that have work waiting, the one whose turn it is first.
  private var order = Line<StoreKey>()

  /// Nothing waits.
  package init() {}

  /// Whether nothing waits.
  package var isEmpty: Bool { order.isEmpty }

  /// Whether work waits that is not this account's.
  package func hasWork(but account: StoreKey) -> Bool {
    waiting.count > (waiting[account] == nil ? 0 : 1)
  }

  /// Adds work behind what the account has waiting.
  package mutating func add(_ work: Work, of account: StoreKey) {
    if waiting[account] == nil { order.append(account) }
    waiting[account, default: Line()].append(work)
  }

  /// Takes the next piece of work out; `nil` where none waits.
  package mutating func next() -> Work? {
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
  package mutating func next(but account: StoreKey?) -> Work? {
    if let account, order.next == account, let account = order.popFirst() { order.append(account) }
    return order.next == account ? nil : next()
  }

  /// Puts work back that was taken out last and in this order, before what its accounts have waiting;
  /// the first piece comes next.
  package mutating func putBack(_ work: [(account: StoreKey, work: Work)]) {
    guard !work.isEmpty else { return }
    var returned: [StoreKey: Line<Work>] = [:]
    var first = Line<StoreKey>()
    for (account, piece) in work {
      if returned[account] == nil { first.append(account) }
      returned[account, default: Line()].append(piece)
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
