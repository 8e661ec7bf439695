// Devices synchronize by themselves; this subcommand is for users and scripts that need to know when it is
// done.

import AgentAPI
import ArgumentParser

/// `sync`: synchronize now.
struct SyncCommand: ControlCommand {
  static let configuration = CommandConfiguration(
    commandName: "sync", abstract: "Send pending edits and fetch changes now.",
    discussion: "Exits with 75 if the device is not synchronized when --wait expires.")

  @Option(
    help: ArgumentHelp(
      "Wait until the device is synchronized (--wait=SECONDS, 30 by default).", valueName: "seconds"
    ))
  var wait: Double?
  @Flag(help: "Send the deletions that are on hold.") var acceptDeletions = false
  @Flag(
    help: "Undo the deletions that are on hold, and the unconfirmed ones that were already sent.")
  var refuseDeletions = false
  @OptionGroup var global: GlobalFlags

  func validate() throws {
    if acceptDeletions && refuseDeletions {
      throw ValidationError("Use either --accept-deletions or --refuse-deletions, not both.")
    }
    if let wait, !(0...86_400).contains(wait) {
      throw ValidationError("--wait must be a number of seconds from 0 to 86400.")
    }
  }

  func run(in session: CommandSession) async throws(ControlFailure) -> ExitStatus {
    let deletions = acceptDeletions ? "accept" : refuseDeletions ? "refuse" : nil
    let form = SyncForm(waitSeconds: wait, deletions: deletions)
    let (agent, printer) = (session.agent, session.printer)
    let seconds = Int64(wait ?? 0) + 30
    let notice = WaitNotice(text: "Waiting for the broker …") { printer.progress($0) }
    let reply = try await notice.during { () async throws(ControlFailure) in
      try await agent.send(.post, .sync, body: form, timeoutSeconds: seconds)
    }
    if session.printer.style == .json {
      session.printer.json(reply.bytes)
    } else {
      session.printer.row([try reply.decoded(as: StatusView.self).state])
    }
    return .done
  }
}
