import BrokerCore

/// What a store learns of other brokers on the same database. A store on a file has none.
package protocol ForeignCommits {
  /// Returns what other brokers have committed, and this broker has not published yet; `nil` for nothing. It comes before
  /// what the last transaction changed. Must be called on the thread that calls `transact`, after each transaction.
  func takeForeignCommits() -> CommitNotice?

  /// Looks for commits of other brokers. `transact` does it as well. Must be called on the thread that calls `transact`.
  func follow() throws

  /// The signals of other brokers that they have committed; `nil` if no other broker can use the database.
  var wakeups: (any CommitWakeups)? { get }

  /// Reads from now on the changes that other brokers make in these zones (`true`), or leaves them unread (`false`).
  func watch(_ zones: [StoreKey: Bool])
}

/// The signals between the brokers of one database. They are only a hint: each broker looks once a second anyway.
package protocol CommitWakeups: Sendable {
  /// Calls `look` whenever other brokers may have committed. Returns after `stop`.
  func run(_ look: () -> Void)

  /// Ends `run`.
  func stop()
}

extension ForeignCommits {
  package var wakeups: (any CommitWakeups)? { nil }

  package func takeForeignCommits() -> CommitNotice? { nil }

  package func follow() {}

  package func watch(_ zones: [StoreKey: Bool]) {}
}
