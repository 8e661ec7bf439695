// The sockets that the service manager keeps while the daemon restarts (systemd's file descriptor store). They listen
// meanwhile, so that no other program can take their addresses, and connections wait. The unit needs
// `FileDescriptorStoreMax=`.

import Glibc
import Synchronization

/// The sockets of this daemon that the service manager keeps.
package final class KeptSockets: Sendable {
  private let sockets: Mutex<[String: LoopbackSocket]>
  private let store: @Sendable (LoopbackSocket, String) -> Void
  private let remove: @Sendable (String) -> Void

  /// - Parameters:
  ///   - sockets: The sockets that the previous process of the service has stored, by name.
  ///   - store: Stores a socket under a name for the next process.
  ///   - remove: Removes what is stored under a name.
  package init(
    _ sockets: [String: LoopbackSocket] = [:],
    store: @escaping @Sendable (LoopbackSocket, String) -> Void = { _, _ in },
    remove: @escaping @Sendable (String) -> Void = { _ in }
  ) {
    self.sockets = Mutex(sockets)
    self.store = store
    self.remove = remove
  }

  /// The sockets that the service manager passed.
  package convenience init(_ passed: PassedSockets, supervisor: Supervisor) {
    self.init(
      passed.stored.compactMapValues { LoopbackSocket(stored: $0) },
      store: { supervisor.store($0.descriptor, as: $1) }, remove: supervisor.removeStored)
  }

  /// Returns the socket that was kept under a name, which the caller then owns.
  package func take(_ name: String) -> LoopbackSocket? {
    sockets.withLock { $0.removeValue(forKey: name) }
  }

  /// Keeps a socket for the next process. Names have letters, digits and hyphens.
  package func keep(_ socket: LoopbackSocket, as name: String) { store(socket, name) }

  /// Ends the keeping of the sockets that nothing has taken. Call it once everything listens.
  package func releaseOthers() {
    let others = sockets.withLock { sockets in
      defer { sockets = [:] }
      return sockets
    }
    for (name, socket) in others {
      remove(name)
      close(socket.descriptor)
    }
  }
}
