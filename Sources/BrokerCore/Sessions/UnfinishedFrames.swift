// Frames of which a part is here and the rest is not: they are in memory before anybody knows who sends
// them and what for. So they have a bound for each user, and greetings, which anybody may begin, have a
// smaller one, and one for all users together.

/// The bytes that connections hold of frames that are not whole.
package struct UnfinishedFrames: Sendable {
  private var ofUsers: [UInt32: Int] = [:]
  private var greetingsOfUsers: [UInt32: Int] = [:]
  private var greetingsOfAll = 0

  /// Nothing is held.
  package init() {}

  /// Adds bytes that a connection holds more, or fewer, than before.
  /// - Parameter isGreeting: whether they are of its first frame. It stays so for these bytes: what was
  ///   added as a greeting is subtracted as one.
  /// - Returns: whether what is held now is within the bounds.
  package mutating func add(_ byteCount: Int, of uid: UInt32, isGreeting: Bool) -> Bool {
    let held = Self.add(byteCount, of: uid, to: &ofUsers)
    guard isGreeting else { return held <= BrokerLimits.unfinishedBytesPerPeer }
    let greetings = Self.add(byteCount, of: uid, to: &greetingsOfUsers)
    greetingsOfAll += byteCount
    return held <= BrokerLimits.unfinishedBytesPerPeer
      && greetings <= BrokerLimits.unfinishedGreetingBytesPerPeer
      && greetingsOfAll <= BrokerLimits.unfinishedGreetingBytes
  }

  private static func add(_ byteCount: Int, of uid: UInt32, to counts: inout [UInt32: Int]) -> Int {
    let sum = counts[uid, default: 0] + byteCount
    counts[uid] = sum == 0 ? nil : sum
    return sum
  }
}
