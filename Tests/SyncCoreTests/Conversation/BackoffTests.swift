// Waiting longer each time, never in step with others.

import SyncCore
import Testing

@Suite("Back-off with full jitter")
struct BackoffTests {
  @Test func `waits stay below a bound that doubles up to a minute`() {
    var generator = SeededGenerator(seed: 3)
    var backoff = Backoff()
    var bound = Backoff.firstMilliseconds
    for _ in 0..<20 {
      #expect((0...bound).contains(backoff.nextMilliseconds(using: &generator)))
      bound = min(bound * 2, Backoff.longestMilliseconds)
    }
    backoff.reset()
    #expect(backoff.nextMilliseconds(using: &generator) <= Backoff.firstMilliseconds)
  }
}
