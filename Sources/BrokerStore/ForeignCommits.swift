import BrokerCore

/// What a store learns of other brokers on the same database. A store on a file has none.
package protocol ForeignCommits {
  /// Returns what other brokers have committed, and this broker has not published yet; `nil` for nothing. It comes before
  /// what the last transaction changed. Must be called on the thread that calls `transact`, after each transaction.
  func takeForeignCommits() -> CommitNotice?

  /// Looks for commits of other brokers. `transact` does it as well. Must be called on the thread that calls `transact`.
  func follow() throws

  /// Reads from now on the changes that other brokers make in these zones (`true`), or leaves them unread (`false`).
  func watch(_ zones: [StoreKey: Bool])
}

extension ForeignCommits {
  package func takeForeignCommits() -> CommitNotice? { nil }

  package func follow() {}

  package func watch(_ zones: [StoreKey: Bool]) {}
}
