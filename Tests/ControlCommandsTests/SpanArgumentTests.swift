import Testing

@testable import ControlCommands

@Suite("stretches of time")
struct SpanArgumentTests {
  @Test(arguments: [
    ("7d", 604_800), ("24h", 86_400), ("30m", 1800), ("90s", 90), ("2w", 1_209_600),
  ])
  func `a number and a unit are read`(text: String, seconds: Int64) {
    #expect(SpanArgument(argument: text)?.seconds == seconds)
  }

  @Test(arguments: ["", "7", "d", "0d", "-1d", "1y", "1.5h", "99999999999999999w"])
  func `anything else is not`(text: String) {
    #expect(SpanArgument(argument: text) == nil)
  }
}
