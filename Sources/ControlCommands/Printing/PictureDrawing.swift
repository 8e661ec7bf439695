// Pictures in a terminal. A terminal that speaks kitty's protocol takes PNG as it is and decodes it
// itself, in a program made for hostile pictures; anything else is handed to `chafa`, where a person
// has installed it, which knows sixel, kitty and plain blocks. Nothing is decoded here.

import Foundation
import Images

/// A way to draw a picture on the terminal at hand.
struct PictureDrawing: Sendable {
  private enum Way: Sendable {
    case kitty
    case program(String)
  }

  /// The part of a PNG in one escape sequence, as the protocol bounds it.
  private static let pieceCharacters = 4096
  /// A picture leaves room for what is said about it.
  private static let columnsMax = 60
  private static let linesMax = 20

  private let way: Way

  /// Whether there is any way to draw here.
  static var mayDraw: Bool {
    ImageProbe.Format.allCases.contains { PictureDrawing(for: $0.rawValue) != nil }
  }

  /// How a picture of this type can be drawn; `nil` when it cannot, and for what is no picture of a
  /// kind that is known: SVG, say, draws in whatever it names.
  /// - Parameter type: what looking at the bytes told (`AgentReply.mediaType`).
  init?(
    for type: String?, environment: [String: String] = ProcessInfo.processInfo.environment
  ) {
    guard let type, ImageProbe.Format(rawValue: type) != nil else { return nil }
    if type == "image/png", Self.isKitty(environment) {
      way = .kitty
    } else if environment["TERM"] != "dumb", let chafa = Self.program("chafa", environment) {
      way = .program(chafa)
    } else {
      return nil
    }
  }

  /// Whether the terminal says that it speaks kitty's graphics protocol.
  static func isKitty(_ environment: [String: String]) -> Bool {
    let names = ["xterm-kitty", "xterm-ghostty"]
    return environment["KITTY_WINDOW_ID"] != nil || names.contains(environment["TERM"] ?? "")
      || ["ghostty", "WezTerm"].contains(environment["TERM_PROGRAM"] ?? "")
  }

  private static func program(_ name: String, _ environment: [String: String]) -> String? {
    (environment["PATH"] ?? "").split(separator: ":").map { "\($0)/\(name)" }
      .first { $0.hasPrefix("/") && access($0, X_OK) == 0 }
  }

  /// Draws the picture.
  func draw(_ bytes: [UInt8], on printer: Printer) throws(ControlFailure) {
    switch way {
    case .kitty: printer.bytes(Self.kittySequence(bytes))
    case .program(let path): try run(path, on: bytes, printer.terminal)
    }
  }

  /// A PNG as kitty's protocol has it: base64 in pieces, each but the last saying that more comes.
  static func kittySequence(_ bytes: [UInt8]) -> [UInt8] {
    let text = Array(Data(bytes).base64EncodedString().utf8)
    var sequence: [UInt8] = []
    for start in stride(from: 0, to: text.count, by: pieceCharacters) {
      let piece = text[start..<min(text.count, start + pieceCharacters)]
      let more = piece.endIndex < text.count ? 1 : 0
      let keys = start == 0 ? "a=T,f=100,r=\(linesMax),q=2,m=\(more)" : "m=\(more)"
      sequence += Array("\u{1B}_G\(keys);".utf8) + piece + Array("\u{1B}\\".utf8)
    }
    return sequence + [UInt8(ascii: "\n")]
  }

  private func run(
    _ path: String, on bytes: [UInt8], _ terminal: Terminal
  ) throws(ControlFailure) {
    let folder = FileManager.default.temporaryDirectory
    let name = folder.appending(path: "contactsctl-\(UUID().uuidString)").path
    let file = try OutputFile(path: name)
    defer { unlink(name) }
    try file.write(bytes)
    try file.finish()
    let size = "\(min(terminal.columns, Self.columnsMax))x\(min(terminal.lines, Self.linesMax))"
    let program = try ExternalProgram.start(
      path, arguments: ["--size=\(size)", name],
      environment: ProcessInfo.processInfo.environment)
    _ = program.wait()
  }
}
