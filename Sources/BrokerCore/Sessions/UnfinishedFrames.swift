// These bytes cannot be charged to an account, because the peer may not have signed in yet. They have a limit
// for each peer. Greetings, which every peer that can connect can send, have a smaller one, and one for all
// peers together. When that one is exceeded, the connections that have held a part of a greeting for the longest
// time end: a device sends the rest within a moment.

import DequeModule

/// Counts the bytes of incomplete frames, which connections hold in memory until the rest arrives, and limits
/// them.
package struct UnfinishedFrames: Sendable {
  private var byPeer: [Peer: Int] = [:]
  private var greetingsByPeer: [Peer: Int] = [:]
  private var localGreetings = Greetings()
  private var remoteGreetings = Greetings()
  private var holdings: [ConnectionID: Holding] = [:]

  /// What a connection holds.
  private struct Holding {
    let peer: Peer
    var byteCount = 0
    /// Whether the bytes belong to the connection's first frame.
    var isGreeting: Bool
  }

  /// Creates counts of zero.
  package init() {}

  /// Notes that a connection of `peer` holds `byteCount` bytes now. `isGreeting` says whether they belong to
  /// the connection's first frame.
  package mutating func update(
    _ connection: ConnectionID, of peer: Peer, byteCount: Int, isGreeting: Bool
  ) {
    var holding = holdings[connection] ?? Holding(peer: peer, isGreeting: isGreeting)
    if holding.isGreeting, !isGreeting {
      set(&holding, of: connection, to: 0)
      holding.isGreeting = false
    }
    set(&holding, of: connection, to: byteCount)
    holdings[connection] = byteCount == 0 ? nil : holding
  }

  /// The connection that has to end because `connection` holds more than before; `nil` if all counts are within
  /// their limits. Ask again after it ended.
  package func excess(after connection: ConnectionID) -> ConnectionID? {
    guard let holding = holdings[connection] else { return nil }
    if byPeer[holding.peer, default: 0] > BrokerLimits.unfinishedBytesPerPeer { return connection }
    guard holding.isGreeting else { return nil }
    let own = greetingsByPeer[holding.peer, default: 0]
    if own > BrokerLimits.unfinishedGreetingBytesPerPeer { return connection }
    let greetings = holding.peer.uid == nil ? remoteGreetings : localGreetings
    return greetings.byteCount > BrokerLimits.unfinishedGreetingBytes ? greetings.oldest : nil
  }

  private mutating func set(
    _ holding: inout Holding, of connection: ConnectionID, to byteCount: Int
  ) {
    let change = byteCount - holding.byteCount
    holding.byteCount = byteCount
    Self.add(change, of: holding.peer, to: &byPeer)
    guard holding.isGreeting else { return }
    Self.add(change, of: holding.peer, to: &greetingsByPeer)
    if holding.peer.uid == nil {
      remoteGreetings.add(change, of: connection, isHolding: byteCount > 0)
    } else {
      localGreetings.add(change, of: connection, isHolding: byteCount > 0)
    }
  }

  private static func add(_ byteCount: Int, of peer: Peer, to counts: inout [Peer: Int]) {
    let sum = counts[peer, default: 0] + byteCount
    counts[peer] = sum == 0 ? nil : sum
  }
}

extension UnfinishedFrames {
  /// The greetings of all local users or of all remote peers.
  private struct Greetings: Sendable {
    private(set) var byteCount = 0
    /// The connections that hold bytes, in the order in which they began to. Those that no longer do stay
    /// until they come first.
    private var order: Deque<(connection: ConnectionID, number: Int)> = []
    /// The number of each connection that holds bytes, as in `order`.
    private var numbers: [ConnectionID: Int] = [:]
    private var lastNumber = 0

    /// The connection that has held bytes for the longest time.
    var oldest: ConnectionID? { order.first?.connection }

    mutating func add(_ change: Int, of connection: ConnectionID, isHolding: Bool) {
      byteCount += change
      if !isHolding {
        numbers[connection] = nil
      } else if numbers[connection] == nil {
        lastNumber += 1
        numbers[connection] = lastNumber
        order.append((connection, lastNumber))
      }
      dropFinished()
    }

    /// Keeps the oldest holder first, and the queue at most about twice as long as needed.
    private mutating func dropFinished() {
      let numbers = numbers
      if order.count > 2 * numbers.count + 64 {
        order.removeAll { numbers[$0.connection] != $0.number }
      }
      while let first = order.first, numbers[first.connection] != first.number {
        order.removeFirst()
      }
    }
  }
}
