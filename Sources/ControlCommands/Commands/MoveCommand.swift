// Moves contacts to another group, as one action.

import AgentAPI
import ArgumentParser
import Records

/// `move`: move contacts to another group.
struct MoveCommand: ControlCommand {
  static let configuration = CommandConfiguration(
    commandName: "move", abstract: "Move contacts to another group.",
    discussion: """
      One undo reverses the whole move. For “-”, the ids are read from standard input, from the \
      beginning of each line, as “contactsctl list” prints them.
      """)

  @Option(help: "The target group, by id or title.", completion: CompletionSource.groups)
  var to: String
  @Option(help: "Move all contacts of this group.", completion: CompletionSource.groups)
  var from: String?
  @Argument(
    help: ArgumentHelp("The contacts' names, ids, or beginnings of ids.", valueName: "id|name"),
    completion: CompletionSource.contacts)
  var contacts: [String] = []
  @OptionGroup var global: GlobalFlags

  func validate() throws {
    guard from != nil || !contacts.isEmpty else {
      throw ValidationError("Give the contacts to move, or a group with --from.")
    }
  }

  func run(in session: CommandSession) async throws(ControlFailure) -> ExitStatus {
    var ids: [String] = []
    var named: [ChangedContact] = []
    let finder = ContactFinder(session: session)
    for text in contacts {
      if text == "-" {
        try InputFile.requireStandardInput()
        while let line = readLine() {
          let id = line.prefix { $0 != "\t" }
          if !id.isEmpty { ids.append(String(id)) }
        }
      } else {
        let found = try await finder.find(text)
        ids.append(found.id)
        named.append(try ChangedContact(found.reply))
      }
    }
    let reply = try await session.agent.send(
      .post, .contacts(ofGroup: to),
      body: MoveForm(contacts: ids.isEmpty ? nil : ids, from: from))
    if session.printer.style == .json {
      session.printer.json(reply.bytes)
    } else {
      let view = try reply.decoded(as: MovedView.self)
      let title = await session.agent.heading(ofGroup: view.group)
      // Contacts of a group or of standard input were not read, and some may have been in the group already.
      let what =
        view.moved == named.count
        ? ChangedContact.phrase(for: named) : Quantity.text(view.moved, "contact")
      session.printer.remark("Moved \(what) to “\(title)”.\(reply.undoSentence)")
    }
    return .done
  }
}
