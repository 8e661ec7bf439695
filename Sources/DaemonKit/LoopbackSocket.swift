import CSystemd
import Glibc

/// A listening TCP socket that only this machine can reach.
package struct LoopbackSocket: Sendable {
  private static let backlog: Int32 = 128

  /// The non-blocking descriptor, for `ServerBootstrap.withBoundSocket`, which closes it.
  package let descriptor: Int32
  /// The address at which it listens.
  package let address: LoopbackAddress
  /// The port.
  package let port: UInt16

  /// Listens at `port`, or at a port that the system chooses if it is 0.
  /// - Throws: `cannotCreate` if another program uses the port.
  package init(
    address: LoopbackAddress = .standard, port: UInt16
  ) throws(DaemonError) {
    self.address = address
    descriptor = try StreamSocket.make(AF_INET)
    // Connections of a previous process may still exist.
    var reuse: Int32 = 1
    setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &reuse, socklen_t(MemoryLayout<Int32>.size))
    var bound = sockaddr_in()
    bound.sin_family = sa_family_t(AF_INET)
    bound.sin_port = port.bigEndian
    bound.sin_addr.s_addr = address.number.bigEndian
    guard Self.listen(descriptor, &bound) else {
      let text = systemText(errno)
      close(descriptor)
      throw DaemonError(.cannotCreate, "Cannot listen at \(address), port \(port): \(text).")
    }
    self.port = UInt16(bigEndian: bound.sin_port)
  }

  /// Continues with a socket of a previous process, which has listened without a pause.
  /// - Returns: `nil` if the descriptor is not a listening TCP socket for this machine only. It is closed then.
  package init?(stored descriptor: Int32) {
    var bound = sockaddr_in()
    guard sd_is_socket_inet(descriptor, AF_INET, Int32(SOCK_STREAM.rawValue), 1, 0) > 0,
      Self.read(descriptor, &bound),
      let address = LoopbackAddress(UInt32(bigEndian: bound.sin_addr.s_addr))
    else {
      close(descriptor)
      return nil
    }
    _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
    self.descriptor = descriptor
    self.address = address
    port = UInt16(bigEndian: bound.sin_port)
  }

  /// What distinguishes this socket from every other one, also from a later one at the same address: the boot of the
  /// machine, and the kernel's number of the socket within it (`SO_COOKIE`). `nil` if the kernel does not tell it.
  package var identity: String? {
    var cookie: UInt64 = 0
    var length = socklen_t(MemoryLayout<UInt64>.size)
    let boot = KernelFile.text(of: "/proc/sys/kernel/random/boot_id").filter { !$0.isWhitespace }
    guard getsockopt(descriptor, SOL_SOCKET, Self.cookieOption, &cookie, &length) == 0,
      !boot.isEmpty
    else { return nil }
    return "\(boot)/\(cookie)"
  }

  /// `SO_COOKIE`, which the C module does not have.
  private static let cookieOption: Int32 = 57

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
