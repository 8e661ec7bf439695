// Finds probable duplicates, with the reasons. It changes nothing; the user decides and merges them in pairs.

import AgentAPI
import ArgumentParser

/// `dedupe`: find probable duplicates.
struct DedupeCommand: ControlCommand {
  static let configuration = CommandConfiguration(
    commandName: "dedupe", abstract: "Find likely duplicates.",
    discussion: """
      The columns are: the ids of two contacts, their names, the reasons; on a terminal the ids are \
      short and last. Contacts with the same \
      name are listed only if another field also matches. Nothing is changed; “contactsctl \
      merge A B” merges two contacts.
      """)

  @OptionGroup var global: GlobalFlags

  func run(in session: CommandSession) async throws(ControlFailure) -> ExitStatus {
    let reply = try await session.agent.get(.duplicates)
    if session.printer.style == .json {
      session.printer.json(reply.bytes)
    } else {
      let view = try reply.decoded(as: DuplicatesView.self)
      await session.printer.list(
        view.duplicates.map { pair in
          pair.contacts.map(\.id) + pair.contacts.map(\.name)
            + [pair.reasons.map(\.sentence).joined(separator: ", ")]
        }, ids: [0, 1])
      if session.printer.style == .terminal { session.printer.remark(view.summary) }
    }
    return .done
  }
}
