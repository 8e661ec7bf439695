// Waiting for what is about to come. Putting a thread to sleep and waking it costs a fifth of a save
// with its fsync, and somebody who saves one thing after the other sends the next within a tenth of a
// millisecond. So the thread looks on for a moment before it sleeps, giving way to whoever else wants
// the core; and where that was in vain some times in a row it sleeps at once, until something comes
// soon again. A broker at rest, or one that is asked now and then, does not wait like that at all.

import Glibc
import Synchronization

/// How long a thread looks on before it sleeps.
struct BriefWait {
  /// How long it looks: what a client takes to answer and the event loop to hand over.
  private static let nanoseconds: UInt64 = 150_000
  /// Waits in vain after which it looks no more.
  private static let patience = 4

  private var inVain = 0
  private var restedSince: UInt64 = 0

  /// Looks until `isThere`, for a moment; returns whether it came.
  mutating func wait(until isThere: borrowing Atomic<Bool>) -> Bool {
    let start = Self.now()
    restedSince = start
    guard inVain < Self.patience else { return false }
    repeat {
      if isThere.load(ordering: .acquiring) {
        inVain = 0
        return true
      }
      sched_yield()
    } while Self.now() - start < Self.nanoseconds
    inVain += 1
    return false
  }

  /// Something has come and woken the thread.
  mutating func woken() {
    if Self.now() - restedSince < Self.nanoseconds { inVain = 0 }
  }

  private static func now() -> UInt64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
  }
}
