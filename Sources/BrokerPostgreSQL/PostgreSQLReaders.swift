// The connections of the threads that read. Devices get what they have read only when it is durable, on a synchronous
// standby too.

import BrokerStore
import PostgreSQLConnections
import Records
import Synchronization

/// The reading connections to a PostgreSQL database. Each thread that reads takes one for a while.
final class PostgreSQLReaders: Sendable {
  /// The connections that are kept open while nobody reads.
  private static let idleMaximum = 4

  /// An idle connection.
  ///
  /// NB: `@unchecked`, because a connection is used by the thread that has taken it.
  private struct Idle: @unchecked Sendable {
    let connection: PostgreSQLConnection
  }

  /// Thrown if a connection turned out to be closed, or unusable, before it gave an answer.
  private struct Stale: Error {
    let reason: any Error
  }

  private let address: String
  private let settings: ConnectionSettings
  private let doubt: CommitDoubt
  private let recentFailure: RecentFailure
  private let idle = Mutex<[Idle]>([])

  /// - Parameter doubt: Nothing is read while the outcome of a commit is unknown.
  init(address: String, limits: PostgreSQLLimits, doubt: CommitDoubt) {
    self.address = address
    settings = limits.connection
    self.doubt = doubt
    recentFailure = RecentFailure(pause: limits.pauseAfterFailure)
  }

  /// Runs `body` on a snapshot of the database. It may run twice, if nothing was read the first time.
  func read<Result>(_ body: (PostgreSQLConnection) throws -> Result) throws -> Result {
    try doubt.refuseReads()
    do {
      let result = try readOnIdle(body) ?? run(body, on: open())
      try doubt.refuseReads()
      return result
    } catch let stale as Stale {
      throw stale.reason
    }
  }

  /// Returns `nil` if there is no idle connection, or none that the server has not closed.
  private func readOnIdle<Result>(
    _ body: (PostgreSQLConnection) throws -> Result
  ) throws -> Result? {
    guard let connection = idle.withLock({ $0.popLast()?.connection }) else { return nil }
    do {
      return try run(body, on: connection)
    } catch is Stale {
      return nil
    }
  }

  private func run<Result>(
    _ body: (PostgreSQLConnection) throws -> Result, on connection: PostgreSQLConnection
  ) throws -> Result {
    connection.begin(isReadOnly: true)
    do {
      let result = try body(connection)
      try endReading(connection)
      giveBack(connection)
      return result
    } catch {
      let hasAnswered = connection.hasAnswered
      connection.rollback()
      guard connection.isBroken || error.needsNewConnection else {
        giveBack(connection)
        throw error
      }
      // A server that was restarted has closed all idle connections.
      idle.withLock { $0 = [] }
      throw hasAnswered ? error : Stale(reason: error)
    }
  }

  /// Ends a reading transaction. What it has seen of other brokers may not be durable yet on the standby: then it waits for
  /// that.
  private func endReading(_ connection: PostgreSQLConnection) throws {
    guard doubt.readsNeedConfirmation else { return try connection.commit() }
    let log = PostgreSQLCommitLog(connection: connection)
    let seen = try log.last().last.number
    try connection.commit()
    guard !doubt.isDurable(seen) else { return }
    do {
      try log.confirmSeen()
    } catch let unknown as CommitUnknown {
      throw unknown.reason
    }
    doubt.confirmed(through: seen)
  }

  private func open() throws -> PostgreSQLConnection {
    let (address, settings) = (address, settings)
    return try recentFailure.attempt { () throws(StoreError) in
      do {
        let connection = try PostgreSQLConnection(address, settings: settings)
        try PostgreSQLSchema.use(on: connection)
        return connection
      } catch {
        throw StoreError(ofPostgreSQL: error)
      }
    }
  }

  private func giveBack(_ connection: PostgreSQLConnection) {
    let opened = Idle(connection: connection)
    idle.withLock { if $0.count < Self.idleMaximum { $0.append(opened) } }
  }
}
