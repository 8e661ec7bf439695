// The unconfirmed deletions in one zone, counted across requests, restarts and connections. A program that
// deletes a zone's records one by one reaches the guard's limit like one that deletes them together.

import Records

/// The unconfirmed deletions of one group since a person last answered, or since the last quiet day.
package struct DeletionCount: Hashable, Sendable {
  /// How long a count lasts after the last unconfirmed deletion.
  package static let lifetimeSeconds: Int64 = 86_400

  /// The number of records that the group showed before the first counted deletion.
  package let baseline: Int
  /// The number of counted deletions.
  package private(set) var deletions: Int
  /// The time of the last counted deletion, by this device's clock.
  package private(set) var latest: Timestamp

  /// A count as it was stored, or an empty one over a group that shows `baseline` records.
  package init(baseline: Int, deletions: Int = 0, latest: Timestamp) {
    self.baseline = baseline
    self.deletions = deletions
    self.latest = latest
  }

  /// Adds deletions that happened at `now`.
  package mutating func add(_ more: Int, at now: Timestamp) {
    deletions += more
    latest = now
  }

  /// Whether the guard holds the group's unconfirmed deletions from now on.
  package var isOverLimit: Bool {
    DeletionGuard.holds(deletions: deletions, ofRecords: baseline)
  }

  /// Whether the count ends, because no unconfirmed deletion happened for a day before `now`.
  ///
  /// A clock that was set back does not end it.
  package func isExpired(at now: Timestamp) -> Bool {
    now >= latest.adding(seconds: Self.lifetimeSeconds)
  }
}
