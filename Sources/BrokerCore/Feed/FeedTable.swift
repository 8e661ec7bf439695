// The feeds of all zones that connections follow, and the memory that their tails use together.

import Records

/// A zone of a container.
package struct FeedKey: Hashable, Sendable {
  /// The row of the container.
  package let container: StoreKey
  /// The zone, with its owner's account.
  package let zone: ZoneID

  package init(container: StoreKey, zone: ZoneID) {
    self.container = container
    self.zone = zone
  }
}

/// The live feeds of all zones that connections follow. A zone without subscribers has none.
struct FeedTable: Sendable {
  /// Segments to send to live subscribers.
  struct Publication: Sendable {
    let segments: [FeedSegment]
    let recipients: [ConnectionID]
  }

  private var feeds: [FeedKey: ZoneFeed] = [:]
  /// The number of the last attachment.
  private var lastAttachment = 0
  /// The bytes of all tails together.
  private(set) var tailBytes = 0
  /// The rows of zones that have got a feed, or have none any more, since `takeInterest`.
  private var interest: [StoreKey: Bool] = [:]

  var count: Int { feeds.count }

  /// All feeds, in no order.
  var all: some Collection<ZoneFeed> { feeds.values }

  /// The feed of a zone; `nil` if no connection follows it.
  subscript(key: FeedKey) -> ZoneFeed? { feeds[key] }

  // MARK: Subscribers

  /// Subscribes a connection to a zone, from the position in `token`, or from the zone's start.
  mutating func subscribe(
    _ connection: ConnectionID, to stored: StoredZone, row: StoreKey, key: FeedKey,
    from token: ChangeToken?
  ) {
    lastAttachment += 1
    if feeds[key] == nil { interest[row] = true }
    let new = ZoneFeed(
      zone: key.zone, key: row, incarnation: stored.incarnation, head: stored.head)
    feeds[key, default: new].subscribe(
      connection, from: token?.revision ?? .zero, scanStart: token?.scanStart ?? stored.head,
      attachment: lastAttachment, former: stored.former)
  }

  mutating func unsubscribe(_ connection: ConnectionID, from key: FeedKey) {
    guard var feed = feeds.removeValue(forKey: key) else { return }
    feed.unsubscribe(connection)
    if feed.hasSubscribers {
      feeds[key] = feed
    } else {
      tailBytes -= feed.tailBytes
      interest[feed.key] = false
    }
  }

  /// Removes the feed of a deleted zone. Returns its subscribers.
  mutating func remove(_ key: FeedKey) -> [ConnectionID] {
    guard let feed = feeds.removeValue(forKey: key) else { return [] }
    tailBytes -= feed.tailBytes
    interest[feed.key] = false
    return feed.connections
  }

  /// Returns which zones have got a feed (`true`) or have none any more since the last call; `nil` for none.
  mutating func takeInterest() -> [StoreKey: Bool]? {
    guard !interest.isEmpty else { return nil }
    defer { interest = [:] }
    return interest
  }

  // MARK: Publishing

  /// Publishes the commits of a zone, encoded by `encode`.
  /// - Parameter isWritable: whether a connection's socket is writable. If not, the connection catches up
  ///   later.
  /// - Returns: what to send, and the subscribers that are catching up.
  mutating func publish(
    _ commits: [ZoneCommit], to key: FeedKey, encode: BrokerConfiguration.Encode,
    isWritable: (ConnectionID) -> Bool
  ) -> (publications: [Publication], catchingUp: [ConnectionID]) {
    // Removed and put back, so that the feed is changed in place.
    guard var feed = feeds.removeValue(forKey: key) else { return ([], []) }
    tailBytes -= feed.tailBytes
    if tailBytes > BrokerLimits.allTailsBytes { feed.dropTail() }
    var publications: [Publication] = []
    for sealed in Self.seal(commits, feed: feed, encode: encode) {
      switch sealed {
      case .live(let segments):
        let recipients = feed.publish(segments, isWritable: isWritable)
        if !recipients.isEmpty {
          publications.append(Publication(segments: segments, recipients: recipients))
        }
      case .tooLarge(let head): feed.skip(to: head)
      }
    }
    tailBytes += feed.tailBytes
    feeds[key] = feed
    return (publications, feed.connectionsCatchingUp)
  }

  /// Moves the head of a feed past commits whose changes are not at hand. Returns the subscribers, which read them from
  /// disk.
  mutating func skip(_ key: FeedKey, to head: Revision) -> [ConnectionID] {
    guard var feed = feeds.removeValue(forKey: key) else { return [] }
    tailBytes -= feed.tailBytes
    feed.skip(to: head)
    feeds[key] = feed
    return feed.connectionsCatchingUp
  }

  private enum Sealed {
    case live([FeedSegment])
    case tooLarge(head: Revision)
  }

  /// Encodes commits into segments of about `BrokerLimits.segmentBytes`, whole commits in each.
  private static func seal(
    _ commits: [ZoneCommit], feed: ZoneFeed, encode: BrokerConfiguration.Encode
  ) -> [Sealed] {
    var sealed: [Sealed] = []
    var segments: [FeedSegment] = []
    var changes: [Change] = []
    var from = commits.first?.from ?? .zero
    var byteCount = 0
    func segment(to: Revision) -> FeedSegment {
      let range = ZoneChanges(
        zone: feed.zone, incarnation: feed.incarnation, from: from, to: to, scanStart: nil,
        changes: changes)
      return FeedSegment(from: from, to: to, frame: encode(range))
    }
    for commit in commits {
      let commitBytes = commit.changes.reduce(0) { $0 + $1.record.bytes.count + 128 }
      if byteCount > 0, byteCount + commitBytes > BrokerLimits.segmentBytes {
        segments.append(segment(to: commit.from))
        (from, changes, byteCount) = (commit.from, [], 0)
      }
      if commitBytes > BrokerLimits.liveCommitBytes {
        if !segments.isEmpty { sealed.append(.live(segments)) }
        sealed.append(.tooLarge(head: commit.zone.head))
        (segments, from) = ([], commit.zone.head)
        continue
      }
      changes += commit.changes
      byteCount += commitBytes
    }
    if let last = commits.last, byteCount > 0 { segments.append(segment(to: last.zone.head)) }
    if !segments.isEmpty { sealed.append(.live(segments)) }
    return sealed
  }

  // MARK: Catching up

  /// Returns what a subscriber needs next; see `ZoneFeed.advance`.
  mutating func advance(_ connection: ConnectionID, in key: FeedKey) -> ZoneFeed.NextStep? {
    feeds[key]?.advance(connection)
  }

  /// Records that a subscriber was sent a page from disk.
  mutating func pageWasSent(_ page: EncodedPage, to connection: ConnectionID, in key: FeedKey) {
    feeds[key]?.pageWasSent(to: connection, upTo: page.to, withholding: page.withheld)
  }
}
