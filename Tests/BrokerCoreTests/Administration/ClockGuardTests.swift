import BrokerCore
import Records
import Testing

@Suite("I21 a clock that leaps")
struct ClockGuardTests {
  private func time(days: Double) -> Timestamp {
    Timestamp(microseconds: Int64(days * 86_400_000_000))
  }

  @Test func `a clock that goes on is trusted, at first sight too`() {
    var clock = ClockGuard(seen: nil, doubted: nil)
    let trusted = [100, 100.5, 100.4, 101.4].map { clock.look(at: time(days: $0)) }
    #expect(trusted == [true, true, true, true])
  }

  @Test(arguments: [102.1, 97.9, 1000, 0])
  func `after a leap nothing is trusted until somebody confirms`(days: Double) {
    var clock = ClockGuard(seen: time(days: 100), doubted: nil)
    let trusted = [0, 0.1].map { clock.look(at: time(days: days + $0)) }
    #expect(trusted == [false, false])
    var restarted = ClockGuard(seen: clock.seen, doubted: clock.doubted)
    let isTrusted = restarted.look(at: time(days: days + 0.2))
    #expect(!isTrusted)
    restarted.confirm(at: time(days: days + 0.2))
    let isTrustedAgain = restarted.look(at: time(days: days + 0.3))
    #expect(isTrustedAgain)
  }

  @Test func `a leap back to where it was is not forgotten`() {
    var clock = ClockGuard(seen: time(days: 100), doubted: nil)
    let trusted = [400, 100.1].map { clock.look(at: time(days: $0)) }
    #expect(trusted == [false, false])
  }
}
