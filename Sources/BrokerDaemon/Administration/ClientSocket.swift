// A blocking client socket, for a subcommand that sends one request and ends. A kernel timeout limits each
// call.

import DaemonKit
import Glibc

/// A connected socket. Each call takes at most ten seconds.
final class ClientSocket {
  private let descriptor: Int32

  /// Connects to the daemon whose socket is at `path`.
  /// - Throws: `DaemonError` `unavailable` if no daemon answers.
  init(path: String) throws(DaemonError) {
    descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    var timeout = timeval(tv_sec: 10, tv_usec: 0)
    let size = socklen_t(MemoryLayout<timeval>.size)
    setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &timeout, size)
    setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &timeout, size)
    guard ListeningSocket.connect(descriptor, to: path) else {
      throw DaemonError(
        .unavailable, "The broker that uses this state directory does not answer at “\(path)”.",
        hint: "It may be starting or stopping. Try again.")
    }
  }

  deinit { close(descriptor) }

  /// Sends all of `bytes`.
  /// - Throws: `DaemonError` `tryLater` on a timeout or a closed connection.
  func send(_ bytes: [UInt8]) throws(DaemonError) {
    var remaining = bytes[...]
    while !remaining.isEmpty {
      let count = remaining.withUnsafeBytes {
        Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      guard count > 0 else { throw noAnswer }
      remaining = remaining.dropFirst(count)
    }
  }

  /// Receives at least one byte and at most 64 KiB.
  /// - Throws: `DaemonError` `tryLater` on a timeout or a closed connection.
  func receive() throws(DaemonError) -> [UInt8] {
    var buffer = [UInt8](repeating: 0, count: 64 << 10)
    let count = recv(descriptor, &buffer, buffer.count, 0)
    guard count > 0 else { throw noAnswer }
    return Array(buffer.prefix(count))
  }

  private var noAnswer: DaemonError {
    DaemonError(
      .tryLater, "The broker did not answer.",
      hint: "`account list` and `device list` show whether the request was applied.")
  }
}
