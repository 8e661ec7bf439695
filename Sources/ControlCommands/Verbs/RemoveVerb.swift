// Contacts deleted, on all devices. One that cannot be deleted does not keep the others from it.

import ArgumentParser

/// `rm`: contacts deleted.
struct RemoveVerb: Verb {
  static let configuration = CommandConfiguration(
    commandName: "rm", abstract: "Delete contacts, on all your devices.")

  @Argument(help: "The contacts' ids.") var ids: [String]
  @OptionGroup var global: GlobalFlags

  private struct Deleted: Encodable, Sendable {
    let schema = 1
    let deleted: [String]

    enum CodingKeys: CodingKey { case schema, deleted }
  }

  func run(in session: Session) async throws(ControlFailure) -> ExitStatus {
    var deleted: [String] = []
    var first: ControlFailure?
    for id in ids {
      do {
        _ = try await session.agent.send(
          .delete, ["contacts", id], query: [("acknowledged", "true")])
        deleted.append(id)
      } catch {
        // The others are deleted all the same; each failure is told, the first decides the code.
        guard error.exitCode != .unreachable else { throw error }
        if first != nil || ids.count > 1 { session.printer.failed(error) }
        first = first ?? error
      }
    }
    if session.printer.style == .json {
      session.printer.json(try JSONText.encoded(Deleted(deleted: deleted)))
    } else {
      session.printer.rows(deleted.map { [$0] })
    }
    guard let first else { return .done }
    guard ids.count > 1 else { throw first }
    return first.exitCode
  }
}
