// Ports of the loopback interface, and sockets without a protocol on them.

import Foundation
import Glibc
import Records
import Synchronization

/// A port of the loopback interface.
package enum LoopbackPort {
  /// The ports that are given out: below those from which the system chooses for connections, one of which could take
  /// the port before the caller does.
  private static let ports = 10_000..<32_000

  /// The number of ports that were tried. Processes that run at the same time begin at different ports.
  private static let tried = Mutex(Int(getpid()) &* 379)

  /// Returns a port that no program uses.
  package static func unused() throws -> Int {
    for _ in ports {
      let number = tried.withLock { tried in
        tried &+= 1
        return tried
      }
      let port = ports.lowerBound + number % ports.count
      let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
      defer { close(descriptor) }
      if bind(descriptor, to: port) == port { return port }
    }
    throw RecordsError(.networkUnavailable, "All ports are in use.")
  }

  /// Connects to a port at an address of this machine. The caller closes the descriptor.
  /// - Throws: `networkUnavailable` if no program listens there.
  package static func connect(
    to port: Int, at host: String = "127.0.0.1", from source: String = "127.0.0.1"
  ) throws -> Int32 {
    let type = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
    let descriptor = socket(AF_INET, type, 0)
    var own = Self.address(port: 0)
    own.sin_addr.s_addr = inet_addr(source)
    _ = withUnsafePointer(to: &own) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        Glibc.bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    var address = Self.address(port: port)
    address.sin_addr.s_addr = inet_addr(host)
    let answer = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    guard answer == 0 else {
      close(descriptor)
      throw RecordsError(.networkUnavailable, "No program listens on port \(port) (\(errno)).")
    }
    return descriptor
  }

  /// Binds a socket to a port, or to an unused one, which it returns.
  static func bind(
    _ descriptor: Int32, to port: Int = 0, at host: String = "127.0.0.1"
  ) -> Int {
    var reuse: Int32 = 1
    setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &reuse, socklen_t(MemoryLayout<Int32>.size))
    var address = address(port: port)
    address.sin_addr.s_addr = inet_addr(host)
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        _ = Glibc.bind(descriptor, $0, size)
        _ = getsockname(descriptor, $0, &size)
      }
    }
    return Int(UInt16(bigEndian: address.sin_port))
  }

  private static func address(port: Int) -> sockaddr_in {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = UInt16(port).bigEndian
    address.sin_addr.s_addr = inet_addr("127.0.0.1")
    return address
  }
}

/// A server of another protocol, which answers whatever it gets with the same text.
package final class OtherServer: Sendable {
  /// The port on which it listens.
  package let port: Int
  private let descriptor: Int32

  /// Starts a server that sends `answer` to each connection and closes it. A server without an answer stays
  /// silent. Without a port, it chooses one.
  package init(answer: String?, port: Int = 0, host: String = "127.0.0.1") throws {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    self.descriptor = descriptor
    self.port = LoopbackPort.bind(descriptor, to: port, at: host)
    guard listen(descriptor, 64) == 0 else {
      throw RecordsError(.networkUnavailable, "Cannot listen (\(errno)).")
    }
    guard let answer else { return }
    // The thread ends when `deinit` shuts the socket down.
    let thread = Thread {
      while true {
        let connection = accept(descriptor, nil, nil)
        guard connection >= 0 else { return }
        var bytes = [UInt8](repeating: 0, count: 4096)
        _ = recv(connection, &bytes, bytes.count, 0)
        let text = Array(answer.utf8)
        _ = send(connection, text, text.count, Int32(MSG_NOSIGNAL))
        close(connection)
      }
    }
    thread.start()
  }

  deinit {
    shutdown(descriptor, Int32(SHUT_RDWR))
    close(descriptor)
  }
}
