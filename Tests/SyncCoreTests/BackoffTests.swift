// Waiting longer each time, never in step with others.

import SyncCore
import Testing

@Suite("Back-off with full jitter")
struct BackoffTests {
  @Test func `waits stay below a bound that doubles up to a minute`() {
    var dice = SeededDice(seed: 3)
    var backoff = Backoff()
    var bound = Backoff.firstMilliseconds
    for _ in 0..<20 {
      #expect((0...bound).contains(backoff.nextMilliseconds(using: &dice)))
      bound = min(bound * 2, Backoff.longestMilliseconds)
    }
    backoff.reset()
    #expect(backoff.nextMilliseconds(using: &dice) <= Backoff.firstMilliseconds)
  }
}
