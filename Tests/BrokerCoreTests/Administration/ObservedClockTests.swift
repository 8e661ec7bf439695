import BrokerCore
import Records
import Testing

@Suite("I21 time that the broker has watched pass")
struct ObservedClockTests {
  private func time(days: Double) -> Timestamp {
    Timestamp(microseconds: Int64(days * 86_400_000_000))
  }

  /// A broker that looks every ten minutes, over days of the clock.
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

  @Test func `while the broker runs, a day is a day`() {
    var watched = ObservedClock()
    watch(100...105, &watched)
    #expect(old(3, watched).before == time(days: 102))
    #expect(!old(3, watched).includesFuture && watched.unwatchedSeconds == 0)
    #expect(old(3, watched).contains(time(days: 101.9)))
    #expect(!old(3, watched).contains(time(days: 102.1)))
  }

  @Test func `nothing is old before the first look`() {
    #expect(!ObservedClock().old(afterSeconds: 0).contains(time(days: 0)))
  }

  @Test func `what is there at the first look is not old, and ages from then on`() {
    var watched = ObservedClock()
    watched.look(at: time(days: 1000))
    #expect(!old(3, watched).contains(time(days: 1)))
    watch(1000...1002.9, &watched)
    #expect(!old(3, watched).contains(time(days: 1)))
    watch(1002.9...1003.1, &watched)
    #expect(old(3, watched).contains(time(days: 999)))
    #expect(watched.unwatchedSeconds == 0)
  }

  @Test func `a sleep makes nothing older, and what came before it ages on behind it`() {
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

  @Test func `a broker that runs by day only counts its days`() {
    var watched = ObservedClock()
    for day in 0..<60 { watch(Double(100 + day)...(Double(100 + day) + 0.5), &watched) }
    #expect(old(10, watched).before == time(days: 140))
  }

  @Test func `a leap ahead that is put right makes nothing older, nor younger`() {
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

  @Test func `what was dated ahead is old when that much time has passed behind the correction`() {
    var watched = ObservedClock()
    watch(100...101, &watched)
    watch(466...466.5, &watched)
    watch(101...104, &watched)
    #expect(!old(3.5, watched).contains(time(days: 466.2)))
    watch(104...105, &watched)
    #expect(old(3.5, watched).contains(time(days: 466.2)))
    #expect(!old(3.5, watched).contains(time(days: 104)), "which was written since")
    watched.forget(before: old(3.5, watched).before)
    #expect(watched.setBack == nil && watched.gaps.isEmpty)
  }

  @Test func `a small correction is none`() {
    var watched = ObservedClock()
    watch(100...101, &watched)
    let movement = watched.look(at: time(days: 101 - 30 / 86_400))
    #expect(movement == .on)
    #expect(watched.setBack == nil)
  }

  @Test func `who confirms the clock has all its time count`() {
    var watched = ObservedClock()
    watch(100...101, &watched)
    watched.look(at: time(days: 201))
    watched.confirm(at: time(days: 201))
    #expect(old(30, watched).before == time(days: 171))
    #expect(watched.unwatchedSeconds == 0)
  }

  @Test func `more gaps than are remembered are bounded`() {
    var watched = ObservedClock()
    for day in 0..<3000 { watched.look(at: time(days: Double(day))) }
    #expect(watched.gaps.count == 1000)
  }
}
