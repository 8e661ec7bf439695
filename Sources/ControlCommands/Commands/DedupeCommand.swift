// Finds probable duplicates, with the reasons. It changes nothing; the user decides and merges them in pairs.

import AgentAPI
import ArgumentParser

/// `dedupe`: find probable duplicates.
struct DedupeCommand: ControlCommand {
  static let configuration = CommandConfiguration(
    commandName: "dedupe", abstract: "Find likely duplicates.",
    discussion: """
      The columns are: the ids of two contacts, their names, the reasons; on a terminal each contact \
      has a line with what the other one lacks and its short id. Contacts with the same name are \
      listed only if another field also matches. Nothing is changed; “contactsctl merge A B” \
      merges two contacts.
      """)

  @OptionGroup var global: GlobalFlags

  func run(in session: CommandSession) async throws(ControlFailure) -> ExitStatus {
    let reply = try await session.agent.get(.duplicates)
    if session.printer.style == .json {
      session.printer.json(reply.bytes)
      return .done
    }
    let view = try reply.decoded(as: DuplicatesView.self)
    guard session.printer.style == .terminal else {
      await session.printer.rows(
        view.duplicates.map { pair in
          pair.contacts.map(\.id) + pair.contacts.map(\.name)
            + [pair.reasons.map(\.sentence).joined(separator: ", ")]
        })
      return .done
    }
    await session.printer.page(try await lines(of: view, in: session))
    session.printer.remark(view.summary)
    return .done
  }

  private func lines(
    of view: DuplicatesView, in session: CommandSession
  ) async throws(ControlFailure) -> [String] {
    guard !view.duplicates.isEmpty else { return [] }
    let ids = Set(view.duplicates.flatMap { $0.contacts.map(\.id) })
    let contacts = try await ContactPages(session.agent, [], ContactItem.Line.selection).items {
      ids.contains($0.id)
    }
    let groups = try await session.agent.get(.groups).decoded(as: GroupsView.self).groups
    return DuplicateList.lines(
      view.duplicates, contacts: contacts.map(\.line), groups: groups,
      limit: session.printer.terminal.columns)
  }
}
