import Testing

@testable import ControlCommands

@Suite("H2 an export on a terminal")
struct TerminalBytesTests {
  private func shown(_ text: String, chunkBytes: Int) -> String {
    var filter = TerminalBytes()
    var bytes: [UInt8] = []
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      bytes += filter.feed(Array(rest.prefix(chunkBytes)))
      rest = rest.dropFirst(chunkBytes)
    }
    return String(decoding: bytes + filter.finish(), as: UTF8.self)
  }

  @Test(arguments: [1, 2, 3, 4, 1_000])
  func `characters that a terminal obeys are shown, however the text is cut`(chunkBytes: Int) {
    let text = "FN:Ada\r\n\tNOTE:\u{1B}[2J\u{7}\u{7F}\u{9B}31m\u{202E}ü田😀\u{0}"
    #expect(
      shown(text, chunkBytes: chunkBytes)
        == "FN:Ada\r\n\tNOTE:<U+001B>[2J<U+0007><U+007F><U+009B>31m<U+202E>ü田😀<U+0000>")
  }

  @Test func `bytes that are not UTF-8 end as a mark, and nothing waits for ever`() {
    var filter = TerminalBytes()
    var bytes = filter.feed([0x9B, 0x41, 0xE2, 0x80])
    bytes += filter.feed([0x1B])
    bytes += filter.feed([0xF0, 0x9F])
    bytes += filter.finish()
    #expect(String(decoding: bytes, as: UTF8.self) == "\u{FFFD}A\u{FFFD}<U+001B>\u{FFFD}")
    #expect(filter.finish().isEmpty)
  }
}
