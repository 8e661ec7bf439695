// A contact by its id or by its name, for verbs that look at or change one. A name that several
// have is asked about where somebody can answer, and refused with the ids where nobody can.

import Records

/// Finds one contact.
struct ContactFinder {
  private static let shownMax = 10

  let session: Session

  /// The contact that `text` names.
  /// - Throws: `unknownItem`; `invalidArguments` when several could be meant.
  func find(_ text: String) async throws(ControlFailure) -> (id: String, reply: AgentReply) {
    let agent = session.agent
    do {
      let reply = try await agent.get(["contacts", text])
      return (try reply.decoded(as: IdentifiedView.self).id, reply)
    } catch {
      // It may be a name, and a name may hold what no id does. An id of several contacts is no name.
      guard [.notFound, .content].contains(error.exitCode), error.reason != "ambiguous" else {
        throw error
      }
    }
    let reply = try await agent.get(["contacts"], query: [("q", text), ("limit", "1000")])
    let found = try reply.decoded(as: ContactsView.self).contacts
    let same = found.filter { $0.displayName.lowercased() == text.lowercased() }
    let only = try choose(among: same.isEmpty ? found : same, text)
    return (only.id, try await agent.get(["contacts", only.id]))
  }

  private func choose(
    among candidates: [ContactView], _ text: String
  ) throws(ControlFailure) -> ContactView {
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
        "  \(index + 1)  \(contact.displayName)  \(contact.phones.first?.value ?? contact.company)"
      }
      for line in list { printer.remark(line) }
      let answer = printer.ask("Which one? [1-\(candidates.count)]")
      if let number = answer.flatMap({ Int($0) }), candidates.indices.contains(number - 1) {
        return candidates[number - 1]
      }
    }
    let list = candidates.prefix(Self.shownMax).map { "\($0.displayName) (\($0.id))" }
    throw .error(
      .invalidArguments,
      "“\(shown)” matches \(candidates.count) contacts: \(list.joined(separator: ", ")).",
      hint: "Use the id of the contact you mean.")
  }
}

/// The id of whatever was made.
struct IdentifiedView: Decodable, Sendable {
  let id: String
}
