// Wakes those who tell of notifications: watchers over HTTP, desktop alerts, hooks. Nothing is handed
// over but the fact that there may be something: each reads from the store behind its own place, so
// nobody can miss anything, however slow.

import Synchronization

/// Wakes whoever waits for notifications.
final class NotificationHub: Sendable {
  /// Watchers at a time; each costs a connection. More are refused.
  static let watchersMax = 128

  /// One watcher's stream.
  struct Watch: Sendable {
    /// Something may be there; now and then for nothing. Several wakes may come as one.
    let wakes: AsyncStream<Void>
    fileprivate let continuation: AsyncStream<Void>.Continuation

    /// Ends the stream.
    func end() { continuation.finish() }

    /// Wakes this watcher alone.
    func wake() { continuation.yield() }
  }

  private struct State {
    var watchers: [UInt64: AsyncStream<Void>.Continuation] = [:]
    var nextID: UInt64 = 0
    var isClosed = false
  }

  private let state = Mutex(State())

  /// A watch from now on; ends when the hub closes. `nil` when there are too many.
  func watch() -> Watch? {
    let (stream, continuation) = AsyncStream.makeStream(
      of: Void.self, bufferingPolicy: .bufferingNewest(1))
    let id = state.withLock { state -> UInt64? in
      guard !state.isClosed, state.watchers.count < Self.watchersMax else { return nil }
      state.nextID += 1
      state.watchers[state.nextID] = continuation
      return state.nextID
    }
    guard let id else { return nil }
    continuation.onTermination = { [weak self] _ in self?.remove(id) }
    return Watch(wakes: stream, continuation: continuation)
  }

  /// Wakes all watchers.
  func wake() {
    let watchers = state.withLock { Array($0.watchers.values) }
    for watcher in watchers { watcher.yield() }
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
