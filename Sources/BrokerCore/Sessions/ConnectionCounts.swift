import Records

/// Counts connections and limits their number, in total and for each user.
///
/// Each connection is an open file, and the process may have a limited number of those. Some are reserved for
/// databases, assets and uploads, so that these work even when all connections are in use.
package struct ConnectionCounts: Sendable {
  /// The maximum number of connections at a time.
  package let totalMaximum: Int
  /// The maximum number of connections of one user, or of one account.
  package let perUserMaximum: Int
  private var counts: [Peer: Int] = [:]
  private var total = 0

  /// Derives the limits from the process's limit of open files. An eighth of the files, and at least 64, are
  /// reserved. One user gets at most three quarters of the remaining connections.
  package init(openFilesMaximum: Int) {
    totalMaximum = max(openFilesMaximum - max(64, openFilesMaximum / 8), 16)
    perUserMaximum = totalMaximum * 3 / 4
  }

  /// Returns the maximum number of remote connections that have not signed in (see `Strangers`). It is at most
  /// half of all connections, so that with few open files, too, the oldest stranger ends before a new connection
  /// is refused.
  /// - Parameter perNetworkMaximum: how many of them one network may have.
  package func strangersMaximum(perNetworkMaximum: Int) -> Int {
    min(max(BrokerLimits.strangers, perNetworkMaximum), totalMaximum / 2)
  }

  /// Counts a new connection. Call `close` when it ends, even if this returns an error.
  /// - Parameter isTrusted: whether the user may sign in on behalf of other users. Its connections have no
  ///   limit for each user, because they are counted for each account at sign-in. The same applies to
  ///   remote clients (see `Strangers`).
  /// - Returns: the error to close the connection with, if there are too many.
  package mutating func open(_ peer: Peer, isTrusted: Bool) -> RecordsError? {
    counts[peer, default: 0] += 1
    total += 1
    let isLimited = peer.uid != nil && !isTrusted
    if isLimited, counts[peer, default: 0] > perUserMaximum { return Self.tooMany("You have") }
    return total > totalMaximum ? Self.tooMany("The broker has") : nil
  }

  /// Removes a connection that has ended from the count.
  package mutating func close(_ peer: Peer) {
    total -= 1
    let remaining = counts[peer, default: 0] - 1
    counts[peer] = remaining > 0 ? remaining : nil
  }

  /// Returns the error for a peer with too many connections. `whose` begins its sentence: “You have”.
  static func tooMany(_ whose: String) -> RecordsError {
    RecordsError(
      .requestRateLimited, "\(whose) too many connections.",
      hint: "Close some, or ask the administrator to raise LimitNOFILE.", retryAfterSeconds: 10)
  }
}
