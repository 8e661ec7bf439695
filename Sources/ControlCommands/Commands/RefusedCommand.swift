// Rejected edits. They do not block other edits; the device keeps them until the user dismisses them.

import AgentAPI
import ArgumentParser

/// `refused`: rejected edits.
struct RefusedCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "refused", abstract: "Show rejected edits.",
    subcommands: [List.self, Dismiss.self], defaultSubcommand: List.self)

  /// `refused list`.
  struct List: ControlCommand {
    static let configuration = CommandConfiguration(
      commandName: "list",
      abstract: """
        List the rejected edits: number, time, contact, name, reason, what was entered.
        """, aliases: ["ls"])

    @OptionGroup var global: GlobalFlags

    func run(in session: CommandSession) async throws(ControlFailure) -> ExitStatus {
      let reply = try await session.agent.get(.refused)
      if session.printer.style == .json {
        session.printer.json(reply.bytes)
      } else {
        let edits = try reply.decoded(as: RefusedView.self).refused
        await session.printer.sentences(edits.map { $0.row(in: session.printer.style) })
      }
      return .done
    }
  }

  /// `refused dismiss`.
  struct Dismiss: ControlCommand {
    static let configuration = CommandConfiguration(
      commandName: "dismiss", abstract: "Discard rejected edits.")

    @Argument(help: "The numbers of the edits.") var ids: [String] = []
    @Flag(help: "Discard all of them.") var all = false
    @OptionGroup var global: GlobalFlags

    func validate() throws {
      guard all == ids.isEmpty else {
        throw ValidationError("Give the numbers of the rejected edits, or --all.")
      }
    }

    func run(in session: CommandSession) async throws(ControlFailure) -> ExitStatus {
      var numbers = ids
      if all {
        let reply = try await session.agent.get(.refused)
        numbers = try reply.decoded(as: RefusedView.self).refused.map(\.id)
      }
      for id in numbers { _ = try await session.agent.send(.delete, .refusedEdit(id)) }
      return .done
    }
  }
}
