import DaemonKit
import Glibc
import Synchronization

/// Keeps sockets over restarts of an agent, as a service manager does: it has descriptors of its own, so that a socket still
/// listens when the agent has closed its one.
final class SocketKeeper: Sendable {
  private let kept = Mutex<[String: CInt]>([:])

  deinit {
    for descriptor in kept.withLock({ $0.values }) { close(descriptor) }
  }

  /// The names of the sockets.
  var names: [String] { kept.withLock { $0.keys.sorted() } }

  /// What the next agent gets.
  func sockets() -> KeptSockets {
    let passed = kept.withLock { $0.compactMapValues { LoopbackSocket(stored: dup($0)) } }
    return KeptSockets(
      passed,
      store: { [self] socket, name in
        kept.withLock { $0[name] = dup(socket.descriptor) }
      },
      remove: { [self] name in
        if let descriptor = kept.withLock({ $0.removeValue(forKey: name) }) { close(descriptor) }
      })
  }
}
