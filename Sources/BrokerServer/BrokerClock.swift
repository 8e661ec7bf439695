// The clocks of a broker's process. The decisions get the time passed in.

import BrokerCore
import Glibc
import Predicates
import Records

/// Reads the clocks of this machine.
package enum BrokerClock {
  /// Returns the time of day.
  package static func now() -> Timestamp {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Timestamp(microseconds: Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1000)
  }

  /// Returns the milliseconds since the machine started. They are not set back when the time of day is.
  static func monotonicMilliseconds() -> Int64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
  }

  /// Begins the time of a query.
  package static let forQuery: @Sendable () -> QueryClock = {
    clock(milliseconds: QueryLimits.seconds * 1000)
  }

  /// Begins the time of a query that makes others wait.
  static let forBriefQuery: @Sendable () -> QueryClock = {
    clock(milliseconds: BrokerLimits.briefQueryMilliseconds, isBrief: true)
  }

  private static func clock(milliseconds: Int64, isBrief: Bool = false) -> QueryClock {
    let end = monotonicMilliseconds() + milliseconds
    return QueryClock(now: now(), isBrief: isBrief) { monotonicMilliseconds() > end }
  }
}
