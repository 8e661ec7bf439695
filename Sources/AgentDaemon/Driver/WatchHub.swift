// Wakes whoever watches: event streams, desktop alerts, hooks. A watcher holds a bounded buffer that
// keeps the newest, and reads the store for the rest: events have numbers without gaps, so one that
// finds a gap knows its buffer ran over; notifications are read behind a place of the watcher's own,
// and all that is handed over is the fact that there may be some. So nothing is dropped silently,
// however slow a watcher is, and none can hold the device up.

import DeviceStore
import Records
import Synchronization

/// Hands batches of events to watchers as they are logged; an empty batch is a sign of life.
typealias EventHub = WatchHub<EventNews>

/// What those who watch events hear.
struct EventNews: Sendable {
  /// Events as they were logged.
  var events: [LocalEvent] = []
  /// What the device is doing: told to who watches now, and kept nowhere.
  var activity: SyncActivity?
}

/// A run over the timeline, as people are shown it (T5).
enum SyncActivity: Hashable, Sendable {
  /// It began.
  case started
  /// It is over; not done, it is tried again by itself or was refused for this reason.
  case finished(isDone: Bool, RecordsError?)
}

/// Tells that there may be notifications; now and then for nothing, and several times as one.
typealias NotificationHub = WatchHub<Void>

/// The watchers of one kind of news.
final class WatchHub<News: Sendable>: Sendable {
  /// One watcher's stream.
  struct Watch: Sendable {
    /// What there is from the beginning of the watch on.
    let news: AsyncStream<News>
    fileprivate let continuation: AsyncStream<News>.Continuation

    /// Ends the stream.
    func end() { continuation.finish() }

    /// Tells this watcher alone.
    func tell(_ news: News) { continuation.yield(news) }
  }

  /// Watchers at a time; each costs a connection. More are refused.
  let watchersMaximum = 128
  /// How much news a watcher may lag before it has to read from the store.
  let newsPerWatcher: Int

  private struct State {
    var watchers: [UInt64: AsyncStream<News>.Continuation] = [:]
    var nextID: UInt64 = 0
    var isClosed = false
  }

  private let state = Mutex(State())

  /// A hub without watchers.
  init(newsPerWatcher: Int) {
    self.newsPerWatcher = newsPerWatcher
  }

  /// A watch from now on; ends when the hub closes. `nil` when there are too many watchers.
  func watch() -> Watch? {
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

  /// Tells all watchers.
  func tell(_ news: News) {
    let watchers = state.withLock { Array($0.watchers.values) }
    for watcher in watchers { watcher.yield(news) }
  }

  /// Ends all streams, and those that are asked for from now on.
  func close() {
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
  /// A hub of events: 64 batches are what a burst of edits makes while a watcher writes one.
  convenience init() { self.init(newsPerWatcher: 64) }

  /// Tells all watchers of events.
  func tell(_ events: [LocalEvent]) { tell(EventNews(events: events)) }

  /// Tells all watchers what the device is doing.
  func tell(_ activity: SyncActivity) { tell(EventNews(activity: activity)) }
}

extension WatchHub<Void> {
  /// A hub of wakes: several are as good as one.
  convenience init() { self.init(newsPerWatcher: 1) }

  /// Tells all watchers that there may be something.
  func wake() { tell(()) }
}

extension WatchHub<Void>.Watch {
  /// Tells this watcher alone.
  func wake() { tell(()) }
}
