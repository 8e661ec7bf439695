// Prints changes as they happen, until the user ends it. Their numbers have no gaps, so the stream resumes
// after the agent was unreachable.

import AgentAPI
import ArgumentParser

/// `watch`: print changes as they happen.
struct WatchCommand: ControlCommand {
  static let configuration = CommandConfiguration(
    commandName: "watch", abstract: "Print a line for each change as it arrives on this device.",
    discussion: """
      The columns are: number, change, type, id, name, account, device. If the agent stops, \
      “watch” waits for it and continues without repeating lines.
      """)

  @Option(
    help: "Start after the change with this number; without it, only new changes are printed.")
  var since: Int64?
  @OptionGroup var global: GlobalFlags

  func validate() throws {
    try SequenceArgument.check(since, name: "--since")
  }

  func run(in session: CommandSession) async throws(ControlFailure) -> ExitStatus {
    let printer = session.printer
    try await session.follow(.events, since: since) { event throws(ControlFailure) in
      try show(event, printer)
    }
  }

  private func show(_ event: ServerEvent, _ printer: Printer) throws(ControlFailure) {
    if event.kind == AgentEvent.reset {
      printer.remark(try ResetView(event).sentence(of: "changes"))
    }
    guard event.kind == AgentEvent.change else { return }
    guard printer.style != .json else { return printer.json(Array(event.content.utf8)) }
    let reply = AgentReply(bytes: Array(event.content.utf8))
    let change = try reply.decoded(as: EventView.self)
    printer.row([
      String(change.seq), change.change, change.type, change.id, change.name, change.by.shown,
      change.by.shownDevice,
    ])
  }
}
