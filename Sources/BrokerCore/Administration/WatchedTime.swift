// How old something is, in time that the broker has watched pass. No clock orders anything here
// (docs/architecture.md), but ages are by the clock, and one that leaps ahead by a year would make
// everything a year old. So a stretch in which nobody looked at the clock, or over which it leapt, counts
// for no age: what is a month old has been here for a month of running.

import Records

/// The clock as the broker has watched it.
package struct WatchedTime: Hashable, Sendable {
  /// A longer silence than this between two looks is not time that passed here.
  package static let silenceSeconds: Int64 = 3600
  /// A clock that is set back by less is only put right a little.
  private static let toleranceSeconds: Int64 = 60
  /// The stretches that are remembered; of more, the earliest counts as watched.
  private static let gapsMaximum = 1000
  /// Before every date: where the time before the first look begins.
  private static let unknown = Timestamp(microseconds: 0)

  /// A stretch of the clock that nobody watched.
  package struct Gap: Hashable, Sendable {
    /// The last look before it.
    package let start: Timestamp
    /// The first look behind it.
    package let end: Timestamp

    /// A stretch between two looks.
    package init(start: Timestamp, end: Timestamp) {
      self.start = start
      self.end = end
    }

    fileprivate var microseconds: Int64 { end.microseconds - start.microseconds }
  }

  /// When the clock was looked at last; `nil` before the first time.
  package private(set) var seen: Timestamp?
  /// The stretches that nobody watched, in their order.
  package private(set) var gaps: [Gap]
  /// When the clock was set back last, by itself after that; what is dated later than the present was
  /// written before. `nil` where nothing is.
  package private(set) var setBack: Timestamp?

  /// What was known when it was stored.
  package init(seen: Timestamp? = nil, gaps: [Gap] = [], setBack: Timestamp? = nil) {
    self.seen = seen
    self.gaps = gaps
    self.setBack = setBack
  }

  /// How the clock moved between two looks.
  package enum Movement: Hashable, Sendable {
    /// It went on.
    case on
    /// It is so many seconds ahead of where it was, and nobody watched.
    case ahead(seconds: Int64)
    /// It was set back by so many seconds.
    case back(seconds: Int64)
  }

  /// Looks at the clock.
  @discardableResult
  package mutating func look(at now: Timestamp) -> Movement {
    defer { seen = now }
    guard let seen else {
      // What is there already was not watched either: with a wrong clock it would be old at once.
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

  /// What is at least `seconds` of watched time old at the last look.
  package func old(afterSeconds seconds: Int64) -> OldTimes {
    let now = seen ?? Timestamp(microseconds: .min)
    guard seen != nil else { return OldTimes(before: now) }
    var left = seconds * 1_000_000
    var point = now.microseconds
    for gap in gaps.reversed() {
      let watched = point - gap.end.microseconds
      if watched >= left { break }
      left -= watched
      point = gap.start.microseconds
    }
    let before = Timestamp(microseconds: point - left)
    return OldTimes(
      before: before, present: now, isAheadOld: setBack.map { $0 < before } ?? false)
  }

  /// The seconds since the first look that count for no age.
  package var unwatchedSeconds: Int64 {
    gaps.reduce(0) { $0 + ($1.start == Self.unknown ? 0 : $1.microseconds) } / 1_000_000
  }

  /// Nothing can be as old any more as what these stretches and dates are needed for.
  package mutating func forget(before: Timestamp) {
    gaps.removeAll { $0.end < before }
    if let setBack, setBack < before { self.setBack = nil }
  }

  /// An administrator says that the clock is right, and that all its time has passed.
  package mutating func confirm(at now: Timestamp) {
    (seen, gaps, setBack) = (now, [], nil)
  }
}

/// The dates of what is old.
package struct OldTimes: Hashable, Sendable {
  /// What is dated before this is old.
  package let before: Timestamp
  /// What is dated after this was written while the clock was ahead.
  package let present: Timestamp
  /// Whether that is old as well.
  package let isAheadOld: Bool

  /// Dates before one, and those after the present where these are old, too.
  package init(
    before: Timestamp, present: Timestamp = Timestamp(microseconds: .max), isAheadOld: Bool = false
  ) {
    self.before = before
    self.present = present
    self.isAheadOld = isAheadOld
  }

  /// Whether what has this date is old.
  package func contains(_ time: Timestamp) -> Bool {
    time < before || (isAheadOld && time > present)
  }
}
