// A zone's changes as an asynchronous sequence: the changes since a token, then live changes, across
// reconnections.

import Records

/// A page of a zone's changes. Store its changes and its `token` in one transaction.
public struct ChangePage: Hashable, Sendable {
  /// The newest state of a record that changed. Earlier states since the token may be skipped.
  public enum Change: Hashable, Sendable {
    /// The record was created or changed.
    case saved(Record)
    /// The record was deleted.
    case deleted(RecordID, recordType: String)
    /// The account may no longer read the record, which may still exist.
    case evicted(RecordID, recordType: String)
  }

  /// The changes, by ascending change tag.
  public let changes: [Change]
  /// The position in the zone's feed after this page.
  public let token: ChangeToken
  /// Whether this page completes a consistent copy: the program has received all changes so far. The
  /// opposite of CloudKit's `moreComing`.
  public let isCaughtUp: Bool
}

/// The changes of a zone, in order and without end. See `Database.changes(in:since:)`.
///
/// The sequence buffers 16 pages. If the loop is slower than the changes, the broker stops sending, and later
/// continues with stored records. A slow loop may therefore skip states of a record that has changed again,
/// but it always receives the newest one. A feed supports one loop at a time.
public struct ZoneChangeSequence: AsyncSequence, Sendable {
  /// A page of changes.
  public typealias Element = ChangePage
  /// The error that ends the sequence.
  public typealias Failure = RecordsError

  let zone: ZoneID
  let source: StreamSource
  let start: ChangeToken?

  /// An iterator over the pages, which reconnects by itself.
  public struct AsyncIterator: AsyncIteratorProtocol {
    private let feed: ZoneChangeSequence
    private var token: ChangeToken?

    init(_ feed: ZoneChangeSequence) {
      self.feed = feed
      token = feed.start
    }

    /// Waits for the next page. Returns `nil` if the task is cancelled or the container closed.
    /// - Throws: `changeTokenExpired`: discard the local copy of the zone and read it from the start;
    ///   `zoneNotFound`, `permissionFailure`. A lost connection is not an error.
    public mutating func next(
      isolation: isolated (any Actor)? = #isolation
    ) async throws(RecordsError) -> ChangePage? {
      while let (message, _) = try await feed.source.next() {
        switch message {
        case .changes(let segment): return try page(of: segment)
        case .level(_, let incarnation, let head, let scanStart, _):
          let token = ChangeToken(
            incarnation: incarnation, revision: head, scanStart: scanStart)
          self.token = token
          return ChangePage(changes: [], token: token, isCaughtUp: true)
        default: continue
        }
      }
      return nil
    }

    private mutating func page(of segment: ZoneChanges) throws(RecordsError) -> ChangePage {
      let token = ChangeToken(
        incarnation: segment.incarnation, revision: segment.to,
        scanStart: segment.scanStart ?? token?.scanStart ?? segment.to)
      self.token = token
      var changes: [ChangePage.Change] = []
      for change in segment.changes {
        let id = RecordID(recordName: change.name.text, zoneID: feed.zone)
        switch change.kind {
        case .saved: changes.append(.saved(try Record(change, zone: feed.zone)))
        case .deleted: changes.append(.deleted(id, recordType: change.type.text))
        case .evicted: changes.append(.evicted(id, recordType: change.type.text))
        }
      }
      // A live frame contains whole commits. While the broker sends pages from disk, it states the
      // revision at which that scan began.
      return ChangePage(
        changes: changes, token: token, isCaughtUp: segment.scanStart == nil)
    }
  }

  /// Returns an iterator that connects when it is first used.
  public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(self) }
}

extension Database {
  /// Returns the changes of a zone since a token, then each change when it is committed, including those of
  /// this device. CloudKit: `recordZoneChanges(inZoneWith:since:)` together with a zone subscription.
  ///
  /// The public database has no feed; subscribe to a query there.
  /// - Parameters:
  ///   - zone: The zone.
  ///   - token: The position to start after; `nil` to read the zone from the start.
  public func changes(in zone: ZoneID = .standard, since token: ChangeToken? = nil)
    -> ZoneChangeSequence
  {
    // The broker's error explains that the public database has no feed.
    let zoneID = scope == .public ? Records.ZoneID.public : zone.stored
    let cursor = ZoneCursor(zone: zoneID, token: token)
    return ZoneChangeSequence(zone: zone, source: streams(.zone(cursor)), start: token)
  }

  /// Fetches all changes of a zone since a token. CloudKit: `recordZoneChanges(inZoneWith:since:)`, all
  /// pages.
  ///
  /// All changes are in memory at once. Read a large zone page by page with `changes(in:since:)`.
  /// - Throws: The same errors as `ZoneChangeSequence`.
  public func changesUntilNow(
    in zone: ZoneID = .standard, since token: ChangeToken? = nil
  ) async throws(RecordsError) -> (changes: [ChangePage.Change], token: ChangeToken) {
    var changes: [ChangePage.Change] = []
    var pages = self.changes(in: zone, since: token).makeAsyncIterator()
    while let page = try await pages.next() {
      changes += page.changes
      if page.isCaughtUp { return (changes, page.token) }
    }
    throw RecordsError(.operationCancelled, "The task was cancelled, or the container closed.")
  }
}
