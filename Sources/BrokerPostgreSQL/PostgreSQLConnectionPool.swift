import BrokerStore
import PostgreSQLConnections
import Records
import Synchronization

/// Connections to a PostgreSQL database, of which a thread takes one for a while.
///
/// A connection that was idle while the server was restarted is lost, which shows at its next use. What runs here is
/// therefore run again on a new connection, and must come to the same if it was done already.
final class PostgreSQLConnectionPool: Sendable {
  /// The connections that are kept open while no thread uses them.
  private static let idleMaximum = 4

  /// NB: `@unchecked`, because a connection is used by the thread that has taken it.
  private struct Idle: @unchecked Sendable {
    let connection: PostgreSQLConnection
  }

  private let address: String
  private let schema: String
  private let idle = Mutex<[Idle]>([])

  /// Creates a pool without connections, which are opened when they are needed.
  /// - Parameter schema: The schema in which the connections find the tables.
  init(address: String, schema: String) {
    self.address = address
    self.schema = schema
  }

  /// Runs `body` in a transaction, whose changes are durable after a return.
  func transact<Result>(
    _ body: (PostgreSQLConnection) throws -> Result
  ) throws(StoreError) -> Result {
    try use { connection in
      connection.begin(isReadOnly: false)
      defer { connection.rollback() }
      let result = try body(connection)
      try connection.commit()
      return result
    }
  }

  /// Runs `body`, each of whose statements is a transaction of its own.
  func use<Result>(
    _ body: (PostgreSQLConnection) throws -> Result
  ) throws(StoreError) -> Result {
    do {
      let known = idle.withLock { $0.popLast()?.connection }
      if let known {
        do {
          return try run(body, on: known)
        } catch  where known.isBroken {
          // All others are as old.
          idle.withLock { $0 = [] }
        }
      }
      return try run(body, on: open())
    } catch {
      throw StoreError(ofPostgreSQL: error)
    }
  }

  private func run<Result>(
    _ body: (PostgreSQLConnection) throws -> Result, on connection: PostgreSQLConnection
  ) throws -> Result {
    defer { giveBack(connection) }
    return try body(connection)
  }

  private func open() throws -> PostgreSQLConnection {
    let connection = try PostgreSQLConnection(address)
    try PostgreSQLSchema.use(schema, on: connection)
    return connection
  }

  private func giveBack(_ connection: PostgreSQLConnection) {
    guard !connection.isBroken else { return }
    let opened = Idle(connection: connection)
    idle.withLock { if $0.count < Self.idleMaximum { $0.append(opened) } }
  }
}
