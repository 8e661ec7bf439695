import DequeModule
import Records

/// The zones that a connection follows, and its checkpoints.
struct SessionFeeds: Sendable {
  /// A checkpoint that waits for zones to reach a revision.
  private struct Checkpoint: Sendable {
    let replyTo: UInt64
    var missing: [ZoneID: Revision]
  }

  private(set) var zones: Set<ZoneID> = []
  /// The zones in which the connection is catching up, in the order of their turns.
  private var queue: Deque<ZoneID> = []
  /// Whether a page is being read for the connection, or a segment is being written to its socket.
  var isCatchingUp = false
  /// An attach request that the storage thread has.
  private struct Attach: Sendable {
    let replyTo: UInt64
    /// Its zones, except those detached since, which is done at once.
    var zones: Set<ZoneID>
  }

  private var attaches: [Attach] = []
  private var checkpoints: [Checkpoint] = []
  /// Checkpoints that wait for attach requests, because they cover those zones too.
  private var heldCheckpoints: [UInt64] = []

  mutating func follow(_ zone: ZoneID) { zones.insert(zone) }

  mutating func unfollow(_ zone: ZoneID) { zones.remove(zone) }

  mutating func beginAttach(_ zones: Set<ZoneID>, replyTo: UInt64) {
    attaches.append(Attach(replyTo: replyTo, zones: zones))
  }

  /// Ends an attach request. Returns its zones, except those detached since.
  ///
  /// NB: the storage thread may end requests in another order than they came in.
  mutating func endAttach(replyTo: UInt64) -> Set<ZoneID> {
    guard let index = attaches.firstIndex(where: { $0.replyTo == replyTo }) else { return [] }
    return attaches.remove(at: index).zones
  }

  /// Notes that zones were detached, for the attach requests that have not ended.
  mutating func detach(_ zones: [ZoneID]) {
    for index in attaches.indices { attaches[index].zones.subtract(zones) }
  }

  // MARK: Turns

  /// The zone whose turn it is to catch up.
  var next: ZoneID? { queue.first }

  /// Adds a zone that must catch up. Returns whether it was not in the queue.
  mutating func enqueue(_ zone: ZoneID) -> Bool {
    guard !queue.contains(zone) else { return false }
    queue.append(zone)
    return true
  }

  /// Removes the zone whose turn it was from the queue.
  mutating func dequeue() { queue.removeFirst() }

  // MARK: Checkpoints

  /// Adds a checkpoint, unless there are too many.
  mutating func add(checkpoint number: UInt64) -> Bool {
    guard checkpoints.count + heldCheckpoints.count < Limits.requestsInFlight else { return false }
    heldCheckpoints.append(number)
    return true
  }

  /// Sets the goal of the checkpoints that waited for attach requests, if no such request is in progress.
  /// - Parameter missing: returns the zones that are not caught up, and the revisions that they must reach.
  mutating func setCheckpoints(missing: () -> [ZoneID: Revision]) {
    guard attaches.isEmpty, !heldCheckpoints.isEmpty else { return }
    let goal = missing()
    checkpoints += heldCheckpoints.map { Checkpoint(replyTo: $0, missing: goal) }
    heldCheckpoints = []
  }

  /// Removes and returns the checkpoints whose zones have all reached their revisions.
  /// - Parameter cursor: returns the connection's revision of a zone; `nil` if it no longer follows the zone.
  mutating func reachedCheckpoints(cursor: (ZoneID) -> Revision?) -> [UInt64] {
    guard !checkpoints.isEmpty else { return [] }
    for index in checkpoints.indices {
      checkpoints[index].missing = checkpoints[index].missing.filter { zone, goal in
        cursor(zone).map { $0 < goal } ?? false
      }
    }
    defer { checkpoints.removeAll { $0.missing.isEmpty } }
    return checkpoints.filter(\.missing.isEmpty).map(\.replyTo)
  }
}
