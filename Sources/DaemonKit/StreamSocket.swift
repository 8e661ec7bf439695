// The one place that makes listening sockets. The header of sockets belongs to no module of its own, and the compiler
// attributes its types to one of the C modules that include it: here to that of systemd. A file that imports Glibc
// alone may find them or not, depending on what else is compiled at the same time.

import CSystemd
import Glibc

/// A socket for connections.
enum StreamSocket {
  /// Returns the descriptor of a new non-blocking socket, which programs that this process starts do not inherit.
  /// - Throws: `cannotCreate` if the process has too many files open.
  static func make(_ family: Int32) throws(DaemonError) -> Int32 {
    let type = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
    let descriptor = socket(family, type, 0)
    guard descriptor >= 0 else {
      throw DaemonError(.cannotCreate, "Cannot create a socket: \(systemText(errno)).")
    }
    return descriptor
  }
}
