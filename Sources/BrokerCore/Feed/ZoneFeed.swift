// The live feed of one zone: who follows it, how far each has read, and the newest pieces for
// those who fell behind a little. A follower is level (it gets each piece as it is published),
// behind (it reads what is in the tail, or pages from disk) or gone. Nothing is queued for a slow
// follower: it has a revision, and that is all it costs.

import Records

/// A connection, as the driver numbers it. Numbers are not used again while the broker runs.
package struct ConnectionID: Hashable, Sendable, CustomStringConvertible {
  /// The number.
  package let value: Int

  /// The connection numbered `value`.
  package init(_ value: Int) {
    self.value = value
  }

  package var description: String { "connection \(value)" }
}

/// The followers and the tail of one zone.
package struct ZoneFeed: Sendable {
  /// One connection that follows the zone, and how far it has come.
  package struct Follower: Sendable {
    let connection: ConnectionID
    /// Everything up to here was handed to the connection.
    package internal(set) var cursor: Revision
    /// The head when its first scan began.
    let scanStart: Revision
    /// Tells this following from an earlier one of the same connection, which may have ended since.
    let attachment: Int
    /// The history that the zone's present one continues, if it does.
    package internal(set) var former: FormerHistory?
    /// Whether it gets pieces as they are published.
    package internal(set) var state: State

    /// How a follower is doing.
    package enum State: Hashable, Sendable {
      /// It gets each piece as it is published.
      case level
      /// It must read what it lacks; `owesLevel` when it read a page from disk, so that what it
      /// holds is not consistent until it is told so.
      case behind(owesLevel: Bool)
    }
  }

  /// The zone.
  package let zone: ZoneID
  /// The zone's row.
  package let key: StoreKey
  /// Its history.
  package let incarnation: Incarnation
  /// The newest revision that was published.
  package private(set) var head: Revision
  private var followers: [Follower] = []
  private var places: [ConnectionID: Int] = [:]
  private var tail: [FeedSegment] = []
  /// What is kept for those who fell behind a little; at most `BrokerLimits.tailBytes`.
  package private(set) var tailBytes = 0

  /// A feed without followers that stands at `head`.
  package init(
    zone: ZoneID, key: StoreKey, incarnation: Incarnation, head: Revision
  ) {
    self.zone = zone
    self.key = key
    self.incarnation = incarnation
    self.head = head
  }

  /// Whether nobody follows the zone.
  package var isAbandoned: Bool { followers.isEmpty }

  /// The connections that follow the zone, in no order.
  package var connections: [ConnectionID] { followers.map(\.connection) }

  /// Those of them that are behind.
  package var connectionsBehind: [ConnectionID] {
    followers.lazy.filter { $0.state != .level }.map(\.connection)
  }

  /// How many revisions those who are behind lack.
  package var lags: [(connection: ConnectionID, revisions: Int64)] {
    followers.compactMap { follower in
      let lag = head.value - follower.cursor.value
      return follower.state != .level && lag > 0 ? (follower.connection, lag) : nil
    }
  }

  /// Takes up a follower that has read up to `cursor`; `attachment` is a number of its own.
  package mutating func follow(
    _ connection: ConnectionID, from cursor: Revision, scanStart: Revision, attachment: Int,
    former: FormerHistory? = nil
  ) {
    unfollow(connection)
    places[connection] = followers.count
    followers.append(
      Follower(
        connection: connection, cursor: cursor, scanStart: scanStart, attachment: attachment,
        former: former, state: .behind(owesLevel: true)))
  }

  /// Forgets a follower.
  package mutating func unfollow(_ connection: ConnectionID) {
    guard let place = places.removeValue(forKey: connection) else { return }
    let last = followers.removeLast()
    guard place < followers.count else { return }
    followers[place] = last
    places[last.connection] = place
  }

  /// How a follower is doing; `nil` if the connection does not follow the zone.
  package func follower(_ connection: ConnectionID) -> Follower? {
    places[connection].map { followers[$0] }
  }

  // MARK: Publishing

  /// Publishes pieces that follow each other and begin at the head. Returns the followers to send
  /// them to: those that are level and whose connection takes more (`isOpen`). The others are
  /// behind from here on.
  package mutating func publish(
    _ segments: [FeedSegment], isOpen: (ConnectionID) -> Bool
  ) -> [ConnectionID] {
    guard let first = segments.first, let last = segments.last else { return [] }
    precondition(first.from == head, "A piece of the feed does not begin where the feed ends.")
    var recipients: [ConnectionID] = []
    recipients.reserveCapacity(followers.count)
    for index in followers.indices where followers[index].state == .level {
      if followers[index].cursor == first.from, isOpen(followers[index].connection) {
        followers[index].cursor = last.to
        recipients.append(followers[index].connection)
      } else if followers[index].cursor < last.to {
        followers[index].state = .behind(owesLevel: false)
      }
    }
    head = last.to
    keep(segments)
    return recipients
  }

  /// Notes that the zone moved on to `head` in a commit too large to be sent live: everybody reads
  /// it from disk.
  package mutating func skip(to head: Revision) {
    self.head = head
    dropTail()
    for index in followers.indices where followers[index].cursor < head {
      guard followers[index].state == .level else { continue }
      followers[index].state = .behind(owesLevel: true)
    }
  }

  /// Lets go of everything kept for those who fell behind; they read from disk.
  package mutating func dropTail() {
    tail = []
    tailBytes = 0
  }

  private mutating func keep(_ segments: [FeedSegment]) {
    // With everybody level there is nobody to keep anything for, but the next moment there may be.
    tail += segments
    tailBytes += segments.reduce(0) { $0 + $1.frame.count }
    var surplus = 0
    while tailBytes > BrokerLimits.tailBytes, surplus < tail.count - 1 {
      tailBytes -= tail[surplus].frame.count
      surplus += 1
    }
    tail.removeFirst(surplus)
  }

  // MARK: Catching up

  /// What a follower that is behind needs next.
  package enum NextStep: Hashable, Sendable {
    /// It has everything; if it owes a level, say so.
    case level(owed: Bool)
    /// Send this piece, which the tail still has.
    case segment(FeedSegment)
    /// Read a page from disk, after the cursor.
    case page(after: Revision)
  }

  /// Takes a follower one step further; `nil` when the connection does not follow the zone, is
  /// level already, or has read from disk what is not published yet: it may have half of a commit,
  /// and is level only when the feed comes up to it.
  package mutating func advance(_ connection: ConnectionID) -> NextStep? {
    guard let place = places[connection],
      case .behind(let owesLevel) = followers[place].state
    else { return nil }
    let cursor = followers[place].cursor
    guard cursor <= head else { return nil }
    if cursor == head {
      followers[place].state = .level
      return .level(owed: owesLevel)
    }
    if let segment = segment(startingAt: cursor) {
      followers[place].cursor = segment.to
      return .segment(segment)
    }
    followers[place].state = .behind(owesLevel: true)
    return .page(after: cursor)
  }

  /// Notes that a page from disk brought a follower to `revision`.
  package mutating func pageWasSent(
    to connection: ConnectionID, upTo revision: Revision, withholding names: Set<RecordName> = []
  ) {
    guard let place = places[connection] else { return }
    followers[place].cursor = max(followers[place].cursor, revision)
    guard !names.isEmpty else { return }
    // In a history that goes on from none, nobody takes what is missing for deleted but for its names.
    let former = followers[place].former
    followers[place].former = FormerHistory(
      incarnation: former?.incarnation ?? incarnation, keptThrough: former?.keptThrough ?? .zero,
      lostNames: former?.lostNames ?? [], withheldNames: names)
  }

  private func segment(startingAt revision: Revision) -> FeedSegment? {
    var low = 0
    var high = tail.count
    while low < high {
      let middle = (low + high) / 2
      if tail[middle].from < revision { low = middle + 1 } else { high = middle }
    }
    return low < tail.count && tail[low].from == revision ? tail[low] : nil
  }
}
