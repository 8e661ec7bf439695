import Foundation
import Records
import Testing

@testable import AgentAPI

@Suite("times in JSON")
struct TimestampCodableTests {
  @Test(arguments: [0, 1, -1, 1_764_000_000_123_456, 253_402_300_799_999_999] as [Int64])
  func `a time is a text in RFC 3339`(microseconds: Int64) throws {
    let time = Timestamp(microseconds: microseconds)
    let bytes = try OrderedJSON.bytes(of: [time])
    #expect(String(decoding: bytes, as: UTF8.self) == "[\"\(time)\"]")
    #expect(try JSONDecoder().decode([Timestamp].self, from: Data(bytes)) == [time])
  }

  @Test(arguments: [#"["yesterday"]"#, #"["2026-02-30T00:00:00Z"]"#, "[5]", "[null]"])
  func `what is no time is refused`(text: String) {
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode([Timestamp].self, from: Data(text.utf8))
    }
  }
}
