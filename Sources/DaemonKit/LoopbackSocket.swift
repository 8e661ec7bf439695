import CSystemd
import Glibc

/// A listening TCP socket that only this machine can reach, at 127.0.0.1.
package struct LoopbackSocket: Sendable {
  private static let backlog: Int32 = 128

  /// The non-blocking descriptor, for `ServerBootstrap.withBoundSocket`, which closes it.
  package let descriptor: Int32
  /// The port.
  package let port: UInt16

  /// Listens at `port`, or at a port that the system chooses if it is 0.
  /// - Throws: `cannotCreate` if another program uses the port.
  package init(port: UInt16) throws(DaemonError) {
    descriptor = try StreamSocket.make(AF_INET)
    // Connections of a previous process may still exist.
    var reuse: Int32 = 1
    setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &reuse, socklen_t(MemoryLayout<Int32>.size))
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
    guard Self.listen(descriptor, &address) else {
      let text = systemText(errno)
      close(descriptor)
      throw DaemonError(.cannotCreate, "Cannot listen at 127.0.0.1, port \(port): \(text).")
    }
    self.port = UInt16(bigEndian: address.sin_port)
  }

  /// Continues with a socket of a previous process, which has listened without a pause.
  /// - Returns: `nil` if the descriptor is not a listening TCP socket at 127.0.0.1. It is closed then.
  package init?(stored descriptor: Int32) {
    var address = sockaddr_in()
    guard sd_is_socket_inet(descriptor, AF_INET, Int32(SOCK_STREAM.rawValue), 1, 0) > 0,
      Self.read(descriptor, &address),
      address.sin_addr.s_addr == in_addr_t(0x7F00_0001).bigEndian
    else {
      close(descriptor)
      return nil
    }
    _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
    self.descriptor = descriptor
    port = UInt16(bigEndian: address.sin_port)
  }

  /// Reads the address to which a socket is bound.
  private static func read(_ descriptor: Int32, _ address: inout sockaddr_in) -> Bool {
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    return withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        getsockname(descriptor, $0, &length) == 0
      }
    }
  }

  /// Binds a socket, listens, and writes the bound address to `address`.
  private static func listen(_ descriptor: Int32, _ address: inout sockaddr_in) -> Bool {
    let length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isListening = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, length) == 0 && Glibc.listen(descriptor, backlog) == 0
      }
    }
    return isListening && read(descriptor, &address)
  }
}
