// Merges two contacts: the first one receives the values that only the second one has, and the second is
// deleted. One undo reverts it, and no value is lost.

import AgentAPI
import ArgumentParser

/// `merge`: merge two contacts.
struct MergeCommand: ControlCommand {
  static let configuration = CommandConfiguration(
    commandName: "merge", abstract: "Merge two contacts: keep the first and delete the second.",
    discussion: """
      Phones, e-mails and addresses of both are kept, without duplicates. If a field holds a \
      different value in each, the first contact's value is kept and the other one is reported.
      """)

  @Argument(
    help: ArgumentHelp("The contact to keep, by name, id, or beginning of the id.", valueName: "a"),
    completion: CompletionSource.contacts)
  var kept: String
  @Argument(
    help: ArgumentHelp("The contact to merge into it, likewise.", valueName: "b"),
    completion: CompletionSource.contacts)
  var given: String
  @OptionGroup var global: GlobalFlags

  func run(in session: CommandSession) async throws(ControlFailure) -> ExitStatus {
    let finder = ContactFinder(session: session)
    let first: (id: String, reply: AgentReply)
    let second: String
    do {
      first = try await finder.find(kept)
      second = try await finder.find(given).id
    } catch {
      throw error.suggestingQuotes(around: [kept, given], after: "merge")
    }
    let reply = try await session.agent.send(
      .post, .merge(intoContact: first.id), body: MergeForm(with: second))
    guard session.printer.style != .json else {
      session.printer.json(reply.bytes)
      return .done
    }
    let view = try reply.decoded(as: MergedView.self)
    for moved in view.moved { session.printer.remark(moved.sentence) }
    if session.printer.style == .plain { session.printer.row([view.id]) }
    let kept = try ChangedContact(first.reply).shown(in: session.printer.style)
    session.printer.remark(view.summary(kept: kept) + reply.undoSentence)
    return .done
  }
}
