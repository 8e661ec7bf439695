import BrokerStore
import PostgreSQLConnections

/// The times that a store on PostgreSQL waits.
package struct PostgreSQLLimits: Sendable {
  /// How connections are opened, and how long they wait for an answer.
  package var connection = ConnectionSettings()
  /// The time after a failed attempt to connect in which no other attempt is made.
  package var pauseAfterFailure = Duration.seconds(1)
  /// The time between two attempts to find out what became of a transaction.
  package var attemptInterval = Duration.milliseconds(200)
  /// The time after which the outcome of a transaction is given up.
  package var outcome = Duration.seconds(120)
  /// The time that the server gets to end a connection that this broker has lost.
  package var takeover = Duration.seconds(20)
  /// The time that a transaction may wait for its broker before the server ends it, in seconds. Other brokers wait for it:
  /// the broker may be stopped, or its machine gone.
  package var turnSeconds = 5
  /// The commits of other brokers that a broker reads at once. One that was away for more starts again, so that it holds
  /// neither their memory nor the turn to write for long.
  package var unreadCommitsMaximum: Int64 = 10_000
  /// The time that another program, which may be ending, gets to leave the database.
  package var otherBroker = Duration.seconds(2)

  /// Creates the usual limits.
  package init() {}
}
