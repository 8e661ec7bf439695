// The changes of one contact: when, by whom, on which device, and what changed. Deleted contacts have a
// history too.

import AgentAPI
import ArgumentParser

/// `history`: show the changes of a contact.
struct HistoryCommand: ControlCommand {
  static let configuration = CommandConfiguration(
    commandName: "history", abstract: "Show the changes of a contact, newest first.",
    discussion: """
      The columns are: time, action, account, device, then field, old value and new value, with \
      one line per field; on a terminal each step has a heading, and its fields below it. The \
      history contains up to 50 versions of the last 30 days.
      """)

  @Argument(
    help: ArgumentHelp(
      "The name, the id, or the beginning of the id of a contact, which may be deleted.",
      valueName: "id|name"),
    completion: CompletionSource.contacts)
  var words: [String]
  @OptionGroup var global: GlobalFlags

  func run(in session: CommandSession) async throws(ControlFailure) -> ExitStatus {
    let name = words.joined(separator: " ")
    let id = try await ContactFinder(session: session).findPast(name)
    let reply: AgentReply
    do {
      reply = try await session.agent.get(.history(ofContact: id))
    } catch  where error.exitCode == .notFound {
      throw ContactFinder.unknown(name)
    }
    guard session.printer.style != .json else {
      session.printer.json(reply.bytes)
      return .done
    }
    let view = try reply.decoded(as: ContactHistoryView.self)
    if session.printer.style == .terminal {
      let columns = session.printer.terminal.columns
      await session.printer.page(view.history.flatMap { $0.lines(limit: columns) })
    } else {
      await session.printer.rows(view.history.flatMap(Self.rows))
    }
    if !view.complete {
      session.printer.remark(
        "The broker did not answer, so some changes may be missing. Try again later.")
    }
    return .done
  }

  private static func rows(_ step: ContactHistoryView.Step) -> [[String]] {
    let what = step.synced ? step.change : "\(step.change), not sent yet"
    let head = ["\(step.time)", what, step.by.shown, step.by.shownDevice]
    guard !step.fields.isEmpty else { return [head] }
    return step.fields.map { head + [$0.field, $0.before ?? "", $0.after ?? ""] }
  }
}
