// Full jitter: each wait is drawn evenly between nothing and a bound that doubles, so devices that
// lost their broker together do not come back together.

/// How long to wait before the next attempt.
package struct Backoff: Hashable, Sendable {
  /// The bound of the first wait.
  package static let firstMilliseconds = 200
  /// The bound that later waits stay below.
  package static let longestMilliseconds = 60_000

  private var bound = Self.firstMilliseconds

  /// No attempt has failed.
  package init() {}

  /// The next wait, drawn from `generator`.
  package mutating func nextMilliseconds(
    using generator: inout some RandomNumberGenerator
  ) -> Int {
    let wait = Int.random(in: 0...bound, using: &generator)
    bound = min(bound * 2, Self.longestMilliseconds)
    return wait
  }

  /// An attempt succeeded.
  package mutating func reset() {
    bound = Self.firstMilliseconds
  }
}
