// Something that starts when it is first needed, such as a listener.

import Records

/// Starts something once: callers that come meanwhile wait for the same start. After a failure the next caller tries again.
actor SharedStart<Started: Sendable> {
  private var starting: Task<Started, any Error>?
  private var hasEnded = false

  /// Returns what `start` has started, now or before.
  /// - Throws: what `start` throws; `serviceUnavailable` after `end`.
  func value(_ start: @escaping @Sendable () async throws -> Started) async throws -> Started {
    guard !hasEnded else {
      throw RecordsError(.serviceUnavailable, "contactsd is stopping.")
    }
    if let starting { return try await starting.value }
    // A task, so that a second caller waits for the same start; `end` waits for it too.
    let task = Task { try await start() }
    starting = task
    do {
      return try await task.value
    } catch {
      starting = nil
      throw error
    }
  }

  /// Returns what was started; `nil` if nothing was. Nothing starts afterwards.
  func end() async -> Started? {
    hasEnded = true
    return try? await starting?.value
  }
}
