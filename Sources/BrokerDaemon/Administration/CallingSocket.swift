// The other end of a daemon's socket, for a program that asks one thing and ends. Calls block, which a
// program of one question may; a timer in the kernel bounds them.

import DaemonKit
import Glibc

/// A connected socket. A call takes at most ten seconds.
final class CallingSocket {
  private let descriptor: Int32

  /// Connects to the daemon at `path`.
  init(path: String) throws(DaemonError) {
    descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    var timeout = timeval(tv_sec: 10, tv_usec: 0)
    let size = socklen_t(MemoryLayout<timeval>.size)
    setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &timeout, size)
    setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &timeout, size)
    guard ListeningSocket.connect(descriptor, to: path) else {
      throw DaemonError(
        .unavailable, "The broker that has the directory does not answer at “\(path)”.",
        hint: "Is it starting or stopping? Try again.")
    }
  }

  deinit { close(descriptor) }

  /// Sends all of `bytes`.
  func send(_ bytes: [UInt8]) throws(DaemonError) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes {
        Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      guard count > 0 else { throw silence }
      rest = rest.dropFirst(count)
    }
  }

  /// What comes next, at least a byte.
  func receive() throws(DaemonError) -> [UInt8] {
    var buffer = [UInt8](repeating: 0, count: 64 << 10)
    let count = recv(descriptor, &buffer, buffer.count, 0)
    guard count > 0 else { throw silence }
    return Array(buffer.prefix(count))
  }

  private var silence: DaemonError {
    DaemonError(
      .tryLater, "The broker did not answer.",
      hint: "Whether the order was carried out, `account list` and `device list` tell.")
  }
}
