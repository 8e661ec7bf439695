// How brokers on one database learn at once that another has committed: notifications on a connection of their own. They
// are only a hint. Each broker looks once a second anyway, so that a lost one costs time and nothing else. Notifications
// inside of the transactions would make all commits of the server wait for each other.

import Glibc
import PostgreSQLConnections
import Records
import SQLConnections
import Synchronization

/// The notifications between brokers on one PostgreSQL database.
package final class PostgreSQLWakeups: Sendable {
  private static let channel = "contacts_broker"
  /// The time between two looks.
  private static let interval = Duration.seconds(1)
  /// The time that the server gets for a notification. Meanwhile this broker does not look.
  private static let answerLimit = Duration.seconds(2)
  /// The time between two notifications of this broker.
  private static let pause = Duration.milliseconds(10)

  private struct State {
    /// Whether this broker has committed since its last notification.
    var hasCommitted = false
    var isStopped = false
  }

  private let address: String
  private let settings: ConnectionSettings
  private let state = Mutex(State())
  /// A pipe that interrupts the wait.
  private let pipe: (reading: Int32, writing: Int32)

  init(address: String, limits: PostgreSQLLimits) {
    self.address = address
    var settings = limits.connection
    settings.answerLimit = min(settings.answerLimit, Self.answerLimit)
    self.settings = settings
    var ends: [Int32] = [-1, -1]
    precondition(Glibc.pipe(&ends) == 0, "The process has no free descriptor.")
    for end in ends {
      _ = fcntl(end, F_SETFL, O_NONBLOCK)
      _ = fcntl(end, F_SETFD, FD_CLOEXEC)
    }
    pipe = (ends[0], ends[1])
  }

  deinit {
    close(pipe.reading)
    close(pipe.writing)
  }

  /// Tells other brokers that this one has committed, a moment later.
  func wakeOthers() {
    let isNew = state.withLock { state in
      defer { state.hasCommitted = true }
      return !state.hasCommitted
    }
    if isNew { interrupt() }
  }

  /// Ends `run`.
  package func stop() {
    state.withLock { $0.isStopped = true }
    interrupt()
  }

  private func interrupt() {
    var byte: UInt8 = 0
    // A full pipe interrupts as well.
    _ = write(pipe.writing, &byte, 1)
  }

  /// Calls `look` when another broker may have committed, and once a second. Occupies its thread until `stop` is called.
  package func run(_ look: () -> Void) {
    var connection: PostgreSQLConnection?
    var lastNotification = ContinuousClock.now - Self.pause
    while !state.withLock({ $0.isStopped }) {
      do {
        let open = try connection ?? listen()
        connection = open
        if try wait(on: open, notified: &lastNotification) { look() }
      } catch {
        connection = nil
        look()
        pauseWithoutServer()
      }
    }
  }

  private func listen() throws -> PostgreSQLConnection {
    let connection = try PostgreSQLConnection(address, settings: settings)
    // A notification changes nothing that would have to survive.
    try connection.run("SET synchronous_commit = off")
    try connection.run("LISTEN \(Self.channel)")
    return connection
  }

  /// Returns whether it is time to look.
  private func wait(
    on connection: PostgreSQLConnection, notified last: inout ContinuousClock.Instant
  ) throws -> Bool {
    let hasCommitted = state.withLock { $0.hasCommitted }
    let due = last + Self.pause
    if hasCommitted, .now >= due {
      state.withLock { $0.hasCommitted = false }
      last = .now
      try connection.run("NOTIFY \(Self.channel)")
    }
    let limit = hasCommitted && .now < due ? due - .now : Self.interval
    let start = ContinuousClock.now
    let isNotified = try connection.waitForNotifications(within: limit, or: pipe.reading)
    drainPipe()
    return isNotified || .now - start >= Self.interval
  }

  private func drainPipe() {
    var bytes = [UInt8](repeating: 0, count: 64)
    while read(pipe.reading, &bytes, bytes.count) > 0 {}
  }

  private func pauseWithoutServer() {
    var file = pollfd(fd: pipe.reading, events: Int16(POLLIN), revents: 0)
    _ = poll(&file, 1, 1000)
    drainPipe()
  }
}
