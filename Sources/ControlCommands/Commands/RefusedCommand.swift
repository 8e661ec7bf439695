// Rejected edits. They do not block other edits; the device keeps them until the user dismisses them or applies them
// again.

import AgentAPI
import ArgumentParser
import Records

/// `refused`: rejected edits.
struct RefusedCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "refused", abstract: "Show rejected edits, apply them again, or discard them.",
    subcommands: [List.self, Retry.self, Dismiss.self], defaultSubcommand: List.self)

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

  /// `refused retry`.
  struct Retry: ControlCommand {
    static let configuration = CommandConfiguration(
      commandName: "retry", abstract: "Apply rejected edits again.",
      discussion: """
        What you entered, photos included, is entered again on top of the contact as it is now. A \
        contact that no longer exists is created again. An edit that is rejected again appears in \
        the list with a new number.
        """)

    @OptionGroup var selection: RejectedEditSelection
    @Option(
      help: "The group for contacts that are created again, by id or title.",
      completion: CompletionSource.groups)
    var group: String?
    @OptionGroup var global: GlobalFlags

    func run(in session: CommandSession) async throws(ControlFailure) -> ExitStatus {
      var first: ControlFailure?
      for edit in try await selection.edits(session.agent) {
        do throws(ControlFailure) {
          let reply = try await session.agent.send(
            .post, .refusedEdit(edit.id), body: RetryForm(group: group))
          if session.printer.style == .json { session.printer.json(reply.bytes) }
          session.printer.remark(
            "Applied the \(edit.noun) of “\(edit.name)” again.\(reply.undoSentence)")
        } catch {
          guard error.exitCode != .unreachable else { throw error }
          session.printer.failed(error)
          first = first ?? error
        }
      }
      return first?.exitCode ?? .done
    }
  }

  /// `refused dismiss`.
  struct Dismiss: ControlCommand {
    static let configuration = CommandConfiguration(
      commandName: "dismiss", abstract: "Discard rejected edits.")

    @OptionGroup var selection: RejectedEditSelection
    @OptionGroup var global: GlobalFlags

    func run(in session: CommandSession) async throws(ControlFailure) -> ExitStatus {
      for edit in try await selection.edits(session.agent) {
        _ = try await session.agent.send(.delete, .refusedEdit(edit.id))
        session.printer.remark("Discarded the rejected \(edit.noun) of “\(edit.name)”.")
      }
      return .done
    }
  }
}

/// The rejected edits that a command is for.
struct RejectedEditSelection: ParsableArguments {
  @Argument(help: "The numbers of the edits.") var ids: [String] = []
  @Flag(help: "All of them.") var all = false

  func validate() throws {
    guard all == ids.isEmpty else {
      throw ValidationError("Give the numbers of the rejected edits, or --all.")
    }
  }

  /// Returns the chosen edits, in the given order.
  /// - Throws: `unknownItem` if a number is in no list; then nothing was changed.
  func edits(_ agent: AgentClient) async throws(ControlFailure) -> [RefusedView.Edit] {
    let known = try await agent.get(.refused).decoded(as: RefusedView.self).refused
    guard !all else { return known }
    var chosen: [RefusedView.Edit] = []
    for id in ids {
      guard let edit = known.first(where: { $0.id == id }) else {
        throw .error(
          .unknownItem, "There is no rejected edit “\(PlainText.clean(id))”.",
          hint: "To see the rejected edits: contactsctl refused list")
      }
      chosen.append(edit)
    }
    return chosen
  }
}

extension RefusedView.Edit {
  /// “change” or “deletion”.
  fileprivate var noun: String { change == "deleted" ? "deletion" : "change" }
}
