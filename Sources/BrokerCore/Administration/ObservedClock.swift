// Measures ages in time that the broker has observed. Ordering never depends on a clock
// (docs/architecture.md), but expiry does, and a clock that jumps ahead by a year would expire everything.
// The time of a jump, or in which the broker did not run, therefore counts towards no age. Data of a month
// expires after the broker has run for a month.

import Records

/// The history of the system clock as the broker has observed it.
package struct ObservedClock: Hashable, Sendable {
  /// The longest time between two observations that still counts as elapsed.
  package static let silenceSeconds: Int64 = 3600
  /// A clock set back by up to this much is treated as a small correction.
  private static let toleranceSeconds: Int64 = 60
  /// The maximum number of stored gaps. Beyond it, the time of the earliest gap counts as elapsed.
  private static let gapsMaximum = 1000
  /// The start of the time before the first observation; earlier than every date.
  private static let unknown = Timestamp(microseconds: 0)

  /// An interval that was not observed.
  package struct Gap: Hashable, Sendable {
    /// The last observation before the gap.
    package let start: Timestamp
    /// The first observation after the gap.
    package let end: Timestamp

    package init(start: Timestamp, end: Timestamp) {
      self.start = start
      self.end = end
    }

    fileprivate var microseconds: Int64 { end.microseconds - start.microseconds }
  }

  /// The latest observation; `nil` before the first one.
  package private(set) var seen: Timestamp?
  /// The intervals that were not observed, in order.
  package private(set) var gaps: [Gap]
  /// The time to which the clock was last set back; `nil` if that no longer matters. Rows dated later
  /// than the present were written before that.
  package private(set) var setBack: Timestamp?

  package init(seen: Timestamp? = nil, gaps: [Gap] = [], setBack: Timestamp? = nil) {
    self.seen = seen
    self.gaps = gaps
    self.setBack = setBack
  }

  /// The clock's movement between two observations.
  package enum Movement: Hashable, Sendable {
    /// It advanced normally.
    case on
    /// It jumped ahead, or the broker did not run, for this time.
    case ahead(seconds: Int64)
    /// It was set back by this time.
    case back(seconds: Int64)
  }

  /// Observes the clock and records gaps. Returns its movement since the last observation.
  @discardableResult
  package mutating func look(at now: Timestamp) -> Movement {
    defer { seen = now }
    guard let seen else {
      // The age of existing data is unknown. With a wrong clock it would expire at once.
      gaps = [Gap(start: Self.unknown, end: now)]
      return .on
    }
    let movedSeconds = (now.microseconds - seen.microseconds) / 1_000_000
    if movedSeconds > Self.silenceSeconds {
      gaps.append(Gap(start: seen, end: now))
      gaps.removeFirst(max(0, gaps.count - Self.gapsMaximum))
      return .ahead(seconds: movedSeconds)
    }
    guard movedSeconds < -Self.toleranceSeconds else { return .on }
    gaps = gaps.filter { $0.start < now }.map { Gap(start: $0.start, end: min($0.end, now)) }
    setBack = now
    return .back(seconds: -movedSeconds)
  }

  /// Returns the dates that are at least `seconds` of observed time old, as of the latest observation.
  package func old(afterSeconds seconds: Int64) -> AgeCutoff {
    let now = seen ?? Timestamp(microseconds: .min)
    guard seen != nil else { return AgeCutoff(before: now) }
    var left = seconds * 1_000_000
    var point = now.microseconds
    for gap in gaps.reversed() {
      let watched = point - gap.end.microseconds
      if watched >= left { break }
      left -= watched
      point = gap.start.microseconds
    }
    let before = Timestamp(microseconds: point - left)
    return AgeCutoff(
      before: before, present: now, includesFuture: setBack.map { $0 < before } ?? false)
  }

  /// The seconds since the first observation that do not count as elapsed.
  package var unwatchedSeconds: Int64 {
    gaps.reduce(0) { $0 + ($1.start == Self.unknown ? 0 : $1.microseconds) } / 1_000_000
  }

  /// Drops gaps and dates that no data can be old enough to need.
  package mutating func forget(before: Timestamp) {
    gaps.removeAll { $0.end < before }
    if let setBack, setBack < before { self.setBack = nil }
  }

  /// Trusts the clock: all time up to `now` counts as elapsed. An administrator's decision.
  package mutating func confirm(at now: Timestamp) {
    (seen, gaps, setBack) = (now, [], nil)
  }
}

/// The range of dates that are old enough to expire.
package struct AgeCutoff: Hashable, Sendable {
  /// Dates before this are old.
  package let before: Timestamp
  /// The present. Later dates were written while the clock was ahead.
  package let present: Timestamp
  /// Whether dates after `present` are old as well.
  package let includesFuture: Bool

  package init(
    before: Timestamp, present: Timestamp = Timestamp(microseconds: .max),
    includesFuture: Bool = false
  ) {
    self.before = before
    self.present = present
    self.includesFuture = includesFuture
  }

  /// Whether `time` is old.
  package func contains(_ time: Timestamp) -> Bool {
    time < before || (includesFuture && time > present)
  }
}
