// Being in step with the broker is what devices do by themselves; this verb is for those who have
// to know that it is done.

import ArgumentParser

/// `sync`: be in step with the broker.
struct SyncVerb: Verb {
  static let configuration = CommandConfiguration(
    commandName: "sync", abstract: "Send what waits and fetch what is new, now.",
    discussion: "Ends with 75 when --wait runs out before the device is in step.")

  @Option(
    help: ArgumentHelp(
      "Wait until it is done, at most so long (--wait=SECONDS; alone: 30).", valueName: "seconds"))
  var wait: Double?
  @Flag(help: "Send the deletions that are held.") var acceptDeletions = false
  @Flag(help: "Take held deletions back, and those sent before them.") var refuseDeletions = false
  @OptionGroup var global: GlobalFlags

  func validate() throws {
    if acceptDeletions && refuseDeletions {
      throw ValidationError("--accept-deletions and --refuse-deletions exclude each other.")
    }
    if let wait, !(0...86_400).contains(wait) {
      throw ValidationError("--wait takes 0 to 86400 seconds.")
    }
  }

  func run(in session: Session) async throws(ControlFailure) -> ExitStatus {
    let deletions = acceptDeletions ? "accept" : refuseDeletions ? "refuse" : nil
    let form = SyncForm(waitSeconds: wait, deletions: deletions)
    let reply = try await session.agent.send(
      .post, ["sync"], body: form, timeoutSeconds: Int64(wait ?? 0) + 30)
    if session.printer.style == .json {
      session.printer.json(reply.bytes)
    } else {
      session.printer.row([try reply.decoded(as: StatusView.self).state])
    }
    return .done
  }
}
