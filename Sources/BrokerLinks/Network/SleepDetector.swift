/// Finds out whether the machine has slept since the last check. A sleep stops the monotonic clock, and not the
/// clock that counts from boot.
package struct SleepDetector: Hashable, Sendable {
  /// Differences below this are noise.
  private static let shortestSeconds = 2.0

  /// How far the clock since boot is ahead of the monotonic one; `nil` before the first check.
  private var lastLeadSeconds: Double?

  /// Nothing has been checked yet.
  package init() {}

  /// Checks the clocks.
  /// - Parameters:
  ///   - monotonicSeconds: `CLOCK_MONOTONIC`.
  ///   - bootSeconds: `CLOCK_BOOTTIME`.
  package mutating func hasSlept(monotonicSeconds: Double, bootSeconds: Double) -> Bool {
    let lead = bootSeconds - monotonicSeconds
    defer { lastLeadSeconds = lead }
    return lead - (lastLeadSeconds ?? lead) >= Self.shortestSeconds
  }
}
