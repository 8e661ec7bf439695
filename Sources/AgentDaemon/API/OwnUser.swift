// Who connects to a port of this machine. Browsers and address books cannot use Unix sockets, and any user of the machine
// can connect to a port, so each connection is closed before a byte is read unless the agent's user has the other end.

import DaemonKit
import Glibc
import Logging
import NIOCore
import Records

/// Checks that connections within this machine are those of the agent's user.
enum OwnUser {
  /// Any user can cause these lines.
  private static let lines = LineLimit(linesPerMinute: 10)

  /// Fails unless the other end of an accepted connection belongs to the agent's user.
  ///
  /// Not even root is accepted: it has the Unix socket, and a socket that has no user any more looks like one of root. The
  /// overflow uid stands for all users without a mapping, so it identifies no user.
  static func check(_ channel: any Channel, _ logger: Logger) -> EventLoopFuture<Void> {
    let user = PeerUser.id(of: channel)
    guard user == getuid(), user != PeerCredentials.overflowUserID else {
      return channel.eventLoop.makeFailedFuture(refusal(of: user, logger))
    }
    return channel.eventLoop.makeSucceededVoidFuture()
  }

  /// Logs that a connection was refused, and returns the error that closes it.
  static func refusal(of user: UInt32?, _ logger: Logger) -> RecordsError {
    if let omitted = lines.next() {
      var metadata: Logger.Metadata = ["uid": "\(user.map(String.init) ?? "unknown")"]
      if omitted > 0 { metadata["omitted"] = "\(omitted)" }
      logger.notice("Connection of another user refused", metadata: metadata)
    }
    return RecordsError(.permissionFailure, "This agent belongs to another user.")
  }
}
