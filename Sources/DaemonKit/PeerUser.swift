// The user at the other end of a TCP connection within this machine. Unlike a Unix socket, a TCP socket has no
// credentials of its peer. But the kernel knows the user of every socket, and a connection within the machine has both of
// its ends there. It is asked for exactly this connection (sock_diag(7)): one that is looked for in the list of all
// sockets would let any user slow down the agent by opening thousands.

// Its headers define the types of sockets, which the static C library's module lacks.
import CSystemd
import Glibc
import NIOCore

/// Finds the user of the client of a TCP connection.
package enum PeerUser {
  /// One end of a connection.
  struct End: Hashable {
    /// The IPv4 address as a number, the first byte highest.
    let address: UInt32
    let port: UInt16

    init(address: UInt32, port: UInt16) {
      self.address = address
      self.port = port
    }

    init?(_ address: SocketAddress?) {
      let bytes = address?.ipAddress?.split(separator: ".").compactMap { UInt8($0) } ?? []
      guard bytes.count == 4, let port = address?.port.flatMap({ UInt16(exactly: $0) }) else {
        return nil
      }
      self.init(address: bytes.reduce(0) { $0 << 8 | UInt32($1) }, port: port)
    }
  }

  /// Returns the uid of the process at the other end of an accepted connection; `nil` if it is not on this machine or
  /// has closed its end. Users without a mapping in this user namespace have `PeerCredentials.overflowUserID`.
  ///
  /// It takes about 10 µs and does not wait, so that it can run on an event loop.
  package static func id(of channel: any Channel) -> UInt32? {
    guard let client = End(channel.remoteAddress), let server = End(channel.localAddress) else {
      return nil
    }
    return id(of: SocketQuestion(local: client, remote: server))
  }

  /// Whether the kernel tells the users of connections: it finds the listening socket itself. Some kernels are built
  /// without it, or do not load its module.
  package static func isKnown(of listener: LoopbackSocket) -> Bool {
    let question = SocketQuestion(
      local: End(address: listener.address.number, port: listener.port),
      remote: End(address: 0, port: 0), state: .listening)
    return id(of: question) == geteuid()
  }

  /// The error about a kernel that does not tell them.
  package static var unknown: DaemonError {
    DaemonError(
      .cannotCreate, "The kernel does not tell which user a connection belongs to (inet_diag).",
      hint: "Load its module: modprobe tcp_diag")
  }

  private static func id(of question: SocketQuestion) -> UInt32? {
    let netlink = socket(
      AF_NETLINK, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), SocketQuestion.netlinkFamily)
    guard netlink >= 0 else { return nil }
    defer { close(netlink) }
    let sent = question.bytes.withUnsafeBytes { send(netlink, $0.baseAddress, $0.count, 0) }
    guard sent == question.bytes.count else { return nil }
    // The kernel has answered when `send` returns.
    var answer = [UInt8](repeating: 0, count: SocketQuestion.answerBytesMaximum)
    let count = answer.withUnsafeMutableBytes {
      recv(netlink, $0.baseAddress, $0.count, Int32(MSG_DONTWAIT))
    }
    return question.userID(in: answer.prefix(max(0, count)))
  }
}
