/// Counts the bytes of incomplete frames, which connections hold in memory until the rest arrives, and limits
/// them.
///
/// These bytes cannot be charged to an account, because the peer may not have signed in yet. They have a
/// limit for each user. Greetings, which every local user can send, have a smaller one, and one for all users
/// together.
package struct UnfinishedFrames: Sendable {
  private var byUser: [UInt32: Int] = [:]
  private var greetingsByUser: [UInt32: Int] = [:]
  private var greetingsTotal = 0

  /// Creates counts of zero.
  package init() {}

  /// Adds bytes that a connection holds, or subtracts them if `byteCount` is negative.
  /// - Parameter isGreeting: whether the bytes belong to the connection's first frame. Bytes must be
  ///   subtracted with the same value with which they were added.
  /// - Returns: whether all counts are within their limits.
  package mutating func add(_ byteCount: Int, of uid: UInt32, isGreeting: Bool) -> Bool {
    let held = Self.add(byteCount, of: uid, to: &byUser)
    guard isGreeting else { return held <= BrokerLimits.unfinishedBytesPerPeer }
    let greetings = Self.add(byteCount, of: uid, to: &greetingsByUser)
    greetingsTotal += byteCount
    return held <= BrokerLimits.unfinishedBytesPerPeer
      && greetings <= BrokerLimits.unfinishedGreetingBytesPerPeer
      && greetingsTotal <= BrokerLimits.unfinishedGreetingBytes
  }

  private static func add(_ byteCount: Int, of uid: UInt32, to counts: inout [UInt32: Int]) -> Int {
    let sum = counts[uid, default: 0] + byteCount
    counts[uid] = sum == 0 ? nil : sum
    return sum
  }
}
