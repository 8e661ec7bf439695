// Shows all properties of one contact, by its id or by its name. Entry ids are included, because edits refer
// to them.

import AgentAPI
import ArgumentParser

/// `show`: show all properties of a contact.
struct ShowCommand: ControlCommand {
  static let configuration = CommandConfiguration(
    commandName: "show", abstract: "Show a contact.",
    discussion:
      "The last column of a phone, e-mail or address is its id, for use with “contactsctl edit”.")

  @Argument(
    help: ArgumentHelp(
      "The contact's name, its id, or the beginning of its id.", valueName: "id|name"),
    completion: CompletionSource.contacts)
  var contact: [String]
  @OptionGroup var global: GlobalFlags

  func run(in session: CommandSession) async throws(ControlFailure) -> ExitStatus {
    let printer = session.printer
    let reply = try await ContactFinder(session: session)
      .find(contact.joined(separator: " "), part: .accepted).reply
    guard printer.style != .json else {
      printer.json(reply.bytes)
      return .done
    }
    let contact = try reply.decoded(as: FormValue.self)
    let groups = try await session.agent.get(.groups).decoded(as: GroupsView.self).groups
    let title = groups.first { $0.id == contact[.group]?.text }?.heading(among: groups)
    let detail = ContactDetail(contact, groupTitle: title)
    if printer.style == .terminal {
      await printer.page(
        detail.lines(limit: printer.terminal.columns) { printer.emphasized($0, .dim) })
    } else {
      await printer.rows(detail.rows)
    }
    return .done
  }
}
