// Everything about one contact, named by its id or by its name. Ids of entries are shown, because
// edits name entries by them.

import ArgumentParser
import Records

/// `show`: everything about one contact.
struct ShowVerb: Verb {
  static let configuration = CommandConfiguration(
    commandName: "show", abstract: "Show a contact.")

  @Argument(help: ArgumentHelp("The contact's id or name.", valueName: "id|name"))
  var contact: [String]
  @OptionGroup var global: GlobalFlags

  func run(in session: Session) async throws(ControlFailure) -> ExitStatus {
    let reply = try await find(contact.joined(separator: " "), asking: session.agent)
    if session.printer.style == .json {
      session.printer.json(reply.bytes)
    } else {
      session.printer.rows(Self.rows(try reply.decoded(as: ContactView.self)))
    }
    return .done
  }

  private func find(
    _ text: String, asking agent: AgentClient
  ) async throws(ControlFailure) -> AgentReply {
    do {
      return try await agent.get(["contacts", text])
    } catch {
      // It may be a name, and a name may hold what no id does.
      guard [.notFound, .content].contains(error.exitCode) else { throw error }
    }
    let reply = try await agent.get(["contacts"], query: [("q", text), ("limit", "1000")])
    let found = try reply.decoded(as: ContactsView.self).contacts
    let same = found.filter { $0.displayName.lowercased() == text.lowercased() }
    let candidates = same.isEmpty ? found : same
    let shown = PlainText.clean(text)
    guard let only = candidates.first else {
      throw .error(
        .unknownItem, "No contact has the id or name “\(shown)”.",
        hint: "Look for a part of it: contactsctl search TEXT")
    }
    guard candidates.count == 1 else {
      let list = candidates.prefix(10).map { "\($0.displayName) (\($0.id))" }
      throw .error(
        .invalidArguments,
        "“\(shown)” could be \(candidates.count) contacts: \(list.joined(separator: ", ")).",
        hint: "Name it by its id.")
    }
    return try await agent.get(["contacts", only.id])
  }

  private static func rows(_ contact: ContactView) -> [[String]] {
    var rows = [["id", contact.id], ["name", contact.displayName]]
    let texts = [
      ("first", contact.firstName), ("last", contact.lastName), ("company", contact.company),
    ]
    rows += texts.filter { !$0.1.isEmpty }.map { [$0.0, $0.1] }
    rows += contact.phones.map { ["phone", $0.label, $0.value, $0.id] }
    rows += contact.emails.map { ["email", $0.label, $0.value, $0.id] }
    rows.append(["group", contact.group])
    if let created = contact.created { rows.append(["created", created]) }
    if let modified = contact.modified {
      let author = contact.modifiedBy.map { ["\($0.account) on \($0.device)"] } ?? []
      rows.append(["modified", modified] + author)
    }
    rows.append(["synced", contact.synced ? "yes" : "no"])
    return rows
  }
}
