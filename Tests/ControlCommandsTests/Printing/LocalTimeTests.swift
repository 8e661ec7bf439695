// Times of the agent against the calendar of Foundation.

import Foundation
import PredicateWorld
import Testing

@testable import ControlCommands

@Suite("local time")
struct LocalTimeTests {
  private static func parts(_ text: String) -> [Int] {
    text.split { !$0.isNumber }.compactMap { Int($0) }
  }

  @Test func `random moments are those of the calendar in the user's time zone`() throws {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = .current
    for seed in 0..<200 {
      var random = SeededGenerator(seed: UInt64(seed))
      // 1971 to 2100, in whole seconds.
      let seconds = 31_536_000 + random.below(4_070_000_000)
      let moment = Date(timeIntervalSince1970: Double(seconds))
      let fraction = random.percent(50) ? ".\(100_000 + random.below(899_999))Z" : "Z"
      let text = moment.formatted(.iso8601).dropLast() + fraction
      let parts = calendar.dateComponents(
        [.year, .month, .day, .hour, .minute, .second], from: moment)
      let shown = LocalTime.shown(String(text))
      #expect(
        Self.parts(shown)
          == [parts.year, parts.month, parts.day, parts.hour, parts.minute, parts.second]
          .compactMap(
            \.self), "seed \(seed): \(text) is shown as \(shown)")
    }
  }

  @Test(arguments: [
    "", "Z", "2026-11-21T08:21:36", "2026-11-21 08:21:36Z", "20261121T082136Z",
    "2026-11-21T08:21:36.1127481234Z", "T08:21:36Z2026-11-21", "2026/11/21T08:21:36Z",
    "a026-bb-ccTdd:ee:ffZ", "0000000000TZZZZZZZZZZ", "李小龙李小龙李小龙李小龙TZ",
  ])
  func `anything else is shown as it is`(text: String) {
    #expect(LocalTime.shown(text) == text)
  }

  @Test func `no text, however like a time, brings it down`() {
    for seed in 0..<500 {
      var random = SeededGenerator(seed: UInt64(seed))
      var text = Array("2026-11-21T08:21:36.112748Z")
      for _ in 0..<(1 + random.below(4)) {
        text[random.below(text.count)] = random.one(of: Array("0123456789-:.TZ 九é"))
      }
      let shown = LocalTime.shown(String(text))
      #expect(shown == String(text) || shown.count == 19, "seed \(seed): \(String(text))")
    }
  }

  @Test func `a list shows times to the minute, and other texts unchanged`() {
    let time = "2026-11-21T08:21:36Z"
    #expect(LocalTime.shownToTheMinute(time) + ":36" == LocalTime.shown(time))
    #expect(LocalTime.shownToTheMinute("2026-11-21") == "2026-11-21")
  }
}
