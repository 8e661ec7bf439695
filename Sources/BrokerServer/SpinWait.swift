// Spins briefly before a thread sleeps. Putting a thread to sleep and waking it costs a fifth of a save
// with its fsync, and a client that saves one record after another sends the next within 0.1 ms. The thread
// therefore polls for a moment and yields the core in between. After several polls without success it
// sleeps at once, until a wake-up follows soon after. An idle or rarely used broker does not spin.

import Glibc
import Synchronization

/// Decides how long a thread polls before it sleeps.
struct SpinWait {
  /// The maximum polling time. Within about this time, a client that got its answer sends the next request
  /// and the event loop passes it to the thread.
  private static let spinNanoseconds: UInt64 = 150_000
  /// The number of failed polls in a row after which the thread stops polling.
  private static let failedSpinsMaximum = 4

  private var failedSpins = 0
  private var waitStart: UInt64 = 0

  /// Polls until `isSet` is true or the time is over. Returns whether it is true.
  mutating func wait(until isSet: borrowing Atomic<Bool>) -> Bool {
    let start = Self.now()
    waitStart = start
    guard failedSpins < Self.failedSpinsMaximum else { return false }
    repeat {
      if isSet.load(ordering: .acquiring) {
        failedSpins = 0
        return true
      }
      sched_yield()
    } while Self.now() - start < Self.spinNanoseconds
    failedSpins += 1
    return false
  }

  /// Notes that the thread was woken. A wake-up shortly after the start of the wait makes it poll again.
  mutating func woken() {
    if Self.now() - waitStart < Self.spinNanoseconds { failedSpins = 0 }
  }

  private static func now() -> UInt64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
  }
}
