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

  private let address: String
  private let idle = Mutex<[Idle]>([])

  init(address: String) {
    self.address = address
  }

  /// Runs `body` on a snapshot of the database.
  func read<Result>(_ body: (PostgreSQLConnection) throws -> Result) throws -> Result {
    let connection = try idle.withLock { $0.popLast()?.connection } ?? open()
    connection.begin(isReadOnly: true)
    defer { giveBack(connection) }
    do {
      let result = try body(connection)
      try connection.commit()
      return result
    } catch {
      connection.rollback()
      // A server that was restarted has closed all idle connections.
      if connection.isBroken { idle.withLock { $0 = [] } }
      throw error
    }
  }

  private func open() throws -> PostgreSQLConnection {
    let connection = try PostgreSQLConnection(address)
    try PostgreSQLSchema.use(on: connection)
    return connection
  }

  private func giveBack(_ connection: PostgreSQLConnection) {
    guard !connection.isBroken else { return }
    let opened = Idle(connection: connection)
    idle.withLock { if $0.count < Self.idleMaximum { $0.append(opened) } }
  }
}
