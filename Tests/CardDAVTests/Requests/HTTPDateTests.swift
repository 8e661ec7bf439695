import Records
import Testing

@testable import CardDAV

@Suite("D1 dates of HTTP")
struct HTTPDateTests {
  @Test(arguments: [
    (784_111_777, "Sun, 06 Nov 1994 08:49:37 GMT"), (0, "Thu, 01 Jan 1970 00:00:00 GMT"),
    (-1, "Wed, 31 Dec 1969 23:59:59 GMT"), (951_782_400, "Tue, 29 Feb 2000 00:00:00 GMT"),
    (4_102_444_799, "Thu, 31 Dec 2099 23:59:59 GMT"),
  ])
  func `a time has the weekday and the form of the standard`(seconds: Int64, text: String) {
    #expect(HTTPDate.text(Timestamp(microseconds: seconds * 1_000_000)) == text)
  }
}
