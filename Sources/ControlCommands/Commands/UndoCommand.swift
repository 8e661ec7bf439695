// Undoes actions on this device, also after a restart. Later changes of other devices are kept and listed: an
// undo never reverts them.

import AgentAPI
import ArgumentParser

/// `undo`: undo an action.
struct UndoCommand: ControlCommand {
  static let configuration = CommandConfiguration(
    commandName: "undo", abstract: "Undo an action of this device.",
    discussion: """
      Without a number, the latest action that is not undone yet is undone. An undo is an action \
      too, so it can be undone by its number. Values that have changed since are kept and reported. \
      If nothing of an action can be undone, the next undo without a number continues with an \
      older one. On a terminal, more than 10 contacts are counted and not listed; -v lists them.
      """)

  @Argument(help: ArgumentHelp("The action's number.", valueName: "n")) var number: Int64?
  @Flag(help: "List the actions that can be undone: number, time, action, count.") var list = false
  @OptionGroup var listing: ListingFlags
  @OptionGroup var global: GlobalFlags

  func validate() throws {
    guard !list || number == nil else {
      throw ValidationError("Use either a number or --list, not both.")
    }
    try SequenceArgument.check(number, name: "undo")
  }

  func run(in session: CommandSession) async throws(ControlFailure) -> ExitStatus {
    if list { return try await showActions(in: session) }
    let reply = try await session.agent.send(.post, .undo, body: UndoForm(action: number))
    let view = try reply.decoded(as: UndoView.self)
    if session.printer.style == .json {
      session.printer.json(reply.bytes)
    } else {
      await show(view, session.printer)
    }
    return view.setBack.isEmpty && !view.leftAlone.isEmpty ? .failed : .done
  }

  private func showActions(in session: CommandSession) async throws(ControlFailure) -> ExitStatus {
    let reply = try await session.agent.get(.actions)
    guard session.printer.style != .json else {
      session.printer.json(reply.bytes)
      return .done
    }
    let actions = try reply.decoded(as: ActionsView.self).actions
    await session.printer.rows(
      actions.filter { $0.undoneBy == nil }.map {
        [String($0.id), "\($0.time)", $0.what, $0.name, String($0.count)]
      })
    return .done
  }

  private func show(_ view: UndoView, _ printer: Printer) async {
    if listing.includes(view.setBack.count + view.leftAlone.count, in: printer.style) {
      await printer.list(view.setBack.map { [$0.id, $0.name] })
      for left in view.leftAlone { printer.remark(left.sentence) }
    }
    printer.remark(view.summary)
  }
}
