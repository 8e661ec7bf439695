// A question to the kernel about one TCP socket, and its answer, in the form of netlink(7) and sock_diag(7). The headers
// of these structures are not in the C module of the standard library.

import Glibc

/// Asks the kernel for the user of a TCP socket.
struct SocketQuestion: Hashable {
  /// The states of a socket that count (`TCP_ESTABLISHED`, `TCP_LISTEN`). Any other belongs to no user any more.
  enum State: UInt8 {
    case connected = 1
    case listening = 10
  }

  /// `NETLINK_SOCK_DIAG`.
  static let netlinkFamily: Int32 = 4
  /// An answer without attributes has 88 bytes.
  static let answerBytesMaximum = 512

  /// `SOCK_DIAG_BY_FAMILY`, also the type of the answer.
  private static let messageType: UInt16 = 20
  private static let headerBytes = 16
  /// Where the fields of `inet_diag_msg` begin, after the header.
  private enum Place {
    static let state = 1
    static let ports = 4
    static let addresses = 8
    static let userID = 64
    static let inode = 68
    static let end = 72
  }

  /// The end whose user is looked for.
  let local: PeerUser.End
  /// The other end.
  let remote: PeerUser.End
  /// The state that the socket must have.
  var state = State.connected

  /// The message: a header, and `inet_diag_req_v2` with the addresses of the socket.
  var bytes: [UInt8] {
    var request = [UInt8(AF_INET), UInt8(IPPROTO_TCP), 0, 0]
    append(UInt32.max, to: &request)  // every state
    request += ports
    for address in [local.address, remote.address] {
      append(address.bigEndian, to: &request)
      request += [UInt8](repeating: 0, count: 12)
    }
    append(0 as UInt32, to: &request)  // any interface
    append(UInt64.max, to: &request)  // no cookie
    var message: [UInt8] = []
    append(UInt32(Self.headerBytes + request.count), to: &message)
    append(Self.messageType, to: &message)
    append(1 as UInt16, to: &message)  // NLM_F_REQUEST: one socket, not a list
    append(1 as UInt32, to: &message)
    append(0 as UInt32, to: &message)
    return message + request
  }

  /// Returns the user in the kernel's answer; `nil` if there is no such socket, or if its process has closed it.
  ///
  /// A socket that its process has closed belongs to no user, and has uid 0 and no inode. If no socket is connected, the
  /// kernel answers with one that listens at the local end.
  func userID(in answer: some Collection<UInt8>) -> UInt32? {
    let bytes = Array(answer)
    guard bytes.count >= Self.headerBytes + Place.end,
      number(UInt16.self, in: bytes, at: 4) == Self.messageType
    else { return nil }
    let socket = Array(bytes[Self.headerBytes...])
    guard socket[Place.state] == state.rawValue,
      Array(socket[Place.ports..<Place.addresses]) == ports,
      number(UInt32.self, in: socket, at: Place.inode) != 0
    else { return nil }
    return number(UInt32.self, in: socket, at: Place.userID)
  }

  private var ports: [UInt8] {
    var bytes: [UInt8] = []
    append(local.port.bigEndian, to: &bytes)
    append(remote.port.bigEndian, to: &bytes)
    return bytes
  }

  private func append(_ number: some FixedWidthInteger, to bytes: inout [UInt8]) {
    withUnsafeBytes(of: number) { bytes += $0 }
  }

  private func number<Number: FixedWidthInteger>(
    _ type: Number.Type, in bytes: [UInt8], at place: Int
  ) -> Number {
    bytes.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: place, as: type) }
  }
}
