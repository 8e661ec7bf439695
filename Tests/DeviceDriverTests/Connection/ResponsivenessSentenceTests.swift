import Records
import SyncCore
import Testing

@testable import DeviceDriver

@Suite("J9 the sentence about a broker's answers")
struct ResponsivenessSentenceTests {
  private let now = Timestamp(microseconds: 100_000_000_000)

  @Test(
    arguments: [
      (1000, "1 s"), (1049, "1 s"), (4200, "4.2 s"), (9999, "9.9 s"), (10_400, "10 s"),
      (119_000, "119 s"), (120_000, "2 min"), (7_200_000, "2 h"),
    ])
  func `a slow answer is named with its time`(milliseconds: Int, text: String) {
    let sentence = Responsiveness.slow(milliseconds: milliseconds).sentence(at: now)
    #expect(sentence == "The broker answers slowly: \(text).")
  }

  @Test func `the time without an answer goes on`() {
    let missing = Responsiveness.missing(since: now)
    #expect(missing.sentence(at: now.adding(seconds: 8)) == "The broker has not answered for 8 s.")
    #expect(missing.milliseconds(at: now.adding(seconds: 61)) == 61_000)
    #expect(missing.milliseconds(at: now.adding(seconds: -5)) == 0, "The clock was set back.")
  }

  @Test func `nothing is said about a prompt broker`() {
    #expect(Responsiveness.prompt.sentence(at: now) == nil)
  }

  @Test func `waiting until the device is live helps only if it is not`() {
    #expect(Responsiveness.slow(milliseconds: 4200).hint(whenLive: "x") == "Try again in a moment.")
    #expect(Responsiveness.missing(since: now).hint(whenLive: "x") == "x")
    #expect(Responsiveness.prompt.hint(whenLive: "x") == "x")
  }
}
