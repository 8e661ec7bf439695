import BrokerLinks
import Testing

@Suite("R5 sleep")
struct SleepDetectorTests {
  private func check(
    _ detector: inout SleepDetector, monotonicSeconds: Double, bootSeconds: Double, isSleep: Bool
  ) {
    let found = detector.hasSlept(monotonicSeconds: monotonicSeconds, bootSeconds: bootSeconds)
    #expect(found == isSleep)
  }

  @Test func `a sleep is noticed once`() {
    var detector = SleepDetector()
    check(&detector, monotonicSeconds: 100, bootSeconds: 500, isSleep: false)
    check(&detector, monotonicSeconds: 105, bootSeconds: 505.001, isSleep: false)
    check(&detector, monotonicSeconds: 110, bootSeconds: 3600, isSleep: true)
    check(&detector, monotonicSeconds: 115, bootSeconds: 3605, isSleep: false)
  }

  @Test func `a late check is no sleep`() {
    var detector = SleepDetector()
    check(&detector, monotonicSeconds: 1, bootSeconds: 1, isSleep: false)
    check(&detector, monotonicSeconds: 900, bootSeconds: 900, isSleep: false)
  }
}
