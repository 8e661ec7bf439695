import PredicateWorld
import Records
import Testing

@Suite("B1 laws of times as text")
struct TimestampTextTests {
  private static let microsecondsPerDay: Int64 = 86_400_000_000

  /// Formats from the parts, with the date's text as `CivilDateTests` has verified it.
  private func text(day: Int64, second: Int64, microsecond: Int64) -> String {
    func padded(_ number: Int64, _ count: Int) -> String {
      let digits = String(number)
      return String(repeating: "0", count: count - digits.count) + digits
    }
    var fraction = padded(microsecond, 6)
    while fraction.hasSuffix("0") { fraction.removeLast() }
    let time = [second / 3600, second % 3600 / 60, second % 60].map { padded($0, 2) }
    return "\(CivilDate(daysSince1970: day))T\(time.joined(separator: ":"))"
      + (fraction.isEmpty ? "" : ".\(fraction)") + "Z"
  }

  @Test(arguments: 0..<200 as Range<UInt64>)
  func `a time of the years 0 to 9999 is parsed from its text`(seed: UInt64) {
    var random = RandomValues(seed: seed)
    let day = Int64.random(in: -719_528...2_932_896, using: &random.generator)
    let second = Int64.random(in: 0..<86_400, using: &random.generator)
    let microsecond = random.generator.one(of: [0, 1, 10, 500_000, 999_999, 120_000] as [Int64])
    let time = Timestamp(
      microseconds: day * Self.microsecondsPerDay + second * 1_000_000 + microsecond)
    let text = text(day: day, second: second, microsecond: microsecond)
    #expect(time.description == text, "seed \(seed)")
    #expect(Timestamp(text) == time, "seed \(seed)")
    #expect(Timestamp(text.lowercased()) == time, "seed \(seed)")
    #expect(Timestamp(text.replacing("T", with: " ")) == time, "seed \(seed)")
  }

  @Test func `a time outside the years of four digits is formatted but not parsed`() {
    for microseconds in [Int64.min, -62_167_219_200_000_001, 253_402_300_800_000_000, .max] {
      #expect(Timestamp(Timestamp(microseconds: microseconds).description) == nil)
    }
    for microseconds in [-62_167_219_200_000_000, 253_402_300_799_999_999] as [Int64] {
      let time = Timestamp(microseconds: microseconds)
      #expect(Timestamp(time.description) == time)
    }
  }

  @Test func `the extremes are formatted with every digit`() {
    #expect(Timestamp(microseconds: .min).description == "-290308-12-21T19:59:05.224192Z")
    #expect(Timestamp(microseconds: .max).description == "294247-01-10T04:00:54.775807Z")
  }

  @Test(arguments: 0..<100 as Range<UInt64>)
  func `an offset moves a time by itself`(seed: UInt64) throws {
    var random = RandomValues(seed: seed)
    let (hours, minutes) = (random.generator.below(24), random.generator.below(60))
    let isWest = random.generator.percent(50)
    let digits = [hours, minutes].map { $0 < 10 ? "0\($0)" : "\($0)" }.joined(separator: ":")
    let local = try #require(Timestamp("2024-02-29T12:34:56.789Z"))
    let moved = try #require(Timestamp("2024-02-29T12:34:56.789\(isWest ? "-" : "+")\(digits)"))
    let offset = Int64(hours * 3600 + minutes * 60)
    #expect(moved == local.adding(seconds: isWest ? offset : -offset), "seed \(seed)")
  }

  @Test func `of the beginnings of a time only its date and itself are times`() {
    let text = "2024-02-29T12:34:56Z"
    for count in 0...text.count {
      let isTime = Timestamp(String(text.prefix(count))) != nil
      #expect(isTime == [10, 20].contains(count), "\(text.prefix(count))")
    }
  }

  @Test func `a time with a missing or an added character is no time`() {
    let text = Array("2024-02-29T12:34:56Z")
    for index in text.indices {
      #expect(Timestamp(String(text[..<index] + text[(index + 1)...])) == nil, "without \(index)")
      for added in "0-:T Z+é" {
        let longer = String(text[..<index]) + String(added) + String(text[index...])
        #expect(Timestamp(longer) == nil, "\(longer)")
      }
    }
  }

  @Test func `hours, minutes and seconds have their bounds`() {
    for (time, isValid) in [
      ("23:59:59", true), ("24:00:00", false), ("00:60:00", false), ("00:00:60", false),
    ] {
      #expect((Timestamp("2024-01-01T\(time)Z") != nil) == isValid, "\(time)")
    }
    for (offset, isValid) in [
      ("+23:59", true), ("+24:00", false), ("-00:60", false), ("+0000", false),
    ] {
      #expect((Timestamp("2024-01-01T00:00:00\(offset)") != nil) == isValid, "\(offset)")
    }
  }

  @Test(arguments: 0..<200 as Range<UInt64>)
  func `addition is exact, and clamped only beyond the range`(seed: UInt64) {
    var random = RandomValues(seed: seed)
    let (start, seconds) = (random.integer(), random.integer())
    let sum = Int128(start) + Int128(seconds) * 1_000_000
    let clamped = min(max(sum, Int128(Int64.min)), Int128(Int64.max))
    let result = Timestamp(microseconds: start).adding(seconds: seconds)
    #expect(Int128(result.microseconds) == clamped, "seed \(seed)")
  }

  @Test func `a sum within the range is exact though the seconds alone exceed it`() {
    let seconds = Int64.max / 1_000_000 + 10
    let sum = Timestamp(microseconds: .min).adding(seconds: seconds)
    #expect(sum.microseconds == 9_224_192)
    #expect(Timestamp(microseconds: .max).adding(seconds: -seconds).microseconds == -9_224_193)
  }
}
