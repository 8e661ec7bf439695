import Synchronization
import Testing

@testable import DaemonKit

@Suite("a limit for concurrent work")
struct TurnstileTests {
  private final class Inside: Sendable {
    let counts = Mutex((now: 0, most: 0, passed: 0))
  }

  @Test func `never more tasks than places are inside, and all pass`() async {
    let turnstile = Turnstile(places: 3)
    let inside = Inside()
    await withTaskGroup(of: Void.self) { tasks in
      for _ in 0..<100 {
        tasks.addTask {
          await turnstile.enter()
          inside.counts.withLock { count in
            count.now += 1
            count.most = max(count.most, count.now)
          }
          await Task.yield()
          inside.counts.withLock { count in
            count.now -= 1
            count.passed += 1
          }
          turnstile.leave()
        }
      }
    }
    #expect(inside.counts.withLock { $0.passed } == 100)
    #expect(inside.counts.withLock { $0.most } <= 3)
    #expect(inside.counts.withLock { $0.now } == 0)
  }
}
