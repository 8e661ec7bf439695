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
    help: ArgumentHelp("The id of the contact to keep.", valueName: "a"),
    completion: CompletionSource.contactIDs)
  var kept: String
  @Argument(
    help: ArgumentHelp("The id of the contact to merge into it.", valueName: "b"),
    completion: CompletionSource.contactIDs)
  var given: String
  @OptionGroup var global: GlobalFlags

  func run(in session: CommandSession) async throws(ControlFailure) -> ExitStatus {
    let reply = try await session.agent.send(
      .post, .merge(intoContact: kept), body: MergeForm(with: given))
    guard session.printer.style != .json else {
      session.printer.json(reply.bytes)
      return .done
    }
    let view = try reply.decoded(as: MergedView.self)
    session.printer.row([view.id])
    for moved in view.moved { session.printer.remark(moved.sentence) }
    if let action = reply.action {
      session.printer.remark("Merged. Undo: contactsctl undo \(action)")
    }
    return .done
  }
}
