import BrokerStore
import Records
import Synchronization

/// The last failed attempt to connect. For a while, other attempts fail with the same error at once: hundreds of
/// requests may wait, and each would wait for the same silent server.
final class RecentFailure: Sendable {
  private struct Failure {
    let error: StoreError
    let end: ContinuousClock.Instant
  }

  private let pause: Duration
  private let last = Mutex<Failure?>(nil)

  /// - Parameter pause: How long an attempt counts as recent.
  init(pause: Duration) {
    self.pause = pause
  }

  /// Calls `connect`, unless it failed a moment ago.
  func attempt<Connection>(
    _ connect: () throws(StoreError) -> Connection
  ) throws(StoreError) -> Connection {
    if let failure = last.withLock({ $0 }), .now < failure.end { throw failure.error }
    do {
      return try connect()
    } catch {
      last.withLock { $0 = Failure(error: error, end: .now + pause) }
      throw error
    }
  }

  /// Permits the next attempt, because a server has answered.
  func forget() {
    last.withLock { $0 = nil }
  }
}
