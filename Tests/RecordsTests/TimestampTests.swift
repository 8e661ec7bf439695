import Records
import Testing

@Suite("B1 times")
struct TimestampTests {
  @Test(
    arguments: [
      (0, "1970-01-01T00:00:00Z"), (-1, "1969-12-31T23:59:59.999999Z"),
      (951_782_400_000_000, "2000-02-29T00:00:00Z"),
      (4_107_542_400_000_000, "2100-03-01T00:00:00Z"),
      (1_795_231_471_500_000, "2026-11-21T03:24:31.5Z"),
      (1_000_010, "1970-01-01T00:00:01.00001Z"), (-62_135_596_800_000_000, "0001-01-01T00:00:00Z"),
    ] as [(Int64, String)])
  func `a time is formatted as RFC 3339`(microseconds: Int64, text: String) {
    #expect(Timestamp(microseconds: microseconds).description == text)
  }

  @Test(arguments: [Int64.min, .max])
  func `the earliest and the latest time can be formatted`(microseconds: Int64) {
    #expect(Timestamp(microseconds: microseconds).description.hasSuffix("Z"))
  }

  @Test func `addition is clamped to the representable range`() {
    #expect(Timestamp(microseconds: 5).adding(seconds: 2).microseconds == 2_000_005)
    #expect(Timestamp(microseconds: .max).adding(seconds: 1).microseconds == .max)
    #expect(Timestamp(microseconds: .min).adding(seconds: -1).microseconds == .min)
    #expect(Timestamp(microseconds: 0).adding(seconds: .max).microseconds == .max)
    #expect(Timestamp(microseconds: 0).adding(seconds: .min).microseconds == .min)
  }
}
