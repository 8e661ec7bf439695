// Live, catching up, unsubscribed: a subscriber that falls behind receives every revision once and in order.

import BrokerCore
import Records
import Testing

@Suite("B2, I5, I18 zone feed")
struct ZoneFeedTests {
  private let one = ConnectionID(1)
  private let two = ConnectionID(2)

  @Test func `a live subscriber gets each segment as it is published`() {
    var feed = feed(head: 0)
    settle(&feed, one)
    #expect(feed.publish([segment(0, 2)], isWritable: { _ in true }) == [one])
    #expect(feed.subscriber(one)?.cursor == Revision(2))
  }

  @Test func `a subscriber whose socket is not writable catches up later and costs nothing`() {
    var feed = feed(head: 0)
    settle(&feed, one)
    settle(&feed, two)
    #expect(feed.publish([segment(0, 2)], isWritable: { $0 == two }) == [two])
    #expect(feed.subscriber(one)?.state == .catchingUp(needsSnapshotEnd: false))
    #expect(feed.publish([segment(2, 3)], isWritable: { _ in true }) == [two])
  }

  @Test func `a subscriber that missed little continues from the tail, without an end of snapshot`()
  {
    var feed = feed(head: 0)
    settle(&feed, one)
    _ = feed.publish([segment(0, 2), segment(2, 3)], isWritable: { _ in false })
    #expect(feed.advance(one) == .segment(segment(0, 2)))
    #expect(feed.advance(one) == .segment(segment(2, 3)))
    #expect(feed.advance(one) == .live(needsSnapshotEnd: false))
    #expect(feed.advance(one) == nil)
  }

  @Test func `a subscriber that missed the tail reads from disk and then gets an end of snapshot`()
  {
    var feed = feed(head: 0)
    settle(&feed, one)
    _ = feed.publish([segment(0, 2)], isWritable: { _ in false })
    feed.dropTail()
    #expect(feed.advance(one) == .page(after: .zero))
    feed.pageWasSent(to: one, upTo: Revision(2))
    #expect(feed.advance(one) == .live(needsSnapshotEnd: true))
  }

  @Test func `H3 a reading from the start gets pages, not the states of before that the tail has`()
  {
    var feed = feed(head: 0)
    settle(&feed, one)
    _ = feed.publish([segment(0, 1), segment(1, 3)], isWritable: { _ in true })
    feed.subscribe(two, from: .zero, scanStart: Revision(3), attachment: 2)
    #expect(feed.advance(two) == .page(after: .zero))
    feed.pageWasSent(to: two, upTo: Revision(1))
    #expect(feed.advance(two) == .page(after: Revision(1)))
    feed.pageWasSent(to: two, upTo: Revision(3))
    _ = feed.publish([segment(3, 4)], isWritable: { _ in true })
    #expect(feed.advance(two) == .segment(segment(3, 4)))
  }

  @Test func `a subscriber whose page ran ahead is live once that revision is published`() {
    var feed = feed(head: 5)
    feed.subscribe(one, from: .zero, scanStart: Revision(5), attachment: 1)
    #expect(feed.advance(one) == .page(after: .zero))
    feed.pageWasSent(to: one, upTo: Revision(7))
    #expect(feed.advance(one) == nil)
    #expect(feed.publish([segment(5, 7)], isWritable: { _ in true }).isEmpty)
    #expect(feed.connectionsCatchingUp == [one])
    #expect(feed.advance(one) == .live(needsSnapshotEnd: true))
    #expect(feed.publish([segment(7, 8)], isWritable: { _ in true }) == [one])
  }

  @Test func `a page that ends inside a commit is continued when the commit is published`() {
    var feed = feed(head: 5)
    feed.subscribe(one, from: .zero, scanStart: Revision(5), attachment: 1)
    #expect(feed.advance(one) == .page(after: .zero))
    feed.pageWasSent(to: one, upTo: Revision(6))
    #expect(feed.advance(one) == nil)
    #expect(feed.publish([segment(5, 7)], isWritable: { _ in true }).isEmpty)
    #expect(feed.advance(one) == .page(after: Revision(6)))
  }

