/// Counts the bytes of incomplete frames, which connections hold in memory until the rest arrives, and limits
/// them.
///
/// These bytes cannot be charged to an account, because the peer may not have signed in yet. They have a
/// limit for each peer. Greetings, which every peer that can connect can send, have a smaller one, and one for
/// all peers together.
package struct UnfinishedFrames: Sendable {
  private var byPeer: [Peer: Int] = [:]
  private var greetingsByPeer: [Peer: Int] = [:]
  /// The bytes of greetings, of local users and of remote clients, so that strangers leave room for users.
  private var localGreetings = 0
  private var remoteGreetings = 0

  /// Creates counts of zero.
  package init() {}

  /// Adds bytes that a connection holds, or subtracts them if `byteCount` is negative.
  /// - Parameter isGreeting: whether the bytes belong to the connection's first frame. Bytes must be
  ///   subtracted with the same value with which they were added.
  /// - Returns: whether all counts are within their limits.
  package mutating func add(_ byteCount: Int, of peer: Peer, isGreeting: Bool) -> Bool {
    let held = Self.add(byteCount, of: peer, to: &byPeer)
    guard isGreeting else { return held <= BrokerLimits.unfinishedBytesPerPeer }
    let greetings = Self.add(byteCount, of: peer, to: &greetingsByPeer)
    let total: Int
    if peer.uid == nil {
      remoteGreetings += byteCount
      total = remoteGreetings
    } else {
      localGreetings += byteCount
      total = localGreetings
    }
    return held <= BrokerLimits.unfinishedBytesPerPeer
      && greetings <= BrokerLimits.unfinishedGreetingBytesPerPeer
      && total <= BrokerLimits.unfinishedGreetingBytes
  }

  private static func add(_ byteCount: Int, of peer: Peer, to counts: inout [Peer: Int]) -> Int {
    let sum = counts[peer, default: 0] + byteCount
    counts[peer] = sum == 0 ? nil : sum
    return sum
  }
}
