// A histogram of commit durations, which shows an operator whether the disk is fast enough. It has the form
// that Prometheus expects. Very slow commits are also logged, with their number of requests.

import BrokerStore
import Glibc
import Logging
import Synchronization

/// Counts commits by duration.
package final class CommitMeter: Sendable {
  /// The upper bounds of the histogram's buckets, in seconds. Longer commits count only in the totals.
  package static let bucketSeconds = [
    0.000_25, 0.000_5, 0.001, 0.002_5, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5,
  ]
  /// The duration above which a commit is logged.
  static let slowSeconds = 1.0

  /// The counts since the start of the broker.
  package struct Counts: Sendable {
    /// The commits in each bucket. A commit counts only in the first bucket whose bound it does not exceed.
    package var steps = [Int](repeating: 0, count: CommitMeter.bucketSeconds.count)
    /// The number of all commits.
    package var commits = 0
    /// The number of requests in all commits.
    package var requests = 0
    /// The total duration in seconds.
    package var seconds = 0.0
  }

  private let counted = Mutex(Counts())
  private let logger: Logger

  init(logger: Logger) {
    self.logger = logger
  }

  /// A snapshot of the counts.
  package var counts: Counts { counted.withLock { $0 } }

  /// Runs a commit and counts it.
  func measure(_ commit: () -> PerformedRequests) -> PerformedRequests {
    let start = Self.now()
    let performed = commit()
    count(
      seconds: Self.now() - start, requests: performed.requests.count - performed.left.count)
    return performed
  }

  /// Counts a commit.
  func count(seconds: Double, requests: Int) {
    counted.withLock { counts in
      counts.commits += 1
      counts.requests += requests
      counts.seconds += seconds
      if let step = Self.bucketSeconds.firstIndex(where: { seconds <= $0 }) {
        counts.steps[step] += 1
      }
    }
    guard seconds > Self.slowSeconds else { return }
    logger.warning(
      "slow commit",
      metadata: [
        "milliseconds": "\(Int(seconds * 1000))", "requests": "\(requests)",
      ])
  }

  private static func now() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
  }
}
