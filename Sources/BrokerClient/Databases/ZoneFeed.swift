// A zone's changes as an asynchronous sequence: first what a token lacks, then whatever comes, over
// lost connections.

import Records

/// A stretch of a zone's changes. Keep `token` in the same transaction as what came with it.
public struct ChangePage: Hashable, Sendable {
  /// What happened to one record since it was read last; only its newest state is told.
  public enum Change: Hashable, Sendable {
    /// It was made or changed, and this is what it is.
    case saved(Record)
    /// It was deleted.
    case deleted(RecordID, recordType: String)
    /// It may no longer be seen; nothing is said about its existence.
    case evicted(RecordID, recordType: String)
  }

  /// The changes, in the order in which the broker made them.
  public let changes: [Change]
  /// How far the zone has been read with this page.
  public let token: ChangeToken
  /// Whether this is all there is for now: what is held is consistent. CloudKit: `moreComing`,
  /// turned around.
  public let isLevel: Bool
}

/// A zone's changes, in order, until the loop is left. See `Database.changes(in:since:)`.
///
/// Of what the loop has not taken 16 frames are held; beyond that nothing is read from the broker,
/// which goes on from its disk when there is room: a slow loop gets fewer, newer states, and misses
/// none. One loop at a time.
public struct ZoneFeed: AsyncSequence, Sendable {
  /// A stretch of changes.
  public typealias Element = ChangePage
  /// What ends the loop.
  public typealias Failure = RecordError

  let zone: ZoneID
  let source: StreamSource
  let start: ChangeToken?

  /// Walks over what comes.
  public struct AsyncIterator: AsyncIteratorProtocol {
    private let feed: ZoneFeed
    private var token: Records.ChangeToken?

    init(_ feed: ZoneFeed) {
      self.feed = feed
      token = feed.start?.stored
    }

    /// The next page; `nil` when the task is cancelled or the container closed.
    /// - Throws: `changeTokenExpired`: drop what is held of the zone and read it from the start;
    ///   `zoneNotFound`, `permissionFailure`. Lost connections are not told.
    public mutating func next(
      isolation: isolated (any Actor)? = #isolation
    ) async throws(RecordError) -> ChangePage? {
      while let (message, _) = try await feed.source.next() {
        switch message {
        case .changes(let stretch): return try page(of: stretch)
        case .level(_, let incarnation, let head, let scanStart, _):
          let token = Records.ChangeToken(
            incarnation: incarnation, revision: head, scanStart: scanStart)
          self.token = token
          return ChangePage(changes: [], token: ChangeToken(token), isLevel: true)
        default: continue
        }
      }
      return nil
    }

    private mutating func page(of stretch: ZoneChanges) throws(RecordError) -> ChangePage {
      let token = Records.ChangeToken(
        incarnation: stretch.incarnation, revision: stretch.to,
        scanStart: stretch.scanStart ?? token?.scanStart ?? stretch.to)
      self.token = token
      var changes: [ChangePage.Change] = []
      for change in stretch.changes {
        let id = RecordID(recordName: change.name.text, zoneID: feed.zone)
        switch change.kind {
        case .saved: changes.append(.saved(try Record(change, zone: feed.zone)))
        case .deleted: changes.append(.deleted(id, recordType: change.type.text))
        case .evicted: changes.append(.evicted(id, recordType: change.type.text))
        }
      }
      // A live frame holds whole commits; a page of a catch-up says in its token that more comes.
      return ChangePage(
        changes: changes, token: ChangeToken(token), isLevel: stretch.scanStart == nil)
    }
  }

  /// Begins to walk.
  public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(self) }
}

extension Database {
  /// Follows a zone: what a token lacks, then every change as it is made, one's own included. The
  /// public database has no feed: subscribe to a query there.
  /// CloudKit: `recordZoneChanges(inZoneWith:since:)` and a zone subscription in one.
  /// - Parameters:
  ///   - zone: the zone.
  ///   - token: how far it was read; `nil` for all of it.
  public func changes(in zone: ZoneID = .standard, since token: ChangeToken? = nil) -> ZoneFeed {
    // The broker says why the public database has no feed.
    let place = scope == .public ? Records.ZoneID.public : zone.stored
    let following = ZoneFollowing(zone: place, token: token?.stored)
    return ZoneFeed(zone: zone, source: streams(.zone(following)), start: token)
  }

  /// What a token lacks, up to now. CloudKit: `recordZoneChanges(inZoneWith:since:)`, all pages.
  /// Holds everything at once; for a large zone take `changes(in:since:)` page by page.
  /// - Throws: as `ZoneFeed`.
  public func changesUntilNow(
    in zone: ZoneID = .standard, since token: ChangeToken? = nil
  ) async throws(RecordError) -> (changes: [ChangePage.Change], token: ChangeToken) {
    var changes: [ChangePage.Change] = []
    var pages = self.changes(in: zone, since: token).makeAsyncIterator()
    while let page = try await pages.next() {
      changes += page.changes
      if page.isLevel { return (changes, page.token) }
    }
    throw RecordError(.operationCancelled, "The task was cancelled, or the container closed.")
  }
}
