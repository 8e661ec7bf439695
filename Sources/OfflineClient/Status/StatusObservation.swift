// Observing the status: it is read again after the driver has changed something, and returned if it differs.

import BrokerClient
import DeviceDriver
import Records

/// The status of a container, each time it changes. See `OfflineContainer.observeStatus()`.
public struct StatusObservation: AsyncSequence, Sendable {
  /// A status of the container.
  public typealias Element = OfflineStatus
  /// The error that ends the sequence.
  public typealias Failure = RecordsError

  private let container: OfflineContainer

  init(_ container: OfflineContainer) {
    self.container = container
  }

  /// Creates an iterator, which reads the present status when it is asked for it.
  public func makeAsyncIterator() -> Iterator { Iterator(container: container) }

  /// An iterator over the statuses of a container.
  public struct Iterator: AsyncIteratorProtocol {
    /// The shortest time between two readings. It is longer after a long one, because the reading takes place on the
    /// caller's actor: counting 100,000 unsent edits takes a tenth of a second.
    private static let shortestPause = Duration.milliseconds(100)
    private static let pausesPerReading = 10

    private let container: OfflineContainer
    private var changes: AsyncStream<Void>.Iterator?
    private var last: OfflineStatus?
    private var nextReading = ContinuousClock.now

    fileprivate init(container: OfflineContainer) {
      self.container = container
    }

    /// Returns the next status, which differs from the one before; `nil` once the container is closed or the task is
    /// cancelled.
    /// - Throws: `requestRateLimited` if the program has too many observations; `internalError` if the file cannot be
    ///   read.
    public mutating func next(
      isolation actor: isolated (any Actor)? = #isolation
    ) async throws(RecordsError) -> OfflineStatus? {
      guard !container.isClosed else { return nil }
      if changes == nil {
        try begin()
        return try read()
      }
      while await changes?.next(isolation: actor) != nil {
        try? await Task.sleep(until: nextReading, clock: .continuous)
        let former = last
        guard let status = try read() else { return nil }
        if former.map(status.differs) ?? true { return status }
      }
      return nil
    }

    /// Watches before it reads, so that no change is missed in between.
    private mutating func begin() throws(RecordsError) {
      guard let watch = container.driver.statusChanges.watch() else {
        try container.checkIsOpen()
        throw RecordsError(
          .requestRateLimited, "This program has too many observations of the status.",
          hint: "End some of them first.")
      }
      changes = watch.news.makeAsyncIterator()
    }

    /// Reads the status; `nil` once the container is closed.
    private mutating func read() throws(RecordsError) -> OfflineStatus? {
      do throws(RecordsError) {
        let start = ContinuousClock.now
        let status = try container.status()
        last = status
        nextReading = .now + Swift.max(Self.shortestPause, (.now - start) * Self.pausesPerReading)
        return status
      } catch {
        guard !container.isClosed else { return nil }
        throw error
      }
    }
  }
}

extension OfflineStatus {
  /// Whether anything but the date of the last synchronization differs. A live device changes that all the time.
  fileprivate func differs(from other: OfflineStatus) -> Bool {
    connection != other.connection || pendingEditCount != other.pendingEditCount
      || conflictCount != other.conflictCount || rejectedEditCount != other.rejectedEditCount
      || connectionError != other.connectionError || userID != other.userID
      || accountName != other.accountName
  }
}
