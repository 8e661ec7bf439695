// Whether the broker's clock can be trusted with removing what is old. No clock orders anything here
// (docs/architecture.md), but ages are by the clock, and one that leaps ahead by a year would make
// everything a year old. So the time is noted at every look, also across restarts; where it moved
// by more than a day, in either direction, nothing is removed until an administrator confirms.

import Records

/// What is known of the clock.
package struct ClockGuard: Hashable, Sendable {
  /// What the clock may move by between two looks.
  package static let leapSeconds: Int64 = 86_400

  /// When it was looked at last; `nil` before the first time.
  package private(set) var seen: Timestamp?
  /// When a leap was found that nobody has confirmed.
  package private(set) var doubted: Timestamp?

  /// What was known when it was stored.
  package init(seen: Timestamp?, doubted: Timestamp?) {
    self.seen = seen
    self.doubted = doubted
  }

  /// Looks at the clock. Returns whether ages mean something.
  package mutating func look(at now: Timestamp) -> Bool {
    if let seen {
      let movedSeconds = (now.microseconds - seen.microseconds) / 1_000_000
      if abs(movedSeconds) > Self.leapSeconds { doubted = doubted ?? now }
    }
    seen = now
    return doubted == nil
  }

  /// An administrator says that it is right.
  package mutating func confirm(at now: Timestamp) {
    seen = now
    doubted = nil
  }
}
