import Records

/// The result of a deletion: the further records that the broker deleted because they referred to the record.
///
/// If a record refers to a deleted record with the action `deleteSelf`, the broker deletes it too, and so on
/// from that record. CloudKit deletes such records without reporting them.
public struct CascadingDeletion: Hashable, Sendable {
  /// The number of records deleted in the same transaction, without the requested one.
  public let count: Int
  /// The first of these records, in the order of their deletion; at most 100 per request.
  /// `Database.recordsDeleted(in:)` returns all of them.
  public let recordIDs: [RecordID]
  /// Whether further records remain, which the broker has hidden and deletes in later transactions. `count`
  /// does not include them.
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
  /// Returns the ids of all records that a deletion deleted, including the records named in the same request.
  ///
  /// Records that were created again since then are omitted. While `CascadingDeletion.continues`, the sequence ends
  /// with the records deleted so far. It fetches one page at a time. The broker can answer for 90 days, while
  /// it retains the tombstones.
  public func recordsDeleted(in cascade: CascadingDeletion) -> DeletedRecords {
    DeletedRecords(database: self, cascade: cascade)
  }

  fileprivate func page(
    of cascade: CascadingDeletion, after tag: Revision
  ) async throws(RecordsError) -> CascadedPage {
    let message = ClientMessage.cascaded(
      try storedZone(cascade.zone), by: cascade.number, after: tag)
    guard case .cascaded(let page) = try await session.ask(message) else {
      throw Self.unexpectedAnswer
    }
    return page
  }
}

/// The ids of the records that one request deleted, fetched page by page.
public struct DeletedRecords: AsyncSequence, Sendable {
  /// The id of a deleted record.
  public typealias Element = RecordID
  /// The error that ends the sequence.
  public typealias Failure = RecordsError

  let database: Database
  let cascade: CascadingDeletion

  /// An iterator over the ids, which holds one page at most.
  public struct AsyncIterator: AsyncIteratorProtocol {
    private let records: DeletedRecords
    private var buffer: ArraySlice<RecordID> = []
    private var next: Revision? = .zero

    init(_ records: DeletedRecords) {
      self.records = records
    }

    /// Returns the next id; `nil` after the last one.
    /// - Throws: The same errors as `Database.record(for:)`.
    public mutating func next(
      isolation: isolated (any Actor)? = #isolation
    ) async throws(RecordsError) -> RecordID? {
      while buffer.isEmpty, let after = next {
        let page = try await records.database.page(of: records.cascade, after: after)
        buffer = ArraySlice(
          page.items.map { RecordID(recordName: $0.name.text, zoneID: records.cascade.zone) })
        next = page.next
      }
      return buffer.popFirst()
    }
  }

  /// Returns an iterator at the first record.
  public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(self) }
}
