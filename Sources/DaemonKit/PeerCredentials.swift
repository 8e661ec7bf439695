// Who is at the other end of a Unix socket, as the kernel saw it when they connected: nothing the
// peer says, and nothing it can change afterwards. A user that this user namespace does not know
// appears as the overflow uid, which therefore names nobody; whether to refuse it is decided where
// accounts are.

import Glibc
import NIOCore

/// The process at the other end of a Unix socket.
package struct PeerCredentials: Hashable, Sendable {
  /// What an unmapped user appears as, unless the system was configured otherwise.
  package static let overflowUserID: UInt32 = 65534

  /// Its user.
  package let userID: UInt32
  /// Its group.
  package let groupID: UInt32
  /// Its process, which may be gone by now; for logs only.
  package let processID: Int32

  /// Whether the user is one this namespace does not know.
  package var isOverflowUser: Bool { userID == Self.overflowUserID }

  /// Describes a peer.
  package init(userID: UInt32, groupID: UInt32, processID: Int32) {
    self.userID = userID
    self.groupID = groupID
    self.processID = processID
  }

  /// The peer of a connected socket.
  /// - Throws: `inputOutput` when the descriptor is not such a socket.
  package init(descriptor: Int32) throws(DaemonError) {
    var credentials = KernelCredentials()
    var length = socklen_t(MemoryLayout<KernelCredentials>.size)
    guard getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &credentials, &length) == 0 else {
      throw DaemonError(
        .inputOutput,
        "Cannot determine the user at the other end of the socket: \(systemText(errno)).")
    }
    self.init(credentials)
  }

  /// The peer of a channel that NIO accepted. Completes at once on the channel's event loop, so an
  /// initializer may wait for it before it adds handlers.
  package static func of(_ channel: any Channel) -> EventLoopFuture<PeerCredentials> {
    guard let provider = channel as? any SocketOptionProvider else {
      return channel.eventLoop.makeFailedFuture(
        DaemonError(
          .inputOutput, "Cannot determine the user at the other end of a channel without a socket.")
      )
    }
    let credentials: EventLoopFuture<KernelCredentials> = provider.unsafeGetSocketOption(
      level: .socket, name: NIOBSDSocket.Option(rawValue: SO_PEERCRED))
    return credentials.map { PeerCredentials($0) }
  }

  private init(_ credentials: KernelCredentials) {
    self.init(
      userID: credentials.userID, groupID: credentials.groupID,
      processID: credentials.processID)
  }
}

/// The kernel's `struct ucred`, which glibc declares for `_GNU_SOURCE` only.
private struct KernelCredentials: Sendable {
  var processID: Int32 = 0
  var userID: UInt32 = 0
  var groupID: UInt32 = 0
}
