import Glibc
import Synchronization

/// The thread of a proxy, with its connections.
///
/// NB: `@unchecked`, because only that thread uses it once it runs.
final class ProxyThread: @unchecked Sendable {
  private let listener: UnixListener
  private let server: String
  private let orders: SharedOrders
  private var connections: [ProxiedConnection] = []

  init(listener: UnixListener, server: String, orders: SharedOrders) {
    self.listener = listener
    self.server = server
    self.orders = orders
  }

  func run() {
    while !orders.value.withLock({ $0.isOver }) {
      wait()
      while let client = listener.accept() { accept(client) }
      let isBlocked = orders.value.withLock { $0.isBlocked }
      for connection in connections {
        if isBlocked { connection.close() } else { connection.pass(orders) }
      }
      connections.removeAll { $0.isOver }
    }
  }

  private func accept(_ client: UnixSocket) {
    let isRefused = orders.value.withLock {
      $0.isBlocked || ($0.refusalEnd.map { .now < $0 } ?? false)
    }
    guard !isRefused, let upstream = try? UnixSocket(path: server) else {
      client.close()
      return
    }
    orders.value.withLock { $0.connectionCount += 1 }
    connections.append(ProxiedConnection(client: client, server: upstream))
  }

  /// Waits until a socket can be read, or written if something waits for it; for a short time at most.
  private func wait() {
    var sockets = [pollfd(fd: listener.descriptor, events: Int16(POLLIN), revents: 0)]
    for connection in connections { sockets += connection.awaited }
    poll(&sockets, nfds_t(sockets.count), 20)
  }
}
