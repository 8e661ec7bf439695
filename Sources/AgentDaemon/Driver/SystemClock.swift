// The one place of the agent that reads a clock; everything else is given the time.

import FoundationEssentials
import Records

/// The machine's clock: times decorate, so a clock that is wrong harms nothing.
enum SystemClock {
  /// The time now.
  static func now() -> Timestamp {
    Timestamp(microseconds: Int64(Date().timeIntervalSince1970 * 1_000_000))
  }
}
