// How brokers on one database learn at once that another has committed: notifications on a connection of their own, with
// the number of the last commit. They are only a hint. Each broker looks once a second anyway, so that a lost one costs
// time and nothing else. Notifications inside of the transactions would make all commits of the server wait for each
// other.

import BrokerStore
import Glibc
import PostgreSQLConnections
import Records
import SQLConnections
import Synchronization

/// The notifications between brokers on one PostgreSQL database.
package final class PostgreSQLWakeups: CommitWakeups {
  private static let channel = "contacts_broker"
  /// The time between two looks.
  private static let interval = Duration.seconds(1)
  /// The time that the server gets for a notification. Meanwhile this broker does not look.
  private static let answerLimit = Duration.milliseconds(500)
  /// The time between two notifications of this broker.
  private static let pause = Duration.milliseconds(10)
  /// The same after several that failed: where the server does not answer, each attempt delays a look.
  private static let longestPause = Duration.seconds(16)

  private struct State {
    /// This broker's last commit, if it has not notified the others of it.
    var committed: Int64?
    /// The last commit of which this broker knows everything, or will when its open transaction ends.
    var known: Int64 = 0
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

  /// Notifies other brokers of a commit, a moment later.
  func wakeOthers(to number: Int64) {
    let isFirst = state.withLock { state in
      defer { state.committed = number }
      return state.committed == nil
    }
    if isFirst { interrupt() }
  }

  /// From now on, notifications of the commit with this number, and of those before it, are no reason to look.
  func know(through number: Int64) {
    state.withLock { $0.known = number }
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
    var next = Next(notification: .now, look: .now + Self.interval)
    while !state.withLock({ $0.isStopped }) {
      do {
        let open = try connection ?? listen()
        connection = open
        try notifyIfDue(&next, on: open)
        if try wait(on: open, until: next) {
          next.look = .now + Self.interval
          look()
        }
      } catch {
        connection = nil
        next.look = .now + Self.interval
        look()
        pauseWithoutServer()
      }
    }
  }

  /// When something is to be done at the earliest.
  private struct Next {
    var notification: ContinuousClock.Instant
    var look: ContinuousClock.Instant
    /// The time from a notification that fails to the next one.
    var pauseAfterFailure = Duration.seconds(1)
  }

  private func listen() throws -> PostgreSQLConnection {
    let connection = try PostgreSQLConnection(address, settings: settings)
    // A notification changes nothing that would have to survive.
    try connection.run("SET synchronous_commit = off")
    try connection.run("LISTEN \(Self.channel)")
    return connection
  }

  private func notifyIfDue(_ next: inout Next, on connection: PostgreSQLConnection) throws {
    guard .now >= next.notification, let number = state.withLock({ $0.committed.take() })
    else { return }
    next.notification = .now + Self.pause
    do {
      try connection.run("SELECT pg_notify('\(Self.channel)', ?)", ["\(number)"])
      next.pauseAfterFailure = .seconds(1)
    } catch {
      // A later connection notifies. Until then, further commits interrupt no pause.
      next.notification = .now + next.pauseAfterFailure
      next.pauseAfterFailure = min(next.pauseAfterFailure * 2, Self.longestPause)
      state.withLock { $0.committed = max($0.committed ?? number, number) }
      throw error
    }
  }

  /// Returns whether it is time to look.
  private func wait(on connection: PostgreSQLConnection, until next: Next) throws -> Bool {
    var end = next.look
    if state.withLock({ $0.committed != nil }) { end = min(end, next.notification) }
    let texts = try connection.waitForNotifications(
      within: max(end - .now, .zero), or: pipe.reading)
    drainPipe()
    let known = state.withLock { $0.known }
    return texts.contains { Int64($0).map { $0 > known } ?? true }
      || .now >= next.look
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
