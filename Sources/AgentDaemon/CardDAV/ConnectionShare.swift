// Connections of other machines. One machine must not use up the connections of the others, not even before it has given
// a password.

import NIOCore
import Synchronization

/// Limits the connections of each machine.
final class ConnectionShare: Sendable {
  private let maximum: Int
  private let counts = Mutex<[String: Int]>([:])

  /// - Parameter maximum: The maximum number of connections of a machine.
  init(maximum: Int) { self.maximum = maximum }

  /// Counts a connection until it is closed.
  /// - Returns: whether its machine may have it.
  func admit(_ channel: any Channel) -> Bool {
    let peer = channel.remoteAddress?.ipAddress ?? ""
    guard enter(peer) else { return false }
    channel.closeFuture.whenComplete { [self] _ in leave(peer) }
    return true
  }

  /// Counts a connection of a machine, unless it has as many as it may have.
  func enter(_ peer: String) -> Bool {
    counts.withLock { counts in
      guard counts[peer, default: 0] < maximum else { return false }
      counts[peer, default: 0] += 1
      return true
    }
  }

  /// Counts down when a connection is closed.
  func leave(_ peer: String) {
    counts.withLock { counts in
      let count = counts[peer, default: 0] - 1
      counts[peer] = count > 0 ? count : nil
    }
  }
}
