/// The content of a `reset` event: events before the following ones are missing.
package struct ResetView: Codable, Hashable, Sendable {
  /// The number of the last missing event.
  package var missedThrough: Int64
  /// `dropped`, `otherLog` or `ahead`.
  package var reason: String

  package init(missedThrough: Int64, reason: String) {
    self.missedThrough = missedThrough
    self.reason = reason
  }
}
