// What a deletion took along: the records that referred to the deleted one by `deleteSelf`, and those
// that referred to them. CloudKit deletes them too, and tells nobody which they were.

import Records

/// What went with a deleted record.
public struct Cascade: Hashable, Sendable {
  /// How many records were deleted in the same transaction, the one asked for not counted.
  public let count: Int
  /// The first of them, in the order in which they were deleted; at most 100 in a request.
  /// `Database.recordsDeleted(in:)` brings all.
  public let recordIDs: [RecordID]
  /// Whether more are on their way: nobody can read them any longer, and they are deleted in the
  /// background.
  public let continues: Bool

  let zone: ZoneID
  let number: RequestNumber

  init(_ stored: CascadedRecords, zone: ZoneID, number: RequestNumber) {
    count = stored.count
    recordIDs = stored.names.map { RecordID(recordName: $0.text, zoneID: zone) }
    continues = stored.goesOn
    self.zone = zone
    self.number = number
  }
}

extension Database {
  /// Everything that the request of a deletion deleted in its zone, those it was asked to delete
  /// included; what was made again since is not among them. Asks for a page at a time; it can be asked
  /// for as long as tombstones are kept.
  public func recordsDeleted(in cascade: Cascade) -> DeletedRecords {
    DeletedRecords(database: self, cascade: cascade)
  }

  fileprivate func page(
    of cascade: Cascade, after tag: Revision
  ) async throws(RecordError) -> CascadedPage {
    let question = ClientMessage.cascaded(
      try place(of: cascade.zone), by: cascade.number, after: tag)
    guard case .cascaded(let page) = try await session.ask(question) else { throw Self.strange }
    return page
  }
}

/// The records that one request deleted, page by page.
public struct DeletedRecords: AsyncSequence, Sendable {
  /// A record's id.
  public typealias Element = RecordID
  /// What ends the loop.
  public typealias Failure = RecordError

  let database: Database
  let cascade: Cascade

  /// Walks over the records.
  public struct AsyncIterator: AsyncIteratorProtocol {
    private let records: DeletedRecords
    private var waiting: ArraySlice<RecordID> = []
    private var next: Revision? = .zero

    init(_ records: DeletedRecords) {
      self.records = records
    }

    /// The next record; `nil` behind the last. At most one page is held.
    /// - Throws: as `Database.record(for:)`.
    public mutating func next(
      isolation: isolated (any Actor)? = #isolation
    ) async throws(RecordError) -> RecordID? {
      while waiting.isEmpty, let after = next {
        let page = try await records.database.page(of: records.cascade, after: after)
        waiting = ArraySlice(
          page.items.map { RecordID(recordName: $0.name.text, zoneID: records.cascade.zone) })
        next = page.next
      }
      return waiting.popFirst()
    }
  }

  /// Begins with the first record.
  public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(self) }
}
