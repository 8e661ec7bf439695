// The bodies of requests that are in memory. Each is bounded, and so are all together: a program with a password can open
// many connections.

import Synchronization

/// Limits the bytes of all bodies that are read at a time.
final class BodyBudget: Sendable {
  private let maximumBytes: Int
  private let usedBytes = Mutex(0)

  init(maximumBytes: Int) { self.maximumBytes = maximumBytes }

  /// Takes a part, to be returned by `leave`.
  /// - Returns: whether there is room for it.
  func enter(bytes: Int) -> Bool {
    usedBytes.withLock { used in
      guard used + bytes <= maximumBytes else { return false }
      used += bytes
      return true
    }
  }

  /// Returns a part.
  func leave(bytes: Int) { usedBytes.withLock { $0 -= bytes } }
}
