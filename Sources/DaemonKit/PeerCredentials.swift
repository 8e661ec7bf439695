import Glibc
import NIOCore

/// The user and process at the other end of a Unix socket, as the kernel recorded them on connection
/// (unix(7), `SO_PEERCRED`). The peer can neither forge nor change them.
///
/// A user without a mapping in this user namespace appears as the overflow uid, which identifies no user.
/// The code that maps users to accounts decides whether to refuse it.
package struct PeerCredentials: Hashable, Sendable {
  /// The uid of unmapped users, unless the system is configured otherwise.
  package static let overflowUserID: UInt32 = 65534

  /// The peer's user.
  package let userID: UInt32
  /// The peer's group.
  package let groupID: UInt32
  /// The peer's process, which may have ended; for logs only.
  package let processID: Int32

  /// Whether the user has no mapping in this user namespace.
  package var isOverflowUser: Bool { userID == Self.overflowUserID }
  package init(userID: UInt32, groupID: UInt32, processID: Int32) {
    self.userID = userID
    self.groupID = groupID
    self.processID = processID
  }

  /// Reads the peer of a connected socket.
  /// - Throws: `inputOutput` if the descriptor is not a connected Unix socket.
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

  /// Reads the peer of a channel that NIO accepted. On the channel's event loop the future completes
  /// immediately, so a channel initializer can wait for it before it adds handlers.
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
