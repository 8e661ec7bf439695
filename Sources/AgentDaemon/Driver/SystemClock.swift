import Glibc
import Records

/// The machine's clock: times decorate, so a clock that is wrong harms nothing.
enum SystemClock {
  /// The time now.
  static func now() -> Timestamp {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Timestamp(microseconds: Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1000)
  }
}
