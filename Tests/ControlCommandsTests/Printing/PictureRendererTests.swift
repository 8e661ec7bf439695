import Foundation
import Testing

@testable import ControlCommands

@Suite("T1 pictures in a terminal")
struct PictureRendererTests {
  @Test(arguments: [
    (["TERM": "xterm-kitty"], true), (["KITTY_WINDOW_ID": "1", "TERM": "xterm-256color"], true),
    (["TERM_PROGRAM": "WezTerm"], true), (["TERM": "xterm-256color"], false), ([:], false),
  ])
  func `terminals that speak kitty's protocol say so`(variables: [String: String], isKitty: Bool) {
    #expect(PictureRenderer.isKitty(variables) == isKitty)
  }

  @Test func `without a way to draw there is none`() {
    #expect(PictureRenderer(for: "image/jpeg", environment: ["TERM": "xterm-kitty"]) == nil)
    #expect(PictureRenderer(for: "image/png", environment: ["TERM": "xterm-kitty"]) != nil)
    #expect(PictureRenderer(for: "image/png", environment: ["TERM": "xterm"]) == nil)
  }

  @Test func `what is no picture of a known kind is given to no program, whatever it is called`() {
    let kitty = ["TERM": "xterm-kitty", "PATH": "/usr/bin:/bin"]
    for type in ["image/svg+xml", "application/octet-stream", "text/html", "", nil] {
      #expect(PictureRenderer(for: type, environment: kitty) == nil)
    }
    #expect(PostCommand.Export.fileExtension("application/octet-stream") == "bin")
    #expect(PostCommand.Export.fileExtension("image/svg+xml") == "bin")
    #expect(PostCommand.Export.fileExtension("image/png") == "png")
    #expect(PostCommand.Export.fileExtension(nil) == "bin")
  }

  @Test func `a PNG goes out in pieces that join to what it was`() throws {
    let bytes = (0..<10_000).map { UInt8(truncatingIfNeeded: $0) }
    let text = String(decoding: PictureRenderer.kittySequence(bytes), as: UTF8.self)
    let pieces = text.split(separator: "\u{1B}\\").filter { $0.hasPrefix("\u{1B}_G") }
    #expect(pieces.count == 4)
    #expect(pieces.first?.contains("a=T,f=100") == true && pieces.first?.contains("m=1;") == true)
    #expect(pieces.last?.contains("m=0;") == true)
    let joined = pieces.compactMap { $0.split(separator: ";", maxSplits: 1).last }.joined()
    #expect(Data(base64Encoded: joined).map(Array.init) == bytes)
  }
}
