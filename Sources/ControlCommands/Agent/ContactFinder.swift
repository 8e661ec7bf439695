// Finds a contact by its id or name, for subcommands about one contact. If several contacts have the name,
// the user chooses at a terminal; without a terminal, the error lists the ids.

import AgentAPI
import Records

/// Finds one contact.
struct ContactFinder {
  private static let shownMax = 10

  let session: CommandSession

  /// Returns the contact that `text` identifies.
  /// - Throws: `unknownItem`; `invalidArguments` if several contacts match.
  func find(_ text: String) async throws(ControlFailure) -> (id: String, reply: AgentReply) {
    let agent = session.agent
    do {
      let reply = try await agent.get(.contact(text))
      return (try reply.decoded(as: IdentifiedView.self).id, reply)
    } catch {
      // It may be a name, which can contain characters that ids cannot. An ambiguous id is not a name.
      guard [.notFound, .content].contains(error.exitCode), error.reason != "ambiguous" else {
        throw error
      }
    }
    let reply = try await agent.get(
      .contacts, query: [(AgentQuery.search, text), (AgentQuery.limit, "1000")])
    let found = try ContactPages.lines(of: reply.bytes)
    let same = found.filter { $0.name.lowercased() == text.lowercased() }
    let only = try choose(among: same.isEmpty ? found : same, text)
    return (only.id, try await agent.get(.contact(only.id)))
  }

  private func choose(
    among candidates: [ContactItem.Line], _ text: String
  ) throws(ControlFailure) -> ContactItem.Line {
    let shown = PlainText.clean(text)
    guard let first = candidates.first else {
      throw .error(
        .unknownItem, "No contact has the id or name “\(shown)”.",
        hint: "To search for a part of the name: contactsctl search TEXT")
    }
    guard candidates.count > 1 else { return first }
    let printer = session.printer
    if printer.mayAsk, candidates.count <= Self.shownMax {
      let list = candidates.enumerated().map { index, contact in
        "  \(index + 1)  \(contact.name)  \(contact.phones.first ?? contact.company)"
      }
      for line in list { printer.remark(line) }
      let answer = printer.ask("Which one? [1-\(candidates.count)]")
      if let number = answer.flatMap({ Int($0) }), candidates.indices.contains(number - 1) {
        return candidates[number - 1]
      }
    }
    let list = candidates.prefix(Self.shownMax).map { "\($0.name) (\($0.id))" }
    throw .error(
      .invalidArguments,
      "“\(shown)” matches \(candidates.count) contacts: \(list.joined(separator: ", ")).",
      hint: "Use the id of the contact you mean.")
  }
}
