// How long commits take: the one number that tells an administrator whether the disk keeps up. Counted
// in steps, as Prometheus wants it; one that takes very long is also said in the journal, with what
// it carried.

import Glibc
import Logging
import Synchronization

/// Counts commits by how long they took.
final class CommitMeter: Sendable {
  /// The upper ends of the steps, in seconds; what took longer is in none.
  static let stepsSeconds = [
    0.000_25, 0.000_5, 0.001, 0.002_5, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5,
  ]
  /// A commit that takes longer is said in the journal.
  static let slowSeconds = 1.0

  /// What was counted.
  struct Counts: Sendable {
    /// How many took at most so long as their step, each counted once.
    var steps = [Int](repeating: 0, count: CommitMeter.stepsSeconds.count)
    /// All commits.
    var commits = 0
    /// The requests in them.
    var requests = 0
    /// The seconds of all of them together.
    var seconds = 0.0
  }

  private let counted = Mutex(Counts())
  private let logger: Logger

  init(logger: Logger) {
    self.logger = logger
  }

  /// What was counted so far.
  var counts: Counts { counted.withLock { $0 } }

  /// Runs a commit of so many requests and counts it.
  func measure<Result>(requests: Int, _ commit: () -> Result) -> Result {
    let start = Self.now()
    let result = commit()
    count(seconds: Self.now() - start, requests: requests)
    return result
  }

  /// Counts a commit.
  func count(seconds: Double, requests: Int) {
    counted.withLock { counts in
      counts.commits += 1
      counts.requests += requests
      counts.seconds += seconds
      if let step = Self.stepsSeconds.firstIndex(where: { seconds <= $0 }) {
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
