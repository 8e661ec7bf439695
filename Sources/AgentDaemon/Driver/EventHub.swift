// Wakes whoever watches. A watcher holds a bounded buffer; numbers have no gaps, so a watcher that
// finds one knows its buffer ran over and reads the missing events from the store. Nothing is
// dropped silently, and no watcher can hold the device up.

import DeviceStore
import Synchronization

/// Hands events to watchers as they are logged.
final class EventHub: Sendable {
  /// Batches a watcher may lag before it has to read from the store.
  static let batchesPerWatcher = 64
  /// Watchers at a time; each costs a connection. More are refused.
  static let watchersMax = 128

  /// One watcher's stream.
  struct Watch: Sendable {
    /// What is logged from the beginning of the watch on; now and then an empty batch.
    let events: AsyncStream<[LocalEvent]>
    fileprivate let continuation: AsyncStream<[LocalEvent]>.Continuation

    /// Ends the stream.
    func end() { continuation.finish() }
  }

  private struct State {
    var watchers: [UInt64: AsyncStream<[LocalEvent]>.Continuation] = [:]
    var nextID: UInt64 = 0
    var isClosed = false
  }

  private let state = Mutex(State())

  /// A watch of what is logged from now on; ends when the hub closes. `nil` when there are too
  /// many watchers.
  func watch() -> Watch? {
    let (stream, continuation) = AsyncStream.makeStream(
      of: [LocalEvent].self, bufferingPolicy: .bufferingNewest(Self.batchesPerWatcher))
    let id = state.withLock { state -> UInt64? in
      guard !state.isClosed, state.watchers.count < Self.watchersMax else { return nil }
      state.nextID += 1
      state.watchers[state.nextID] = continuation
      return state.nextID
    }
    guard let id else { return nil }
    continuation.onTermination = { [weak self] _ in self?.remove(id) }
    return Watch(events: stream, continuation: continuation)
  }

  /// Hands `events` to all watchers; none is a sign of life only.
  func publish(_ events: [LocalEvent]) {
    let watchers = state.withLock { Array($0.watchers.values) }
    for watcher in watchers { watcher.yield(events) }
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
