import Testing

@testable import DaemonKit

@Suite("text for desktops that interpret markup")
struct MarkupTests {
  @Test(arguments: ["<", ">", "&", "\"", "'"])
  func `a special character is escaped, also before a combining mark`(sign: String) {
    for mark in ["", "\u{301}", "\u{338}", "\u{200D}", "\u{FE0F}"] {
      let written = SessionBus.escaped("a\(sign)\(mark)b").unicodeScalars
      #expect(written.contains("&") && written.contains(";"))
      let bare = written.count { "<>\"'".unicodeScalars.contains($0) }
      #expect(bare == 0, "\(sign)\(mark)")
      #expect(written.count { $0 == "&" } == 1)
    }
  }
}
