import DequeModule

/// Limits the memory for answers that clients do not read.
///
/// At most `BrokerLimits.answeredConnectionsPerAccount` connections of an account have answers that are being
/// read from the store or written to the socket. The account's other connections wait for their turn.
struct AnswerTurns: Sendable {
  private struct Account: Sendable {
    /// The connections that have answers.
    var answered: Set<ConnectionID> = []
    /// Those of `answered` that were given a turn and have not used it yet.
    var fresh: Set<ConnectionID> = []
    /// The connections that wait, in order. May contain closed ones; those are not in `isWaiting`.
    var waiting: Deque<ConnectionID> = []
    var isWaiting: Set<ConnectionID> = []
  }

  private var accounts: [StoreKey: Account] = [:]

  /// Returns whether an answer for the connection may be read now. If not, the connection is queued, and a
  /// later call of `end` returns it. While other connections of the account wait, a connection that has
  /// answers gets no more until they are written.
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

  /// Records that a connection's socket is not writable. The connection then counts as one that has answers,
  /// even if it was not its turn.
  mutating func hold(_ connection: ConnectionID, of account: StoreKey) {
    accounts[account, default: Account()].answered.insert(connection)
  }

  /// Ends the turn of a connection whose answers are all written. Returns the connection whose turn it is
  /// now, which then counts as one that has answers; `nil` if none waits.
  mutating func end(_ connection: ConnectionID, of account: StoreKey) -> ConnectionID? {
    guard accounts[account]?.answered.remove(connection) != nil else { return nil }
    accounts[account]?.fresh.remove(connection)
    return next(of: account)
  }

  /// Removes a closed connection. Returns the same as `end`.
  mutating func forget(_ connection: ConnectionID, of account: StoreKey) -> ConnectionID? {
    // `next` skips its entry in `waiting`.
    accounts[account]?.isWaiting.remove(connection)
    return end(connection, of: account)
  }

  /// Whether connections of an account wait for their turn.
  func hasWaiting(of account: StoreKey) -> Bool {
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
