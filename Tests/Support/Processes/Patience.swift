// Waiting for what another process does: always for the thing itself, never for a time, and never
// for ever.

import Records

/// Waits until something is so.
package enum Patience {
  /// How long anything may take on a machine that does much else, before it counts as not coming.
  package static let limit = Duration.seconds(120)

  /// Looks every few milliseconds until `look` returns something.
  /// - Throws: `operationCancelled`, naming what did not come, after `limit`.
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

  /// Looks every few milliseconds until `look` says yes.
  package static func wait(
    until what: @autoclosure () -> String, within limit: Duration = Patience.limit,
    look: () async throws -> Bool
  ) async throws {
    _ = try await wait(for: what(), within: limit) { try await look() ? true : nil }
  }
}
