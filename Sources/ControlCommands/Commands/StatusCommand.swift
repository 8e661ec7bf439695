// Shows the status of the agent. The first line contains only the state, for scripts.

import AgentAPI
import ArgumentParser

/// `status`: show the status of the agent.
struct StatusCommand: ControlCommand {
  static let configuration = CommandConfiguration(
    commandName: "status", abstract: "Show the agent's status. The first line is its state.")

  @Flag(help: "Print nothing; exit with 0 if the state is live, otherwise with 3.")
  var isLive = false
  @OptionGroup var global: GlobalFlags

  func run(in session: CommandSession) async throws(ControlFailure) -> ExitStatus {
    let reply = try await session.agent.get(.status)
    let status = try reply.decoded(as: StatusView.self)
    if isLive { return status.state == "live" ? .done : .notLive }
    if session.printer.style == .json {
      session.printer.json(reply.bytes)
    } else {
      let color: Printer.Color = status.state == "live" ? .green : .yellow
      session.printer.text(session.printer.emphasized(PlainText.clean(status.state), color))
      await session.printer.sentences(Self.rows(status))
    }
    return .done
  }

  private static func rows(_ status: StatusView) -> [[String]] {
    var rows = [["waiting edits", String(status.waitingEdits)]]
    if status.heldDeletions > 0 { rows.append(["held deletions", String(status.heldDeletions)]) }
    let age = status.lastSyncAgeSeconds.map { "\($0) s ago" } ?? "never"
    rows.append(["last sync", age])
    rows.append(["conflicts", String(status.conflicts)])
    if let broker = status.broker { rows.append(["broker", broker]) }
    if let reason = status.connectionError ?? status.brokerAnswer.sentence {
      rows.append(["connection", reason])
    }
    if status.accountStatus != "available" {
      rows.append(["account", status.accountSentence])
    }
    rows += status.warnings.map { ["warning", $0] }
    return rows
  }
}
