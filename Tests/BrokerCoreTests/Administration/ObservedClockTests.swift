import BrokerCore
import Records
import Testing

@Suite("I21 time that the broker has observed")
struct ObservedClockTests {
  private func time(days: Double) -> Timestamp {
    Timestamp(microseconds: Int64(days * 86_400_000_000))
  }

  /// Reads the clock every ten minutes, over some days.
  private func watch(_ days: ClosedRange<Double>, _ watched: inout ObservedClock) {
    var minute = days.lowerBound * 1440
    while minute <= days.upperBound * 1440 {
      watched.look(at: time(days: minute / 1440))
      minute += 10
    }
  }

  private func old(_ days: Double, _ watched: ObservedClock) -> AgeCutoff {
    watched.old(afterSeconds: Int64(days * 86_400))
  }

  @Test func `time counts in full while the broker runs`() {
    var watched = ObservedClock()
    watch(100...105, &watched)
    #expect(old(3, watched).before == time(days: 102))
    #expect(!old(3, watched).includesFuture && watched.unwatchedSeconds == 0)
    #expect(old(3, watched).contains(time(days: 101.9)))
    #expect(!old(3, watched).contains(time(days: 102.1)))
  }

  @Test func `nothing is old before the first reading of the clock`() {
    #expect(!ObservedClock().old(afterSeconds: 0).contains(time(days: 0)))
  }

  @Test func `rows that exist at the first reading age from then on`() {
    var watched = ObservedClock()
    watched.look(at: time(days: 1000))
    #expect(!old(3, watched).contains(time(days: 1)))
    watch(1000...1002.9, &watched)
    #expect(!old(3, watched).contains(time(days: 1)))
    watch(1002.9...1003.1, &watched)
    #expect(old(3, watched).contains(time(days: 999)))
    #expect(watched.unwatchedSeconds == 0)
  }

  @Test func `time asleep ages nothing, and earlier rows continue to age afterwards`() {
    var watched = ObservedClock()
    watch(90...101, &watched)
    let movement = watched.look(at: time(days: 111))
    #expect(movement == .ahead(seconds: 10 * 86_400))
    #expect(old(3, watched).before == time(days: 98), "as before the sleep")
    watch(111...112, &watched)
    #expect(old(3, watched).before == time(days: 99))
    watch(112...115, &watched)
    #expect(old(3, watched).before == time(days: 112))
    #expect(watched.unwatchedSeconds == 10 * 86_400)
  }

  @Test func `a broker that runs only by day counts only its days`() {
    var watched = ObservedClock()
    for day in 0..<60 { watch(Double(100 + day)...(Double(100 + day) + 0.5), &watched) }
    #expect(old(10, watched).before == time(days: 140))
  }

  @Test func `a jump ahead that is corrected ages nothing and rejuvenates nothing`() {
    var watched = ObservedClock()
    watch(100...101, &watched)
    watch(466...466.01, &watched)
    let movement = watched.look(at: time(days: 101.01))
    guard case .back(let seconds) = movement else {
      Issue.record("\(movement)")
      return
    }
    #expect(seconds > 364 * 86_400)
    watch(101.01...103, &watched)
    let before = old(2, watched).before
    #expect(before > time(days: 100.9) && before < time(days: 101.1))
  }

  @Test func `a row dated ahead is old once that much time has passed after the correction`() {
    var watched = ObservedClock()
    watch(100...101, &watched)
    watch(466...466.5, &watched)
    watch(101...104, &watched)
    #expect(!old(3.5, watched).contains(time(days: 466.2)))
    watch(104...105, &watched)
    #expect(old(3.5, watched).contains(time(days: 466.2)))
    #expect(!old(3.5, watched).contains(time(days: 104)), "it was written later")
    watched.forget(before: old(3.5, watched).before)
    #expect(watched.setBack == nil && watched.gaps.isEmpty)
  }

  @Test func `a small correction is ignored`() {
    var watched = ObservedClock()
    watch(100...101, &watched)
    let movement = watched.look(at: time(days: 101 - 30 / 86_400))
    #expect(movement == .on)
    #expect(watched.setBack == nil)
  }

  @Test func `an administrator who confirms the clock makes all of its time count`() {
    var watched = ObservedClock()
    watch(100...101, &watched)
    watched.look(at: time(days: 201))
    watched.confirm(at: time(days: 201))
    #expect(old(30, watched).before == time(days: 171))
    #expect(watched.unwatchedSeconds == 0)
  }

  @Test func `the number of remembered gaps is limited`() {
    var watched = ObservedClock()
    for day in 0..<3000 { watched.look(at: time(days: Double(day))) }
    #expect(watched.gaps.count == 1000)
  }
}
