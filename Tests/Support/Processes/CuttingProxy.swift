// A Unix socket in front of a PostgreSQL server's: it passes on what both sides send, and cuts a connection where a test
// wants it. One thread serves all connections, so that the messages of all of them have one order.

import Foundation
import Glibc
import Synchronization

/// A socket through which clients reach a PostgreSQL server until the proxy cuts their connections.
package final class CuttingProxy: Sendable {
  /// Where the proxy cuts a connection.
  package enum Cut: Hashable, Sendable {
    /// Before, inside or after a message of a client: the number of messages that come before it.
    case message(Int, Place)
    /// At a COMMIT: the number of commits that come before it.
    case commit(Int, CommitPlace)
  }

  /// Where a connection is cut at a message.
  package enum Place: Hashable, Sendable, CaseIterable {
    case before
    /// The server gets its first half.
    case inside
    /// The server gets it, and nobody gets the answer.
    case after
  }

  /// Where a connection is cut at a COMMIT.
  package enum CommitPlace: Hashable, Sendable, CaseIterable {
    /// The server does not get it.
    case before
    /// The server gets it when the connection ends.
    case after
    /// The server has answered it, and the client does not get the answer.
    case answered
  }

  /// What becomes of the notifications between clients.
  package enum NotificationFault: Hashable, Sendable, CaseIterable {
    /// No client gets any.
    case lost
    /// The server gets none, and answers nothing more on a connection on which a client sent one.
    case unanswered
  }

  /// What the thread has to do, and what it has seen.
  struct Orders: Sendable {
    var cut: Cut?
    var isCut = false
    var messageCount = 0
    var commitCount = 0
    var connectionCount = 0
    var refusalEnd: ContinuousClock.Instant?
    /// Called at a message, once.
    var action: (messagesBefore: Int, call: @Sendable () -> Void)?
    var notificationFault: NotificationFault?
    /// Whether no connection is passed on.
    var isBlocked = false
    var isOver = false
  }

  private let directory: TemporaryDirectory
  private let orders: SharedOrders

  /// Listens in front of the server.
  package init(to server: PostgreSQLServer) throws {
    directory = try TemporaryDirectory()
    orders = SharedOrders()
    let thread = ProxyThread(
      listener: try UnixListener(path: directory.file(PostgreSQLServer.socketName)),
      server: server.socketPath, orders: orders)
    // A standby connects as another user.
    chmod(directory.file(PostgreSQLServer.socketName), 0o777)
    Thread.detachNewThread { thread.run() }
  }

  deinit { orders.value.withLock { $0.isOver = true } }

  /// The folder of its socket, which clients name as the host.
  package var folder: String { directory.path }

  /// Returns the address of a database through this proxy.
  package func address(of database: String) -> String {
    Self.address(of: database, through: [self])
  }

  /// Returns the address of a database on the one of several servers that accepts writes.
  package static func address(of database: String, through proxies: [CuttingProxy]) -> String {
    let hosts = proxies.map(\.folder).joined(separator: ",")
    let choice = proxies.count > 1 ? "&target_session_attrs=read-write" : ""
    return "postgresql://postgres@/\(database)?host=\(hosts)\(choice)"
  }

  /// Cuts all connections and refuses new ones, until it is called with `false`.
  package func block(_ isBlocked: Bool) {
    orders.value.withLock { $0.isBlocked = isBlocked }
  }

  /// Withholds all notifications from now on; `nil` to pass them on.
  package func withholdNotifications(_ fault: NotificationFault?) {
    orders.value.withLock { $0.notificationFault = fault }
  }

  /// Sets where to cut the next connection. Messages and commits are counted from now.
  package func arm(_ cut: Cut) {
    orders.value.withLock {
      $0.cut = cut
      $0.isCut = false
      $0.messageCount = 0
      $0.commitCount = 0
    }
  }

  /// Calls `action` on the thread of the proxy after a number of messages of clients from now on.
  package func call(after messages: Int, _ action: @escaping @Sendable () -> Void) {
    orders.value.withLock {
      $0.messageCount = 0
      $0.action = (messages, action)
    }
  }

  /// Closes new connections at once for a time.
  package func refuse(for duration: Duration) {
    orders.value.withLock { $0.refusalEnd = .now + duration }
  }

  /// Forgets what is armed, called or refused. Returns whether the cut happened.
  @discardableResult
  package func disarm() -> Bool {
    orders.value.withLock { orders in
      defer { orders.isCut = false }
      orders.cut = nil
      orders.action = nil
      orders.refusalEnd = nil
      return orders.isCut
    }
  }

  /// The messages of clients since the last call of `arm`.
  package var messageCount: Int { orders.value.withLock { $0.messageCount } }

  /// The connections that were passed on so far.
  package var connectionCount: Int { orders.value.withLock { $0.connectionCount } }
}

/// The orders of a proxy, which its thread outlives.
final class SharedOrders: Sendable {
  let value = Mutex(CuttingProxy.Orders())
}
