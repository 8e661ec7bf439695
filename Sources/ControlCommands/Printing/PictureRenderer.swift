// Pictures in a terminal. A terminal with kitty's graphics protocol receives PNG data and decodes it itself;
// it is made for untrusted pictures. Other pictures and terminals need the program `chafa`, which supports
// sixel, kitty and plain blocks. This program decodes nothing.

import Foundation
import Images

/// A method to show a picture on the current terminal.
struct PictureRenderer: Sendable {
  private enum Way: Sendable {
    case kitty
    case program(String)
  }

  /// The maximum number of characters in one escape sequence of the protocol.
  private static let pieceCharacters = 4096
  /// Leaves room for text next to the picture.
  private static let columnsMax = 60
  private static let linesMax = 20

  private let way: Way

  /// Whether any kind of picture can be shown.
  static var mayDraw: Bool {
    ImageProbe.Format.allCases.contains { PictureRenderer(for: $0.rawValue) != nil }
  }

  /// Chooses the method for a type of picture; `nil` if there is none, or if the type is unknown. SVG, for
  /// example, can load other files.
  /// - Parameter type: The type that the agent determined from the bytes (`AgentReply.mediaType`).
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

  /// Whether the terminal announces kitty's graphics protocol.
  static func isKitty(_ environment: [String: String]) -> Bool {
    let names = ["xterm-kitty", "xterm-ghostty"]
    return environment["KITTY_WINDOW_ID"] != nil || names.contains(environment["TERM"] ?? "")
      || ["ghostty", "WezTerm"].contains(environment["TERM_PROGRAM"] ?? "")
  }

  private static func program(_ name: String, _ environment: [String: String]) -> String? {
    (environment["PATH"] ?? "").split(separator: ":").map { "\($0)/\(name)" }
      .first { $0.hasPrefix("/") && access($0, X_OK) == 0 }
  }

  /// Shows the picture.
  func draw(_ bytes: [UInt8], on printer: Printer) async throws(ControlFailure) {
    switch way {
    case .kitty: printer.bytes(Self.kittySequence(bytes))
    case .program(let path): try await run(path, on: bytes, printer.terminal)
    }
  }

  /// Returns a PNG in kitty's protocol: base-64 in chunks, each but the last with a flag that more follow.
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
  ) async throws(ControlFailure) {
    let folder = FileManager.default.temporaryDirectory
    let name = folder.appending(path: "contactsctl-\(UUID().uuidString)").path
    let file = try OutputFile(path: name)
    defer { unlink(name) }
    try file.write(bytes)
    try file.finish()
    let size = "\(min(terminal.columns, Self.columnsMax))x\(min(terminal.lines, Self.linesMax))"
    _ = try await ExternalProgram(
      command: path, arguments: ["--size=\(size)", name],
      environment: ProcessInfo.processInfo.environment
    ).run()
  }
}
