// Whose answers are read, or wait in memory until a socket takes them: those of a few connections of each
// account at a time. The others of the account wait, so that what an account's connections leave
// unread has a bound however many they are.

import DequeModule

/// The connections of accounts that take turns at having answers.
struct AnswerTurns: Sendable {
  private struct Account: Sendable {
    var answered: Set<ConnectionID> = []
    /// Those of them that have not used their turn.
    var fresh: Set<ConnectionID> = []
    var waiting: Deque<ConnectionID> = []
    var isWaiting: Set<ConnectionID> = []
  }

  private var accounts: [StoreKey: Account] = [:]

  /// Whether an answer for a connection may be read now. If not, the connection waits for its turn,
  /// which `end` tells of; one that has answers already waits until these are taken, if others wait.
  mutating func begin(_ connection: ConnectionID, of account: StoreKey) -> Bool {
    let isAnswered = accounts[account]?.answered.contains(connection) ?? false
    if isAnswered, accounts[account]?.fresh.remove(connection) != nil { return true }
    if isAnswered, accounts[account]?.isWaiting.isEmpty == true { return true }
    let count = accounts[account]?.answered.count ?? 0
    if !isAnswered, count < BrokerLimits.answeredConnectionsPerAccount {
      accounts[account, default: Account()].answered.insert(connection)
      return true
    }
    if accounts[account]?.isWaiting.insert(connection).inserted == true {
      accounts[account]?.waiting.append(connection)
    }
    return false
  }

  /// A connection's socket takes nothing: it has answers, whether it was its turn or not.
  mutating func hold(_ connection: ConnectionID, of account: StoreKey) {
    accounts[account, default: Account()].answered.insert(connection)
  }

  /// Nothing is being read for a connection, and its socket has taken what was. Returns the connection
  /// whose turn it is now, which counts as one that has answers; `nil` where none waits.
  mutating func end(_ connection: ConnectionID, of account: StoreKey) -> ConnectionID? {
    guard accounts[account]?.answered.remove(connection) != nil else { return nil }
    accounts[account]?.fresh.remove(connection)
    return next(of: account)
  }

  /// A connection is gone. Returns what `end` does.
  mutating func forget(_ connection: ConnectionID, of account: StoreKey) -> ConnectionID? {
    // Its place in the line is skipped when it comes up.
    accounts[account]?.isWaiting.remove(connection)
    return end(connection, of: account)
  }

  /// Whether connections of an account wait for others of it.
  func isWaited(for account: StoreKey) -> Bool {
    accounts[account]?.isWaiting.isEmpty == false
  }

  private mutating func next(of account: StoreKey) -> ConnectionID? {
    while let count = accounts[account]?.answered.count,
      count < BrokerLimits.answeredConnectionsPerAccount,
      let connection = accounts[account]?.waiting.popFirst()
    {
      guard accounts[account]?.isWaiting.remove(connection) != nil else { continue }
      accounts[account]?.answered.insert(connection)
      accounts[account]?.fresh.insert(connection)
      return connection
    }
    if accounts[account]?.answered.isEmpty == true { accounts[account] = nil }
    return nil
  }
}
