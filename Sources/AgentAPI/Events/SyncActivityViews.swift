/// The content of the event that a synchronization begins.
package struct SyncStartedView: Codable, Hashable, Sendable {
  package var schema = 1
  /// What is synchronized: `timeline`.
  package var scope: String

  package init(scope: String) {
    self.scope = scope
  }
}

/// The content of the event that a synchronization ends.
package struct SyncFinishedView: Codable, Hashable, Sendable {
  package var schema = 1
  /// What was synchronized: `timeline`.
  package var scope: String
  /// Whether everything was read.
  package var done: Bool
  /// Why it failed.
  package var reason: String?

  package init(scope: String, done: Bool, reason: String?) {
    self.scope = scope
    self.done = done
    self.reason = reason
  }
}
