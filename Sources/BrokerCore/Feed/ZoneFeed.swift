// The live feed of one zone. It tracks each subscriber's cursor and keeps a short tail of recent segments in
// memory. A subscriber is either live (it receives each segment when it is published) or catching up (it
// reads the tail, or pages from disk). A slow subscriber has no queue; it costs one revision number.

import Records

/// A connection, as the driver numbers it. A number is not reused while the broker runs.
package struct ConnectionID: Hashable, Sendable, CustomStringConvertible {
  /// The number, from 1 in the order in which connections were opened.
  package let value: Int

  package init(_ value: Int) {
    self.value = value
  }

  package var description: String { "connection \(value)" }
}

/// The subscribers of one zone, and a tail of its newest segments.
package struct ZoneFeed: Sendable {
  /// A connection that follows the zone, and its position.
  package struct Subscriber: Sendable {
    let connection: ConnectionID
    /// The last revision written to the connection.
    package internal(set) var cursor: Revision
    /// The head when its first scan began.
    let scanStart: Revision
    /// Distinguishes this subscription from an earlier one on the same connection, for which a page may
    /// still be read.
    let attachment: Int
    /// The history that the zone's present one continues, if the broker was restored from a backup.
    package internal(set) var former: FormerHistory?
    /// Whether the subscriber is live.
    package internal(set) var state: State

    /// Whether a subscriber has received everything.
    package enum State: Hashable, Sendable {
      /// It receives each segment when it is published.
      case live
      /// It must read what it lacks. After a page from disk (`needsSnapshotEnd`), the records it has are
      /// not from one moment until the broker says that it has caught up.
      case catchingUp(needsSnapshotEnd: Bool)
    }
  }

  /// The zone, with its owner's account.
  package let zone: ZoneID
  /// The zone's row.
  package let key: StoreKey
  /// The history that the revisions belong to.
  package let incarnation: Incarnation
  /// The newest revision that was published.
  package private(set) var head: Revision
  private var subscribers: [Subscriber] = []
  /// The indexes of connections in `subscribers`.
  private var indexes: [ConnectionID: Int] = [:]
  /// The newest segments, for subscribers that missed only those.
  private var tail: [FeedSegment] = []
  /// The bytes of the tail, at most `BrokerLimits.tailBytes`.
  package private(set) var tailBytes = 0

  /// Creates a feed at revision `head`, without subscribers.
  package init(
    zone: ZoneID, key: StoreKey, incarnation: Incarnation, head: Revision
  ) {
    self.zone = zone
    self.key = key
    self.incarnation = incarnation
    self.head = head
  }

  /// Whether any connection follows the zone.
  package var hasSubscribers: Bool { !subscribers.isEmpty }

  /// The connections that follow the zone, in no order.
  package var connections: [ConnectionID] { subscribers.map(\.connection) }

  /// The connections that are not live, in no order.
  package var connectionsCatchingUp: [ConnectionID] {
    subscribers.lazy.filter { $0.state != .live }.map(\.connection)
  }

  /// The number of revisions that each subscriber lacks, if it lacks any.
  package var lags: [(connection: ConnectionID, revisions: Int64)] {
    subscribers.compactMap { subscriber in
      let lag = head.value - subscriber.cursor.value
      return subscriber.state != .live && lag > 0 ? (subscriber.connection, lag) : nil
    }
  }

  /// Adds a subscriber that has read up to `cursor`, or replaces the connection's earlier subscription.
  /// - Parameter attachment: a number that no earlier subscription had.
  package mutating func subscribe(
    _ connection: ConnectionID, from cursor: Revision, scanStart: Revision, attachment: Int,
    former: FormerHistory? = nil
  ) {
    unsubscribe(connection)
    indexes[connection] = subscribers.count
    subscribers.append(
      Subscriber(
        connection: connection, cursor: cursor, scanStart: scanStart, attachment: attachment,
        former: former, state: .catchingUp(needsSnapshotEnd: true)))
  }

  /// Removes the connection's subscription, if there is one.
  package mutating func unsubscribe(_ connection: ConnectionID) {
    guard let index = indexes.removeValue(forKey: connection) else { return }
    let last = subscribers.removeLast()
    guard index < subscribers.count else { return }
    subscribers[index] = last
    indexes[last.connection] = index
  }

  /// The subscriber on a connection; `nil` if the connection does not follow the zone.
  package func subscriber(_ connection: ConnectionID) -> Subscriber? {
    indexes[connection].map { subscribers[$0] }
  }

  // MARK: Publishing

  /// Publishes consecutive segments, the first of which begins at the head.
  /// - Returns: the subscribers to send them to: those that are live and whose socket is writable. The
  ///   others must catch up.
  package mutating func publish(
    _ segments: [FeedSegment], isWritable: (ConnectionID) -> Bool
  ) -> [ConnectionID] {
    guard let first = segments.first, let last = segments.last else { return [] }
    precondition(first.from == head, "A segment does not begin at the head of its feed.")
    var recipients: [ConnectionID] = []
    recipients.reserveCapacity(subscribers.count)
    for index in subscribers.indices where subscribers[index].state == .live {
      if subscribers[index].cursor == first.from, isWritable(subscribers[index].connection) {
        subscribers[index].cursor = last.to
        recipients.append(subscribers[index].connection)
      } else if subscribers[index].cursor < last.to {
        subscribers[index].state = .catchingUp(needsSnapshotEnd: false)
      }
    }
    head = last.to
    append(segments)
    return recipients
  }

  /// Moves the head past a commit that is too large to be sent live. Every subscriber reads it from disk.
  package mutating func skip(to head: Revision) {
    self.head = head
    dropTail()
    for index in subscribers.indices where subscribers[index].cursor < head {
      guard subscribers[index].state == .live else { continue }
      subscribers[index].state = .catchingUp(needsSnapshotEnd: true)
    }
  }

  /// Discards the tail. Subscribers that are catching up read from disk instead.
  package mutating func dropTail() {
    tail = []
    tailBytes = 0
  }

  private mutating func append(_ segments: [FeedSegment]) {
    // Also if all subscribers are live: one of them may fall behind at the next segment.
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

  /// The next step of a subscriber that is catching up.
  package enum NextStep: Hashable, Sendable {
    /// Nothing: the subscriber is now live. With `needsSnapshotEnd`, the broker must send it the end of the
    /// snapshot.
    case live(needsSnapshotEnd: Bool)
    /// This segment of the tail.
    case segment(FeedSegment)
    /// A page from disk, after the cursor.
    case page(after: Revision)
  }

  /// Returns what a subscriber that is catching up needs next. A returned segment counts as sent at once, a
  /// page after `pageWasSent`.
  ///
  /// Returns `nil` if the connection does not follow the zone, if it is live, or if it has read from disk
  /// beyond the published head. In the last case it may have half of a commit, and it becomes live only when
  /// the head reaches its cursor.
  package mutating func advance(_ connection: ConnectionID) -> NextStep? {
    guard let index = indexes[connection],
      case .catchingUp(let needsSnapshotEnd) = subscribers[index].state
    else { return nil }
    let cursor = subscribers[index].cursor
    guard cursor <= head else { return nil }
    if cursor == head {
      subscribers[index].state = .live
      return .live(needsSnapshotEnd: needsSnapshotEnd)
    }
    // NB: the tail has states that were replaced or deleted before a reading from the start began. An account that has just
    // joined must not see them, and the others have no use for them.
    if cursor >= subscribers[index].scanStart, let segment = segment(startingAt: cursor) {
      subscribers[index].cursor = segment.to
      return .segment(segment)
    }
    subscribers[index].state = .catchingUp(needsSnapshotEnd: true)
    return .page(after: cursor)
  }

  /// Records that a subscriber was sent a page from disk up to `revision`. `names` are the damaged records
  /// that the page left out.
  package mutating func pageWasSent(
    to connection: ConnectionID, upTo revision: Revision, withholding names: Set<RecordName> = []
  ) {
    guard let index = indexes[connection] else { return }
    subscribers[index].cursor = max(subscribers[index].cursor, revision)
    guard !names.isEmpty else { return }
    // After a first scan, a device deletes its records that no page contained, unless the former history
    // names them as withheld.
    let former = subscribers[index].former
    subscribers[index].former = FormerHistory(
      lineage: former?.lineage ?? Lineage(), lostNames: former?.lostNames ?? [],
      withheldNames: names)
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
