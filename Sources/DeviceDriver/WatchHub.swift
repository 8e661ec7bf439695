// Notifies the watchers of a device: event streams, desktop alerts, hooks. A watcher has a bounded buffer that keeps
// the newest news, and reads the store for the rest. Events are numbered without gaps, so a watcher that finds a gap
// knows that its buffer overflowed. Notifications are read from the watcher's own position in the store, and the hub
// only reports that there may be new ones. So no watcher loses anything without noticing it, and a slow watcher does
// not delay the device.

import DeviceStore
import Records
import Synchronization

/// Publishes batches of events as they are logged. An empty batch is a sign of life.
package typealias EventHub = WatchHub<EventNews>

/// What watchers of events get.
package struct EventNews: Sendable {
  /// Events in the order of the log.
  package var events: [LocalEvent] = []
  /// What the device is doing. It is not stored: only watchers of this moment get it.
  package var activity: SyncActivity?
  /// Records whose dates or authors changed without an event. News with such records have no events.
  package var confirmed: Set<ConfirmedRecords> = []
  /// The number of news with such records so far. A watcher that finds a gap knows that it lost some.
  package var confirmationCount: UInt64 = 0
}

/// A reading of the public database, as users see it (T5).
package enum SyncActivity: Hashable, Sendable {
  /// It began.
  case started
  /// It ended. If it is not done, it is tried again automatically, or was rejected with this error.
  case finished(isDone: Bool, RecordsError?)
}

/// Publishes that there may be new notifications. It may be without a reason, and several reports may arrive as one.
package typealias NotificationHub = WatchHub<Void>

/// The watchers of one kind of news.
package final class WatchHub<News: Sendable>: Sendable {
  /// The stream of one watcher.
  package struct Watch: Sendable {
    /// The news since the watch began.
    package let news: AsyncStream<News>
    fileprivate let continuation: AsyncStream<News>.Continuation

    /// Ends the stream.
    package func end() { continuation.finish() }

    /// Publishes news to this watcher alone.
    package func publish(_ news: News) { continuation.yield(news) }
  }

  /// The maximum number of watchers. Each may cost a connection; more are rejected.
  package let watchersMaximum = 128
  /// The number of news that a watcher can lag behind before it has to read the store.
  package let newsPerWatcher: Int

  private struct State {
    var watchers: [UInt64: AsyncStream<News>.Continuation] = [:]
    var nextID: UInt64 = 0
    var isClosed = false
  }

  private let state = Mutex(State())

  /// Creates a hub without watchers.
  package init(newsPerWatcher: Int) {
    self.newsPerWatcher = newsPerWatcher
  }

  /// Begins a watch, which ends when the hub closes; `nil` if the hub is closed or has too many watchers.
  package func watch() -> Watch? {
    let (stream, continuation) = AsyncStream.makeStream(
      of: News.self, bufferingPolicy: .bufferingNewest(newsPerWatcher))
    let id = state.withLock { state -> UInt64? in
      guard !state.isClosed, state.watchers.count < watchersMaximum else { return nil }
      state.nextID += 1
      state.watchers[state.nextID] = continuation
      return state.nextID
    }
    guard let id else { return nil }
    continuation.onTermination = { [weak self] _ in self?.remove(id) }
    return Watch(news: stream, continuation: continuation)
  }

  /// Publishes news to all watchers.
  package func publish(_ news: News) {
    let watchers = state.withLock { Array($0.watchers.values) }
    for watcher in watchers { watcher.yield(news) }
  }

  /// Ends all streams, and permits no new watch.
  package func close() {
    let watchers = state.withLock { state in
      state.isClosed = true
      return Array(state.watchers.values)
    }
    for watcher in watchers { watcher.finish() }
  }

  private func remove(_ id: UInt64) {
    state.withLock { $0.watchers[id] = nil }
  }
}

extension WatchHub<EventNews> {
  /// Creates a hub of events. A burst of edits makes about 64 batches while a watcher writes one.
  package convenience init() { self.init(newsPerWatcher: 64) }

  /// Publishes events to all watchers.
  package func publish(_ events: [LocalEvent]) { publish(EventNews(events: events)) }
}

extension WatchHub<Void> {
  /// Creates a hub of reports without content; a watcher buffers one.
  package convenience init() { self.init(newsPerWatcher: 1) }

  /// Reports to all watchers that there may be news.
  package func notify() { publish(()) }
}

extension WatchHub<Void>.Watch {
  /// Reports to this watcher alone that there may be news.
  package func notify() { publish(()) }
}
