// How many connections there may be, and of one user: an open file each, of which a process has so many.
// What databases, files and uploads need is kept free, so that who takes all connections takes nothing
// else.

import Records

/// The connections there are, by user.
package struct ConnectionCounts: Sendable {
  /// How many there may be at once.
  package let most: Int
  /// How many of them one user, or one account, may have.
  package let mostEach: Int
  private var counts: [UInt32: Int] = [:]
  private var total = 0

  /// Room for connections in a process that may have so many open files: an eighth of them and at least
  /// 64 are kept free, and one user leaves a quarter of the rest to others.
  package init(openFilesMaximum: Int) {
    most = max(openFilesMaximum - max(64, openFilesMaximum / 8), 16)
    mostEach = most * 3 / 4
  }

  /// A connection came; `close` follows, also where it may not stay.
  /// - Parameter isTrusted: whether the user speaks for others: each of their accounts is counted then.
  /// - Returns: why it may not stay.
  package mutating func open(_ uid: UInt32, isTrusted: Bool) -> RecordsError? {
    counts[uid, default: 0] += 1
    total += 1
    if !isTrusted, counts[uid, default: 0] > mostEach { return Self.tooMany("You have") }
    return total > most ? Self.tooMany("The broker has") : nil
  }

  /// A connection is gone.
  package mutating func close(_ uid: UInt32) {
    total -= 1
    let left = counts[uid, default: 0] - 1
    counts[uid] = left > 0 ? left : nil
  }

  /// The error that a peer with too many connections gets.
  static func tooMany(_ whose: String) -> RecordsError {
    RecordsError(
      .requestRateLimited, "\(whose) too many connections.",
      hint: "Close some, or ask the administrator to raise LimitNOFILE.", retryAfterSeconds: 10)
  }
}
