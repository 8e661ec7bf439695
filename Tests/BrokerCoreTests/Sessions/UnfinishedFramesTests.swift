// Half a frame takes memory before anybody knows whose it is.

import Testing

@testable import BrokerCore

/// What connections of users hold.
private final class Held {
  private var frames = UnfinishedFrames()

  func add(_ byteCount: Int, of uid: UInt32, isGreeting: Bool) -> Bool {
    frames.add(byteCount, of: uid, isGreeting: isGreeting)
  }
}

@Suite("I11 frames that are not whole")
struct UnfinishedFramesTests {
  @Test func `greetings of one user have a bound below that of all, and give their room back`() {
    let frames = Held()
    let most = BrokerLimits.unfinishedGreetingBytesPerPeer
    #expect(frames.add(most, of: 1, isGreeting: true))
    #expect(!frames.add(1, of: 1, isGreeting: true))
    #expect(frames.add(most, of: 2, isGreeting: true))
    #expect(frames.add(-1, of: 1, isGreeting: true))
    #expect(frames.add(1, of: 2, isGreeting: false))
  }

  @Test func `greetings of all users together have a bound`() {
    let frames = Held()
    let most = BrokerLimits.unfinishedGreetingBytesPerPeer
    let users = UInt32(BrokerLimits.unfinishedGreetingBytes / most)
    for user in 1...users { #expect(frames.add(most, of: user, isGreeting: true)) }
    #expect(!frames.add(1, of: users + 1, isGreeting: true))
    // Who has signed in is not concerned.
    #expect(frames.add(4 << 20, of: users + 2, isGreeting: false))
  }

  @Test func `all messages of one user have a bound`() {
    let frames = Held()
    #expect(frames.add(BrokerLimits.unfinishedBytesPerPeer, of: 1, isGreeting: false))
    #expect(!frames.add(1, of: 1, isGreeting: false))
    #expect(frames.add(1, of: 2, isGreeting: false))
  }
}
