// The user at the other end of a TCP connection within this machine. Unlike a Unix socket, a TCP socket has no
// credentials of its peer. But the kernel lists every socket with the user who created it (proc(5), /proc/net/tcp),
// and a connection within the machine has both of its ends in that list.

import Glibc
import NIOCore

/// Finds the user of the client of a TCP connection.
package enum PeerUser {
  /// One end of a connection, as the kernel lists it.
  struct End: Hashable {
    let address: UInt32
    let port: UInt16

    /// - Parameter address: The IPv4 address as a number, the first byte highest.
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

    /// The end in the list of IPv4 sockets. The kernel writes addresses in the byte order of the machine.
    var text: String { "\(Self.hex(address.bigEndian, 8)):\(Self.hex(port, 4))" }

    /// The end of an IPv6 socket that is connected to an IPv4 address.
    var mappedText: String {
      "\(Self.hex(0 as UInt32, 16))\(Self.hex((0xFFFF as UInt32).bigEndian, 8))\(text)"
    }

    private static func hex(_ number: some BinaryInteger, _ digits: Int) -> String {
      let text = String(number, radix: 16, uppercase: true)
      return String(repeating: "0", count: digits - text.count) + text
    }
  }

  /// The lists of IPv4 and IPv6 sockets in the network of this process.
  private static let lists = ["/proc/self/net/tcp", "/proc/self/net/tcp6"]
  /// A list is no snapshot: a socket can be missing if another one is closed while the list is read.
  private static let attempts = 3
  /// The state of a connection that both ends have open (`TCP_ESTABLISHED`).
  private static let established = "01"

  /// Returns the uid of the process at the other end of an accepted connection; `nil` if it is not on this machine or
  /// has closed its end. Users without a mapping in this user namespace have `PeerCredentials.overflowUserID`.
  package static func id(of channel: any Channel) -> UInt32? {
    guard let client = End(channel.remoteAddress), let server = End(channel.localAddress) else {
      return nil
    }
    for _ in 0..<attempts {
      for list in lists {
        if let id = id(from: client, to: server, in: KernelFile.text(of: list)) { return id }
      }
    }
    return nil
  }

  /// Returns the uid of the socket of `client` that is connected to `server`.
  ///
  /// A socket that its process has closed belongs to no user, and is listed with uid 0. Only established connections
  /// with an inode count, so that another user cannot appear as root.
  static func id(from client: End, to server: End, in list: String) -> UInt32? {
    for line in list.split(separator: "\n").dropFirst() {
      let columns = line.split(separator: " ")
      guard columns.count > 9, matches(columns, client, server), columns[3] == established,
        columns[9] != "0"
      else { continue }
      return UInt32(columns[7])
    }
    return nil
  }

  private static func matches(_ columns: [Substring], _ client: End, _ server: End) -> Bool {
    (columns[1] == client.text && columns[2] == server.text)
      || (columns[1] == client.mappedText && columns[2] == server.mappedText)
  }
}
