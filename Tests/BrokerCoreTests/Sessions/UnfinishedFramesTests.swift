// Limits of the memory for incomplete frames, which the broker holds before it knows the account.

import Records
import Testing

@testable import BrokerCore

/// The bytes that connections hold.
private final class Held {
  private var frames = UnfinishedFrames()

  /// Returns the number of the connection that has to end because connection `number` holds `byteCount` bytes.
  func hold(
    _ byteCount: Int, on number: Int, of peer: Peer, isGreeting: Bool = true
  ) -> Int? {
    let connection = ConnectionID(number)
    frames.update(connection, of: peer, byteCount: byteCount, isGreeting: isGreeting)
    return frames.excess(after: connection)?.value
  }
}

@Suite("I11 incomplete frames")
struct UnfinishedFramesTests {
  private let held = Held()

  private func user(_ uid: Int) -> Peer { .localUser(UInt32(uid)) }

  private func network(_ number: Int) -> Peer {
    .remote(RemoteNetwork(ipv4: [10, 0, UInt8(number >> 8), UInt8(number & 255)]))
  }

  @Test func `the greetings of one user have a limit, and finished ones free their bytes`() {
    let maximum = BrokerLimits.unfinishedGreetingBytesPerPeer
    #expect(held.hold(maximum, on: 1, of: user(1)) == nil)
    #expect(held.hold(1, on: 2, of: user(1)) == 2)
    #expect(held.hold(0, on: 2, of: user(1)) == nil)
    #expect(held.hold(maximum, on: 3, of: user(2)) == nil)
    #expect(held.hold(maximum - 1, on: 1, of: user(1)) == nil)
    #expect(held.hold(1, on: 4, of: user(1)) == nil)
    #expect(held.hold(1, on: 5, of: user(2), isGreeting: false) == nil)
  }

  @Test(arguments: [true, false])
  func `when all greetings together are too many bytes, the oldest ends`(isRemote: Bool) {
    let peer = isRemote ? network : user
    let maximum = BrokerLimits.unfinishedGreetingBytesPerPeer
    let count = BrokerLimits.unfinishedGreetingBytes / maximum
    for number in 1...count { #expect(held.hold(maximum, on: number, of: peer(number)) == nil) }
    // The first one finishes, and begins again as the youngest.
    #expect(held.hold(0, on: 1, of: peer(1)) == nil)
    #expect(held.hold(maximum - 100, on: 1, of: peer(1)) == nil)
    #expect(held.hold(100, on: count + 1, of: peer(count + 1)) == nil)
    #expect(held.hold(101, on: count + 1, of: peer(count + 1)) == 2)
    #expect(held.hold(0, on: 2, of: peer(2)) == nil)
    // The limit does not apply to peers who have signed in, nor to the other kind of peers.
    #expect(held.hold(4 << 20, on: 100, of: peer(100), isGreeting: false) == nil)
    #expect(held.hold(maximum, on: 101, of: isRemote ? user(9) : network(9)) == nil)
  }

  @Test func `one that sends more bytes slowly stays the oldest`() {
    for number in 1...4 {
      #expect(held.hold(number, on: number, of: network(number)) == nil)
    }
    #expect(held.hold(1000, on: 1, of: network(1)) == nil)
    let maximum = BrokerLimits.unfinishedGreetingBytesPerPeer
    for number in 5...7 { #expect(held.hold(maximum, on: number, of: network(number)) == nil) }
    #expect(held.hold(maximum, on: 8, of: network(8)) == 1)
    #expect(held.hold(0, on: 1, of: network(1)) == nil)
    #expect(held.hold(maximum, on: 8, of: network(8)) == 2)
  }

  @Test func `a connection that has signed in no longer counts as a greeting`() {
    let maximum = BrokerLimits.unfinishedGreetingBytesPerPeer
    #expect(held.hold(maximum, on: 1, of: user(1)) == nil)
    #expect(held.hold(maximum, on: 1, of: user(1), isGreeting: false) == nil)
    #expect(held.hold(maximum, on: 2, of: user(1)) == nil)
  }

  @Test func `all messages of one user have a limit`() {
    let maximum = BrokerLimits.unfinishedBytesPerPeer
    #expect(held.hold(maximum, on: 1, of: user(1), isGreeting: false) == nil)
    #expect(held.hold(1, on: 2, of: user(1), isGreeting: false) == 2)
    #expect(held.hold(0, on: 2, of: user(1), isGreeting: false) == nil)
    #expect(held.hold(1, on: 3, of: user(2), isGreeting: false) == nil)
  }

  @Test func `thousands of greetings that finish leave nothing behind`() {
    for number in 1...20_000 {
      #expect(held.hold(60 << 10, on: number, of: network(number % 50)) == nil)
      #expect(held.hold(0, on: number, of: network(number % 50)) == nil)
    }
    let maximum = BrokerLimits.unfinishedGreetingBytesPerPeer
    for number in 1...4 { #expect(held.hold(maximum, on: number, of: network(number)) == nil) }
  }
}
