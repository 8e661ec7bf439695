// The writing connection to a PostgreSQL database. It is opened again after it was lost. If it was lost while the server
// committed, the next connection finds out whether the transaction is committed, before anything else happens: its
// results are then those of a committed transaction, or it is run again like one that failed.

import Glibc
import PostgreSQLConnections
import Records
import SQLConnections

/// The connection on which one broker writes.
///
/// NB: `@unchecked`, because it is used only on the storage thread, which the compiler cannot see.
final class PostgreSQLWriter: @unchecked Sendable {
  /// How long the broker looks for the outcome of a commit before it gives up.
  private static let outcomeSecondsMaximum = 120
  /// How long a server may take to notice that a broker's former connection is gone.
  private static let takeoverSecondsMaximum = 20
  private static let pause = Duration.milliseconds(200)

  private let address: String
  private var connection: PostgreSQLConnection?
  /// The server's process of the last connection.
  private var formerProcess: Int32?
  /// The number of the last transaction that was begun.
  private var number: Int64 = 0

  /// Connects to the database and creates or migrates its tables.
  /// - Throws: `StoreError`; `inUse` if another broker is connected to the database.
  init(address: String) throws {
    self.address = address
    _ = try open()
  }

  /// Runs `body` in a transaction. After a return, its changes survive a power cut of the server, and of its
  /// synchronous standby.
  /// - Parameter body: Gets the connection, and whether its transaction is the first on it.
  func transact<Result>(
    _ body: (_ db: PostgreSQLConnection, _ isFirst: Bool) throws -> Result
  ) throws -> Result {
    let connection = try self.connection ?? open()
    connection.begin(isReadOnly: false)
    do {
      let result = try body(connection, isFresh)
      isFresh = false
      if connection.hasWritten {
        number += 1
        try PostgreSQLCommitMarks(connection: connection).write(number)
      }
      try commit(connection)
      return result
    } catch {
      connection.rollback()
      drop(ifBroken: connection)
      throw error
    }
  }

  /// Whether no transaction has run on the present connection.
  private var isFresh = true

  private func drop(ifBroken connection: PostgreSQLConnection) {
    guard connection.isBroken else { return }
    formerProcess = connection.serverProcess
    self.connection = nil
  }

  // MARK: Commits

  private func commit(_ connection: PostgreSQLConnection) throws {
    let hasWritten = connection.hasWritten
    do {
      try connection.commit()
    } catch let unknown as CommitUnknown {
      drop(ifBroken: connection)
      guard hasWritten else { return }
      guard try isCommitted(number) else { throw unknown }
    }
  }

  /// Whether the transaction with this number is committed, durably. Waits for a server that can say so.
  /// - Throws: The last failure, if none can for a long time. The broker must then restart.
  private func isCommitted(_ number: Int64) throws -> Bool {
    var attemptsLeft = Self.outcomeSecondsMaximum * 5
    while true {
      do {
        let connection = try self.connection ?? open()
        let marks = PostgreSQLCommitMarks(connection: connection)
        guard try marks.last() == number else { return false }
        // A commit that the server confirms covers those before it, on a standby too.
        connection.begin(isReadOnly: false)
        defer { connection.rollback() }
        try marks.write(number)
        try connection.commit()
        return true
      } catch {
        attemptsLeft -= 1
        connection.map(drop(ifBroken:))
        guard attemptsLeft > 0 else { throw OutcomeUnknown(reason: "\(error)") }
        Self.sleep()
      }
    }
  }

  // MARK: Connecting

  private func open() throws -> PostgreSQLConnection {
    let opened = try PostgreSQLConnection(address)
    try PostgreSQLSchema.use(on: opened)
    try claim(opened)
    try PostgreSQLSchema.prepare(opened)
    // Numbers go on after those of earlier brokers.
    number = max(number, try PostgreSQLCommitMarks(connection: opened).last())
    formerProcess = nil
    connection = opened
    isFresh = true
    return opened
  }

  /// Makes this the only broker that is connected to the database. The lock ends with the connection.
  private func claim(_ connection: PostgreSQLConnection) throws {
    if let formerProcess {
      // The server may not know yet that the former connection is gone.
      try connection.run("SELECT pg_terminate_backend(?::integer)", [Int64(formerProcess)])
    }
    var attemptsLeft = formerProcess == nil ? 1 : Self.takeoverSecondsMaximum * 5
    while true {
      let isOwn: Bool? = try connection.value(
        "SELECT pg_try_advisory_lock(?)", [PostgreSQLSchema.LockNumber.broker])
      if isOwn == true { return }
      attemptsLeft -= 1
      guard attemptsLeft > 0 else {
        throw StoreError(.inUse, "Another broker is connected to the database.")
      }
      Self.sleep()
    }
  }

  private static func sleep() {
    let (seconds, attoseconds) = pause.components
    var time = timespec(tv_sec: Int(seconds), tv_nsec: Int(attoseconds / 1_000_000_000))
    nanosleep(&time, nil)
  }
}

/// The outcome of a commit could not be found out. Devices may not know of changes that are in the database, so the
/// broker must restart.
struct OutcomeUnknown: Error, CustomStringConvertible {
  let reason: String

  var description: String { "It is unknown whether a transaction was committed: \(reason)" }
}
