// Limits of the memory for incomplete frames, which the broker holds before it knows the account.

import Testing

@testable import BrokerCore

/// The bytes that connections of users hold.
private final class Held {
  private var frames = UnfinishedFrames()

  func add(_ byteCount: Int, of uid: UInt32, isGreeting: Bool) -> Bool {
    frames.add(byteCount, of: .localUser(uid), isGreeting: isGreeting)
  }
}

@Suite("I11 incomplete frames")
struct UnfinishedFramesTests {
  @Test func `the greetings of one user have a limit, and finished ones free their bytes`() {
    let frames = Held()
    let maximum = BrokerLimits.unfinishedGreetingBytesPerPeer
    #expect(frames.add(maximum, of: 1, isGreeting: true))
    #expect(!frames.add(1, of: 1, isGreeting: true))
    #expect(frames.add(maximum, of: 2, isGreeting: true))
    #expect(frames.add(-1, of: 1, isGreeting: true))
    #expect(frames.add(1, of: 2, isGreeting: false))
  }

  @Test func `the greetings of all users together have a limit`() {
    let frames = Held()
    let maximum = BrokerLimits.unfinishedGreetingBytesPerPeer
    let users = UInt32(BrokerLimits.unfinishedGreetingBytes / maximum)
    for user in 1...users { #expect(frames.add(maximum, of: user, isGreeting: true)) }
    #expect(!frames.add(1, of: users + 1, isGreeting: true))
    // The limit does not apply to users who have signed in.
    #expect(frames.add(4 << 20, of: users + 2, isGreeting: false))
  }

  @Test func `all messages of one user have a limit`() {
    let frames = Held()
    #expect(frames.add(BrokerLimits.unfinishedBytesPerPeer, of: 1, isGreeting: false))
    #expect(!frames.add(1, of: 1, isGreeting: false))
    #expect(frames.add(1, of: 2, isGreeting: false))
  }
}
