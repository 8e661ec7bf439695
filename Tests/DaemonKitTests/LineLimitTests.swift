import DaemonKit
import Testing

@Suite("H2 log lines that others cause")
struct LineLimitTests {
  @Test func `a minute has a number of lines, and the next one says how many were omitted`() {
    let start = ContinuousClock.now
    let limit = LineLimit(linesPerMinute: 2, now: start)
    #expect([0, 1, 59].map { limit.next(at: start + .seconds($0)) } == [0, 0, nil])
    #expect(limit.next(at: start + .seconds(59)) == nil)
    #expect([60, 61, 62].map { limit.next(at: start + .seconds($0)) } == [2, 0, nil])
    #expect(limit.next(at: start + .seconds(600)) == 1)
  }
}
