import Records

/// Waits for the effects of another process by polling, never for a fixed time, and with a limit.
package enum Patience {
  /// The limit for anything on a heavily loaded machine.
  package static let limit = Duration.seconds(120)

  /// Polls every few milliseconds until `look` returns a value.
  /// - Throws: `operationCancelled` after `limit`, naming the missing effect.
  package static func wait<Found>(
    for what: @autoclosure () -> String, within limit: Duration = Patience.limit,
    look: () async throws -> Found?
  ) async throws -> Found {
    let end = ContinuousClock.now + limit
    var pause = Duration.milliseconds(1)
    while true {
      if let found = try await look() { return found }
      guard ContinuousClock.now < end else {
        throw RecordsError(.operationCancelled, "Waited in vain for \(what()).")
      }
      try await Task.sleep(for: pause)
      pause = min(pause * 2, .milliseconds(20))
    }
  }

  /// Measures `attempt` until it takes less than `limit`, at most five times: a machine that runs other tests may be slow
  /// for a moment. `attempt` returns the time that it took. Returns the times.
  package static func times(
    below limit: Duration, of attempt: (_ number: Int) async throws -> Duration
  ) async throws -> [Duration] {
    var times: [Duration] = []
    while times.count < 5, times.min() ?? limit >= limit {
      times.append(try await attempt(times.count))
    }
    return times
  }

  /// Polls every few milliseconds until `look` returns `true`.
  package static func wait(
    until what: @autoclosure () -> String, within limit: Duration = Patience.limit,
    look: () async throws -> Bool
  ) async throws {
    _ = try await wait(for: what(), within: limit) { try await look() ? true : nil }
  }
}
