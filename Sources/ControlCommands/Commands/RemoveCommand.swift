// Deletes contacts on all devices, as one action that one undo reverts. If one cannot be deleted, the others
// are deleted anyway.

import AgentAPI
import ArgumentParser

/// `rm`: delete contacts.
struct RemoveCommand: ControlCommand {
  static let configuration = CommandConfiguration(
    commandName: "rm", abstract: "Delete contacts on all your devices.",
    discussion: """
      A name must be complete, and quoted if it contains blanks. Deleted contacts stay in the trash \
      for 30 days. “contactsctl undo” restores them.
      """,
    aliases: ["delete", "remove"])

  @Argument(
    help: ArgumentHelp("The contacts' names, ids, or beginnings of ids.", valueName: "id|name"),
    completion: CompletionSource.contacts)
  var contacts: [String]
  @OptionGroup var listing: ListingFlags
  @OptionGroup var global: GlobalFlags

  private struct Deleted: Encodable, Sendable {
    let schema = 1
    let deleted: [String]
    let action: Int64?

    enum CodingKeys: CodingKey { case schema, deleted, action }
  }

  func run(in session: CommandSession) async throws(ControlFailure) -> ExitStatus {
    var deleted: [ChangedContact] = []
    var action: String?
    var first: ControlFailure?
    let finder = ContactFinder(session: session)
    for contact in contacts {
      do {
        let found = try await finder.find(contact)
        let reply = try await session.agent.deleteContact(found.id, in: action)
        action = action ?? reply.action
        deleted.append(try ChangedContact(found.reply))
      } catch {
        // The other contacts are deleted anyway. Each failure is printed; the first one determines the exit
        // code.
        guard error.exitCode != .unreachable else { throw error }
        let error = error.suggestingQuotes(around: contacts, after: "rm")
        if first != nil || contacts.count > 1 { session.printer.failed(error) }
        first = first ?? error
      }
    }
    if session.printer.style == .json {
      session.printer.json(
        try JSONText.encoded(
          Deleted(deleted: deleted.map(\.id), action: action.flatMap { Int64($0) })))
    } else if listing.includes(deleted.count, in: session.printer.style) {
      await session.printer.rows(deleted.map { [$0.id] })
    }
    if let action {
      let what = ChangedContact.phrase(for: deleted)
      session.printer.remark("Deleted \(what). Undo: contactsctl undo \(action)")
    }
    guard let first else { return .done }
    guard contacts.count > 1 else { throw first }
    return first.exitCode
  }
}
