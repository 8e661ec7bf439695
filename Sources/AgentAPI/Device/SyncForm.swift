/// The body of a synchronization.
package struct SyncForm: Codable, Hashable, Sendable {
  /// The maximum time to wait; `nil` does not wait.
  package var waitSeconds: Double?
  /// `accept` or `refuse` for the deletions that are on hold; `nil` decides nothing.
  package var deletions: String?

  package init(waitSeconds: Double?, deletions: String?) {
    self.waitSeconds = waitSeconds
    self.deletions = deletions
  }
}
