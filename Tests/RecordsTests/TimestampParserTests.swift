import Records
import Testing

@Suite("B1 parsing times")
struct TimestampParserTests {
  @Test(arguments: [
    "1970-01-01T00:00:00Z", "2026-11-21T03:24:31.5Z", "2024-02-29T23:59:59.999999Z",
    "0001-01-01T00:00:00Z", "9999-12-31T23:59:59Z", "1969-12-31T23:59:59.000001Z",
  ])
  func `a formatted time is parsed`(text: String) throws {
    #expect(try #require(Timestamp(text)).description == text)
  }

  @Test func `an offset is subtracted, and a date alone means midnight`() {
    #expect(Timestamp("2026-11-21T01:30:00+02:30") == Timestamp("2026-11-20T23:00:00Z"))
    #expect(Timestamp("2026-11-21T01:30:00-02:30") == Timestamp("2026-11-21T04:00:00Z"))
    #expect(Timestamp("2026-11-21") == Timestamp("2026-11-21t00:00:00z"))
    #expect(Timestamp("2026-11-21T00:00:00.1234567Z") == Timestamp("2026-11-21T00:00:00.123456Z"))
  }

  @Test(arguments: [
    "", "2026", "2026-13-01", "2025-02-29", "2026-04-31", "2026-11-21T24:00:00Z",
    "2026-11-21T00:60:00Z", "2026-11-21T00:00:00", "2026-11-21T00:00Z", "2026-11-21T00:00:00.Z",
    "2026-11-21T00:00:00+24:00", "2026-11-21T00:00:00Z ", "+026-11-21", "２026-11-21",
  ])
  func `an invalid time is rejected`(text: String) {
    #expect(Timestamp(text) == nil)
  }
}
