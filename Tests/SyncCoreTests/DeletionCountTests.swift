// How unconfirmed deletions of one group add up.

import Records
import SyncCore
import Testing

@Suite("C7 the count of unconfirmed deletions")
struct DeletionCountTests {
  private let start = Timestamp(microseconds: 1_800_000_000_000_000)
  private let daySeconds: Int64 = 86_400

  @Test(arguments: [(30, 20), (40, 20), (41, 20), (42, 21), (100, 50), (1_001, 500), (0, 20)])
  func `one by one, the limit is the same as at once`(baseline: Int, free: Int) {
    var count = DeletionCount(baseline: baseline, latest: start)
    var sent = 0
    while !count.isOverLimit {
      count.add(1, at: start)
      if !count.isOverLimit { sent += 1 }
    }
    #expect(sent == free)
    var atOnce = DeletionCount(baseline: baseline, latest: start)
    atOnce.add(free, at: start)
    #expect(!atOnce.isOverLimit)
    atOnce.add(1, at: start)
    #expect(atOnce.isOverLimit)
  }

  @Test func `it ends a day after the last deletion, not after the first`() {
    var count = DeletionCount(baseline: 100, latest: start)
    count.add(1, at: start)
    let later = start.adding(seconds: daySeconds - 1)
    #expect(!count.isExpired(at: later))
    count.add(1, at: later)
    #expect(!count.isExpired(at: start.adding(seconds: daySeconds)))
    #expect(count.isExpired(at: later.adding(seconds: daySeconds)))
  }

  @Test func `a clock at its limits or set back does not end it and does not trap`() {
    var count = DeletionCount(baseline: 100, latest: start)
    #expect(!count.isExpired(at: start.adding(seconds: -10 * daySeconds)))
    count.add(1, at: Timestamp(microseconds: .max))
    #expect(!count.isExpired(at: start))
    #expect(!DeletionCount(baseline: .max, deletions: .max / 2, latest: start).isOverLimit)
  }
}