  @Test func `a commit that is too large to send live is read from disk for every subscriber`() {
    var feed = feed(head: 0)
    settle(&feed, one)
    feed.skip(to: Revision(9))
    #expect(feed.advance(one) == .page(after: .zero))
    feed.pageWasSent(to: one, upTo: Revision(9))
    #expect(feed.advance(one) == .live(needsSnapshotEnd: true))
  }

  @Test func `the tail keeps to its limit however much is published`() {
    var feed = feed(head: 0)
    let frame = [UInt8](repeating: 0, count: BrokerLimits.segmentBytes)
    for index in 0..<Int64(200) {
      let segment = FeedSegment(from: Revision(index), to: Revision(index + 1), frame: frame)
      _ = feed.publish([segment], isWritable: { _ in true })
      #expect(feed.tailBytes <= BrokerLimits.tailBytes)
    }
    #expect(feed.tailBytes > BrokerLimits.tailBytes / 2)
  }

  @Test func `unsubscribing a connection leaves the others`() {
    var feed = feed(head: 0)
    settle(&feed, one)
    settle(&feed, two)
    feed.unsubscribe(one)
    #expect(feed.subscriber(one) == nil)
    #expect(feed.publish([segment(0, 1)], isWritable: { _ in true }) == [two])
    feed.unsubscribe(two)
    #expect(!feed.hasSubscribers)
  }

  /// Tries every order of publishing, opening, closing and reading in a small world. The revisions sent to a
  /// subscriber must be complete and in order.
  @Test func `every revision arrives once and in order, whatever happens`() {
    for choices in 0..<4096 {
      var world = SmallWorld(choices: choices)
      world.run()
      #expect(world.received == Array(1...max(1, world.head)).filter { $0 <= world.head })
    }
  }

  private func feed(head: Int64) -> ZoneFeed {
    ZoneFeed(
      zone: zone().id, key: 5, incarnation: Incarnation(7), head: Revision(head))
  }

  private func settle(_ feed: inout ZoneFeed, _ connection: ConnectionID) {
    feed.subscribe(connection, from: feed.head, scanStart: feed.head, attachment: 1)
    #expect(feed.advance(connection) == .live(needsSnapshotEnd: true))
  }

  private func segment(_ from: Int64, _ to: Int64) -> FeedSegment {
    FeedSegment(from: Revision(from), to: Revision(to), frame: [UInt8(from), UInt8(to)])
  }
}

/// One subscriber and one writer; each pair of bits in `choices` selects the next event.
private struct SmallWorld {
  var choices: Int
  var head: Int64 = 0
  var received: [Int64] = []
  private var isOpen = true
  private var feed = ZoneFeed(
    zone: zone().id, key: 5, incarnation: Incarnation(7), head: .zero)
  private let reader = ConnectionID(1)

  init(choices: Int) {
    self.choices = choices
  }

  mutating func run() {
    feed.subscribe(reader, from: .zero, scanStart: .zero, attachment: 1)
    for _ in 0..<6 {
      switch choices & 3 {
      case 0: publish()
      case 1: isOpen.toggle()
      case 2: step()
      default: feed.dropTail()
      }
      choices >>= 2
    }
    isOpen = true
    while step() {}
  }

  private mutating func publish() {
    let segment = FeedSegment(from: Revision(head), to: Revision(head + 1), frame: [])
    head += 1
    let isOpen = isOpen
    if feed.publish([segment], isWritable: { _ in isOpen }) == [reader] { received.append(head) }
  }

  @discardableResult private mutating func step() -> Bool {
    guard isOpen else { return false }
    switch feed.advance(reader) {
    case .segment(let segment): received += (segment.from.value + 1)...segment.to.value
    case .page(let after):
      received += (after.value + 1)...head
      feed.pageWasSent(to: reader, upTo: Revision(head))
    case .live, nil: return false
    }
    return true
  }
}
