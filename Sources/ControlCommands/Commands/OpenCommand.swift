// The web page shows the contacts in a browser. The agent serves it on a port of this machine; this subcommand gets
// the link, which works once and for a minute.

import AgentAPI
import ArgumentParser
import Foundation

/// `open`: open the web page.
struct OpenCommand: ControlCommand {
  static let configuration = CommandConfiguration(
    commandName: "open", abstract: "Open your contacts in a web browser on this computer.",
    discussion: """
      Prints a link that works once and for a minute, and opens it if there is a desktop. contactsd \
      serves the page until it stops, for you only.
      """)

  @Flag(name: .customLong("print"), help: "Only print the link.") var onlyPrints = false
  @OptionGroup var global: GlobalFlags

  func run(in session: CommandSession) async throws(ControlFailure) -> ExitStatus {
    let reply = try await session.agent.send(.post, .webOpen)
    guard session.printer.style != .json else {
      session.printer.json(reply.bytes)
      return .done
    }
    let view = try reply.decoded(as: WebLinkView.self)
    session.printer.text(PlainText.clean(view.link))
    let environment = ProcessInfo.processInfo.environment
    if !onlyPrints, Self.hasDesktop(environment) {
      let program = ExternalProgram(
        command: "xdg-open", arguments: [view.link], environment: environment)
      // Without a browser, the printed link remains.
      _ = try? await program.run()
    }
    return .done
  }

  /// Whether a program can open a window, and there is one that opens links.
  static func hasDesktop(_ environment: [String: String]) -> Bool {
    guard ["DISPLAY", "WAYLAND_DISPLAY"].contains(where: { environment[$0]?.isEmpty == false })
    else { return false }
    return (environment["PATH"] ?? "").split(separator: ":").contains {
      FileManager.default.isExecutableFile(atPath: "\($0)/xdg-open")
    }
  }
}
