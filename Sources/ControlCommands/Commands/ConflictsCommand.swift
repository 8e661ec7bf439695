// Lists, shows and resolves conflicts. No data was lost: the device keeps the other value until the user
// decides.

import AgentAPI
import ArgumentParser

/// `conflicts`: conflicting edits of two devices.
struct ConflictsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "conflicts", abstract: "Show and resolve conflicting edits.",
    subcommands: [List.self, Show.self, Resolve.self], defaultSubcommand: List.self)

  /// `conflicts list`.
  struct List: ControlCommand {
    static let configuration = CommandConfiguration(
      commandName: "list",
      abstract: """
        List the conflicts: id, contact, field, current value, other value.
        """,
      aliases: ["ls"])

    @OptionGroup var global: GlobalFlags

    func run(in session: CommandSession) async throws(ControlFailure) -> ExitStatus {
      let reply = try await session.agent.get(.conflicts)
      if session.printer.style == .json {
        session.printer.json(reply.bytes)
      } else {
        let conflicts = try reply.decoded(as: ConflictsView.self).conflicts
        await session.printer.list(
          conflicts.map { [$0.id, $0.name, $0.field, $0.shownValue, $0.otherValue] })
      }
      return .done
    }
  }

  /// `conflicts show`.
  struct Show: ControlCommand {
    static let configuration = CommandConfiguration(
      commandName: "show", abstract: "Show a conflict.")

    @Argument(
      help: ArgumentHelp("The conflict's id, or the contact's name.", valueName: "id|name"))
    var conflict: String
    @OptionGroup var global: GlobalFlags

    func run(in session: CommandSession) async throws(ControlFailure) -> ExitStatus {
      let id = try await ContactFinder(session: session).findConflict(conflict)
      let reply = try await session.agent.get(.conflict(id))
      guard session.printer.style != .json else {
        session.printer.json(reply.bytes)
        return .done
      }
      let conflict = try reply.decoded(as: SingleView<ConflictItem>.self).item
      await session.printer.rows([
        ["id", conflict.id], ["contact", conflict.name, conflict.contact],
        ["field", conflict.field],
        Self.row("mine", conflict.mine, conflict.mineBy, of: conflict),
        Self.row("theirs", conflict.theirs, conflict.theirsBy, of: conflict),
      ])
      return .done
    }

    /// Returns one of the two values, where it was set, and whether the contact shows it.
    private static func row(
      _ name: String, _ value: String, _ author: AuthorView?,
      of conflict: ConflictItem
    ) -> [String] {
      let isShown = (conflict.shown ?? "theirs") == name
      let row = [isShown ? "\(name) (shown)" : name, value]
      guard let author, !author.device.isEmpty else { return row }
      return row + ["set on \(author.device) by \(author.shown)"]
    }
  }

  /// `conflicts resolve`.
  struct Resolve: ControlCommand {
    static let configuration = CommandConfiguration(
      commandName: "resolve", abstract: "Choose the value to keep.")

    @Argument(
      help: ArgumentHelp("The conflict's id, or the contact's name.", valueName: "id|name"))
    var conflict: String
    @Flag(help: "Keep the value from this device.") var mine = false
    @Flag(help: "Keep the value from the other device.") var theirs = false
    @Flag(help: "Keep both values, if the field can hold two.") var both = false
    @Flag(help: "Edit the value in your editor, which shows both.") var edit = false
    @OptionGroup var global: GlobalFlags

    func validate() throws {
      guard [mine, theirs, both, edit].filter({ $0 }).count == 1 else {
        throw ValidationError("Use one of --mine, --theirs, --both and --edit.")
      }
    }

    func run(in session: CommandSession) async throws(ControlFailure) -> ExitStatus {
      guard !edit else { return try await runEditor(session) }
      let id = try await ContactFinder(session: session).findConflict(conflict)
      let keep = mine ? "mine" : theirs ? "theirs" : "both"
      let reply = try await session.agent.send(
        .post, .conflict(id), body: ResolutionForm(keep: keep))
      if session.printer.style == .json { session.printer.json(reply.bytes) }
      return .done
    }

    private func runEditor(_ session: CommandSession) async throws(ControlFailure) -> ExitStatus {
      guard !global.noInput else {
        throw .usage("--edit opens an editor and cannot be combined with --no-input.")
      }
      let id = try await ContactFinder(session: session).findConflict(conflict)
      let conflict = try await session.agent.get(.conflict(id)).decoded(
        as: SingleView<ConflictItem>.self
      ).item
      guard let reply = try await ConflictEditor(session: session, conflict: conflict).run() else {
        session.printer.remark("Nothing was changed.")
        return .done
      }
      if session.printer.style == .json { session.printer.json(reply.bytes) }
      return .done
    }
  }
}
