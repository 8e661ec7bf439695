import Records
import Testing

@Suite("The bytes of texts")
struct StringBytesTests {
  @Test(arguments: 0...25)
  func `texts with the same bytes are equal, and one byte anywhere makes them differ`(count: Int) {
    let bytes = (0..<count).map { UInt8(ascii: "a") + UInt8($0) }
    let text = String(decoding: bytes, as: UTF8.self)
    #expect(text.hasSameBytes(as: String(decoding: bytes, as: UTF8.self)))
    #expect(!text.hasSameBytes(as: text + "a") && !(text + "a").hasSameBytes(as: text))
    for index in bytes.indices {
      var other = bytes
      other[index] = UInt8(ascii: "-")
      #expect(!text.hasSameBytes(as: String(decoding: other, as: UTF8.self)), "\(index)")
    }
  }

  @Test func `a letter of one scalar and the same letter of two are different bytes`() {
    #expect("é" == "e\u{301}")
    #expect(!"é".hasSameBytes(as: "e\u{301}"))
    #expect(RecordName(stored: "é") != RecordName(stored: "e\u{301}"))
  }
}
