import Records

extension Database {
  /// Fetches the first page of the records that match a query. CloudKit:
  /// `records(matching:inZoneWith:desiredKeys:resultsLimit:)`.
  /// - Parameters:
  ///   - query: The query.
  ///   - zone: The zone to search; `nil` for all zones of the database.
  ///   - desiredKeys: The keys of the fields to fetch; `nil` for all fields.
  ///   - resultsLimit: The maximum number of records in a page, up to 1,000; 0 means 100.
  /// - Returns: The records in the query's order, and a cursor for the next page, `nil` if there is none.
  /// - Throws: `invalidArguments`, with the column, if the predicate is invalid; `limitExceeded`, reason
  ///   `tooSlow`, if the page takes longer than two seconds to find.
  public func records(
    matching query: Query, inZone zone: ZoneID? = nil, desiredKeys: [String]? = nil,
    resultsLimit: Int = 0
  ) async throws(RecordsError) -> (records: [Record], cursor: Query.Cursor?) {
    try await page(
      of: Query.Parameters(
        query: query, zone: zone, desiredKeys: desiredKeys, limit: resultsLimit), after: nil)
  }

  /// Fetches the page after a cursor. CloudKit: `records(continuingMatchFrom:)`.
  public func records(
    continuingMatchFrom cursor: Query.Cursor
  ) async throws(RecordsError) -> (records: [Record], cursor: Query.Cursor?) {
    try await page(of: cursor.parameters, after: cursor.position)
  }

  /// Returns all records that match a query, as a sequence that fetches each page when it is needed.
  public func allRecords(
    matching query: Query, inZone zone: ZoneID? = nil, desiredKeys: [String]? = nil
  ) -> QueryResults {
    QueryResults(
      database: self,
      parameters: Query.Parameters(query: query, zone: zone, desiredKeys: desiredKeys, limit: 0))
  }

  fileprivate func page(
    of parameters: Query.Parameters, after cursor: [UInt8]?
  ) async throws(RecordsError) -> (records: [Record], cursor: Query.Cursor?) {
    let account = try await session.welcome().account
    let form = try parameters.form(in: scope, after: cursor)
    guard case .found(let page) = try await session.ask(.query(form)) else {
      throw Self.unexpectedAnswer
    }
    var records: [Record] = []
    for found in page.records {
      let zone = ZoneID(found.zone, seenBy: account)
      records.append(try Record(found.change, zone: zone))
    }
    return (records, page.cursor.map { Query.Cursor(parameters: parameters, position: $0) })
  }
}

/// The records that match a query, fetched page by page.
public struct QueryResults: AsyncSequence, Sendable {
  /// A matching record.
  public typealias Element = Record
  /// The error that ends the sequence.
  public typealias Failure = RecordsError

  let database: Database
  let parameters: Query.Parameters

  /// An iterator over the records, which holds one page at most.
  public struct AsyncIterator: AsyncIteratorProtocol {
    private let results: QueryResults
    private var buffer: ArraySlice<Record> = []
    private var cursor: Query.Cursor?
    private var hasBegun = false

    init(_ results: QueryResults) {
      self.results = results
    }

    /// Returns the next record; `nil` after the last one.
    /// - Throws: The same errors as `Database.records(matching:inZone:desiredKeys:resultsLimit:)`.
    public mutating func next(
      isolation: isolated (any Actor)? = #isolation
    ) async throws(RecordsError) -> Record? {
      while true {
        if let first = buffer.popFirst() { return first }
        if hasBegun, cursor == nil { return nil }
        let page = try await results.database.page(of: results.parameters, after: cursor?.position)
        hasBegun = true
        buffer = page.records[...]
        cursor = page.cursor
      }
    }
  }

  /// Returns an iterator at the first record.
  public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(self) }
}
