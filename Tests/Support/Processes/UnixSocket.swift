// A Unix socket without a protocol, so that tests can send what any client could, invalid bytes included.

import Glibc
import Records

/// A connected stream socket.
package final class UnixSocket {
  let descriptor: Int32
  private var isOpen = true

  /// Connects to the socket at `path`.
  /// - Throws: `networkUnavailable` if no process listens there.
  package init(path: String) throws {
    let type = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
    descriptor = socket(AF_UNIX, type, 0)
    guard Self.connect(descriptor, to: path) else {
      Glibc.close(descriptor)
      isOpen = false
      throw RecordsError(.networkUnavailable, "Nobody listens at “\(path)” (\(errno)).")
    }
  }

  deinit { close() }

  /// Closes the socket.
  package func close() {
    guard isOpen else { return }
    isOpen = false
    Glibc.close(descriptor)
  }

  /// Ends the sending direction; the socket can still receive.
  package func endSending() {
    _ = shutdown(descriptor, Int32(SHUT_WR))
  }

  /// Sends as much of `bytes` as fits; `nil` if the peer closed the connection.
  package func sendSome(_ bytes: ArraySlice<UInt8>) -> Int? {
    let count = bytes.withUnsafeBytes {
      Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
    }
    if count >= 0 { return count }
    return errno == EAGAIN || errno == EINTR ? 0 : nil
  }

  /// Returns the received bytes; empty if there are none, `nil` if the peer closed the connection.
  package func receiveSome() -> [UInt8]? {
    var buffer = [UInt8](repeating: 0, count: 65536)
    let count = recv(descriptor, &buffer, buffer.count, 0)
    if count > 0 { return Array(buffer.prefix(count)) }
    return count < 0 && (errno == EAGAIN || errno == EINTR) ? [] : nil
  }

  /// Wraps a connected socket.
  fileprivate init(connected descriptor: Int32) {
    self.descriptor = descriptor
  }

  private static func connect(_ descriptor: Int32, to path: String) -> Bool {
    withAddress(path) { Glibc.connect(descriptor, $0, $1) == 0 }
  }

  fileprivate static func withAddress<Result>(
    _ path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Result
  ) -> Result {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8.prefix(107)) }
    return withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
  }
}

/// A socket that accepts connections.
package final class UnixListener {
  let descriptor: Int32

  /// Listens at `path`.
  /// - Throws: `serviceUnavailable` if the path cannot be bound.
  package init(path: String) throws {
    let type = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
    let descriptor = socket(AF_UNIX, type, 0)
    let isListening = UnixSocket.withAddress(path) {
      bind(descriptor, $0, $1) == 0 && listen(descriptor, 16) == 0
    }
    guard isListening else {
      Glibc.close(descriptor)
      throw RecordsError(.serviceUnavailable, "Nothing can listen at “\(path)” (\(errno)).")
    }
    self.descriptor = descriptor
  }

  deinit { Glibc.close(descriptor) }

  /// Returns the next pending connection, if there is one.
  package func accept() -> UnixSocket? {
    let connected = Glibc.accept(descriptor, nil, nil)
    guard connected >= 0 else { return nil }
    _ = fcntl(connected, F_SETFD, FD_CLOEXEC)
    _ = fcntl(connected, F_SETFL, O_NONBLOCK)
    return UnixSocket(connected: connected)
  }
}
