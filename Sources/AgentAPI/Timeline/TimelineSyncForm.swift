/// The body that requests a reading of the timeline.
package struct TimelineSyncForm: Codable, Hashable, Sendable {
  /// How long to wait for its end; `nil` not to wait.
  package var waitSeconds: Double?

  package init(waitSeconds: Double? = nil) {
    self.waitSeconds = waitSeconds
  }
}
