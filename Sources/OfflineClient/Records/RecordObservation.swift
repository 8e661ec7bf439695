// Observing a query: it is evaluated again when an event of the replica may have changed its result.

import BrokerClient
import DeviceDriver
import DeviceStore
import Predicates
import RecordQueries
import Records

/// The results of a query, each time they change. See `OfflineContainer.observe(_:inZone:in:limit:)`.
public struct RecordObservation: AsyncSequence, Sendable {
  /// A result of the query.
  public typealias Element = [Record]
  /// The error that ends the sequence.
  public typealias Failure = RecordsError

  private let container: OfflineContainer
  private let query: Query
  private let watch: QueryWatch
  private let zone: ZoneID?
  private let scope: DatabaseScope
  private let limit: Int

  init(
    _ container: OfflineContainer, _ query: Query, form: RecordQuery, _ zone: ZoneID?,
    _ scope: DatabaseScope, limit: Int
  ) {
    self.container = container
    self.query = query
    watch = QueryWatch(form, account: nil)
    self.zone = zone
    self.scope = scope
    self.limit = limit
  }

  /// Creates an iterator, which reads the first result when it is asked for it.
  public func makeAsyncIterator() -> Iterator { Iterator(observation: self) }

  /// An iterator over the results of a query.
  public struct Iterator: AsyncIteratorProtocol {
    private let observation: RecordObservation
    private var events: AsyncStream<EventNews>.Iterator?
    private var last: [Record]?
    /// The newest event that the last result includes, or that does not concern it.
    private var lastSequence: Int64 = 0
    /// The number of news of confirmed records that the iterator has looked at.
    private var confirmationCount: UInt64 = 0
    /// The number of erasures that the last result includes. Erased records have no events.
    private var lastErasure = 0

    fileprivate init(observation: RecordObservation) {
      self.observation = observation
    }

    /// Returns the next result, which differs from the one before; `nil` once the container is closed or the task
    /// is cancelled.
    /// - Throws: the errors of `OfflineContainer.records(matching:inZone:in:limit:)`, and `requestRateLimited` if
    ///   the program has too many observations.
    public mutating func next(
      isolation actor: isolated (any Actor)? = #isolation
    ) async throws(RecordsError) -> [Record]? {
      guard !observation.container.isClosed else { return nil }
      if events == nil {
        try begin()
        return try read()
      }
      while let news = await events?.next(isolation: actor) {
        let former = last
        do throws(RecordsError) {
          guard try concerns(news) else { continue }
          let records = try read()
          if records != former { return records }
        } catch {
          // The container was closed before the program read its last events.
          guard !observation.container.isClosed else { return nil }
          throw error
        }
      }
      return nil
    }

    /// Watches before it reads, so that no change is missed in between.
    private mutating func begin() throws(RecordsError) {
      guard let watch = observation.container.driver.events.watch() else {
        throw RecordsError(
          .requestRateLimited, "This program has too many observations.",
          hint: "End some of them first.")
      }
      events = watch.news.makeAsyncIterator()
    }

    private mutating func read() throws(RecordsError) -> [Record] {
      // Read first: an event in between is then looked at once more.
      lastSequence = try observation.container.reading { try $0.lastEvent() }
      lastErasure = observation.container.driver.erasureCount
      let records = try observation.container.records(
        matching: observation.query, inZone: observation.zone, in: observation.scope,
        limit: observation.limit)
      last = records
      return records
    }

    /// Whether news may change the result: events, or new dates and authors of records.
    private mutating func concerns(_ news: EventNews) throws(RecordsError) -> Bool {
      let isConfirmed = concernsConfirmation(news)
      guard news.confirmed.isEmpty else { return isConfirmed }
      let isChanged = try concerns(news.events)
      return isChanged || isConfirmed
    }

    /// Whether the broker confirmed records of the query, or may have: news of it may have been dropped.
    private mutating func concernsConfirmation(_ news: EventNews) -> Bool {
      guard news.confirmationCount > confirmationCount else { return false }
      let isNext = !news.confirmed.isEmpty && news.confirmationCount == confirmationCount + 1
      confirmationCount = news.confirmationCount
      guard isNext else { return true }
      return news.confirmed.contains { observation.watch.isConcerned(by: $0) }
    }

    /// Whether the events may change the result. Events that were dropped, because the program reads slowly, may.
    /// News without events come from time to time, so that a dropped last event is noticed too.
    private mutating func concerns(_ events: [LocalEvent]) throws(RecordsError) -> Bool {
      guard observation.container.driver.erasureCount == lastErasure else { return true }
      guard let first = events.first, let newest = events.last else {
        return try observation.container.reading { try $0.lastEvent() } > lastSequence
      }
      guard newest.sequence > lastSequence else { return false }
      if first.sequence > lastSequence + 1 { return true }
      lastSequence = newest.sequence
      return events.contains { observation.watch.isConcerned(by: $0) }
    }
  }
}
