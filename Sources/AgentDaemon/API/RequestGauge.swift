import Synchronization

/// Counts open connections and active requests of a listener.
final class RequestGauge: Sendable {
  private struct Counts {
    var connections = 0
    var requests = 0
  }

  /// The maximum number of connections.
  let connectionsMaximum: Int
  private let counts = Mutex(Counts())

  init(connectionsMaximum: Int) {
    self.connectionsMaximum = connectionsMaximum
  }

  /// Counts a new connection; returns whether it is within the limit.
  func opened() -> Bool {
    counts.withLock { counts in
      guard counts.connections < connectionsMaximum else { return false }
      counts.connections += 1
      return true
    }
  }

  /// Counts a closed connection.
  func closed() { counts.withLock { $0.connections -= 1 } }

  /// Counts the start of a request.
  func began() { counts.withLock { $0.requests += 1 } }

  /// Counts the end of a request.
  func ended() { counts.withLock { $0.requests -= 1 } }

  /// Waits until no request is active, at most for `limit`.
  func drained(within limit: Duration) async {
    let deadline = ContinuousClock.now + limit
    while counts.withLock({ $0.requests }) > 0, ContinuousClock.now < deadline {
      try? await Task.sleep(for: .milliseconds(10))
    }
  }
}
