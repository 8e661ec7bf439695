// Asking a database for records.

import Records

extension Database {
  /// A page of the records of a type for which a predicate holds. CloudKit:
  /// `records(matching:inZoneWith:desiredKeys:resultsLimit:)`.
  /// - Parameters:
  ///   - query: what is asked.
  ///   - zone: one zone; `nil` for all of the database.
  ///   - desiredKeys: the only fields wanted; `nil` for all.
  ///   - resultsLimit: the most records of a page; 0 for 100, at most 1,000.
  /// - Returns: the records in the query's order, and where the next page begins; `nil` at the end.
  /// - Throws: `invalidArguments`, with the column, for a predicate that is wrong.
  public func records(
    matching query: Query, inZone zone: ZoneID? = nil, desiredKeys: [String]? = nil,
    resultsLimit: Int = 0
  ) async throws(RecordError) -> (records: [Record], cursor: Query.Cursor?) {
    try await page(
      of: Query.Question(
        query: query, zone: zone, desiredKeys: desiredKeys, limit: resultsLimit), after: nil)
  }

  /// The page behind a cursor. CloudKit: `records(continuingMatchFrom:)`.
  public func records(
    continuingMatchFrom cursor: Query.Cursor
  ) async throws(RecordError) -> (records: [Record], cursor: Query.Cursor?) {
    try await page(of: cursor.question, after: cursor.place)
  }

  /// All records of a query as a sequence, which asks for the next page when one is used up.
  public func allRecords(
    matching query: Query, inZone zone: ZoneID? = nil, desiredKeys: [String]? = nil
  ) -> QueryResults {
    QueryResults(
      database: self,
      question: Query.Question(query: query, zone: zone, desiredKeys: desiredKeys, limit: 0))
  }

  fileprivate func page(
    of question: Query.Question, after cursor: [UInt8]?
  ) async throws(RecordError) -> (records: [Record], cursor: Query.Cursor?) {
    let account = try await session.welcome().account
    let form = try question.form(in: scope, after: cursor)
    guard case .found(let page) = try await session.ask(.query(form)) else { throw Self.strange }
    var records: [Record] = []
    for found in page.records {
      let zone = ZoneID(found.zone, seenBy: account)
      records.append(try Record(found.change, zone: zone))
    }
    return (records, page.cursor.map { Query.Cursor(question: question, place: $0) })
  }
}

/// The records of a query, page by page.
public struct QueryResults: AsyncSequence, Sendable {
  /// A record.
  public typealias Element = Record
  /// What ends the loop.
  public typealias Failure = RecordError

  let database: Database
  let question: Query.Question

  /// Walks over the records.
  public struct AsyncIterator: AsyncIteratorProtocol {
    private let results: QueryResults
    private var waiting: ArraySlice<Record> = []
    private var cursor: Query.Cursor?
    private var hasBegun = false

    init(_ results: QueryResults) {
      self.results = results
    }

    /// The next record; `nil` behind the last. At most one page is held.
    /// - Throws: as `Database.records(matching:inZone:desiredKeys:resultsLimit:)`.
    public mutating func next(
      isolation: isolated (any Actor)? = #isolation
    ) async throws(RecordError) -> Record? {
      while true {
        if let first = waiting.popFirst() { return first }
        if hasBegun, cursor == nil { return nil }
        let page = try await results.database.page(of: results.question, after: cursor?.place)
        hasBegun = true
        waiting = page.records[...]
        cursor = page.cursor
      }
    }
  }

  /// Begins to walk.
  public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(self) }
}
