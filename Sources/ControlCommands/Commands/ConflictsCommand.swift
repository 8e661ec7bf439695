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
      discussion: """
        On a terminal, each conflict shows both values with the devices that set them, and which \
        one the contact has.
        """,
      aliases: ["ls"])

    @OptionGroup var global: GlobalFlags

    func run(in session: CommandSession) async throws(ControlFailure) -> ExitStatus {
      let reply = try await session.agent.get(.conflicts)
      if session.printer.style == .json {
        session.printer.json(reply.bytes)
      } else {
        let conflicts = try reply.decoded(as: ConflictsView.self).conflicts
        guard session.printer.style != .terminal else {
          let columns = session.printer.terminal.columns
          let short = ShortIDs(conflicts.map(\.id))
          await session.printer.page(
            conflicts.flatMap { $0.lines(columns: columns, shortID: short[$0.id]) })
          return .done
        }
        await session.printer.rows(
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
      help: ArgumentHelp("The conflict's id, or the contact's name.", valueName: "id|name"),
      completion: CompletionSource.conflicts)
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
      let subject = [
        ["id", conflict.id], ["contact", conflict.name, conflict.contact],
        ["field", session.printer.style == .terminal ? conflict.fieldInWords : conflict.field],
      ]
      guard session.printer.style != .terminal else {
        let authors = conflict.authors.map { [["set by", $0]] } ?? []
        await session.printer.sentences(subject + [["values", conflict.sentence()]] + authors)
        return .done
      }
      await session.printer.rows(
        subject + [
          Self.row("mine", conflict.mine, conflict.mineBy, of: conflict),
          Self.row("theirs", conflict.theirs, conflict.theirsBy, of: conflict),
        ])
      return .done
    }

    /// Returns one of the two values, where it was set, and whether the contact shows it.
    private static func row(
      _ name: String, _ value: String, _ author: AuthorView, of conflict: ConflictItem
    ) -> [String] {
      let isShown = conflict.shown == name
      let row = [isShown ? "\(name) (shown)" : name, value]
      guard !author.device.isEmpty else { return row }
      return row + ["set on \(author.shownDevice) by \(author.shown)"]
    }
  }

  /// `conflicts resolve`.
  struct Resolve: ControlCommand {
    static let configuration = CommandConfiguration(
      commandName: "resolve", abstract: "Choose the value to keep.")

    @Argument(
      help: ArgumentHelp("The conflict's id, or the contact's name.", valueName: "id|name"),
      completion: CompletionSource.conflicts)
    var conflict: String
    @Option(
      help: ArgumentHelp(
        "Keep the value from the device with this name, or both values.", valueName: "device|both"),
      completion: CompletionSource.conflictDevices)
    var keep: String?
    @Flag(help: "Keep the value from this device.") var mine = false
    @Flag(help: "Keep the value from the other device.") var theirs = false
    @Flag(help: "Keep both values, if the field can hold two.") var both = false
    @Flag(help: "Edit the value in your editor, which shows both.") var edit = false
    @OptionGroup var global: GlobalFlags

    func validate() throws {
      guard [keep != nil, mine, theirs, both, edit].count(where: { $0 }) == 1 else {
        throw ValidationError("Use one of --keep, --mine, --theirs, --both and --edit.")
      }
    }

    func run(in session: CommandSession) async throws(ControlFailure) -> ExitStatus {
      guard !edit else { return try await runEditor(session) }
      let id = try await ContactFinder(session: session).findConflict(conflict)
      let choice = try await choice(for: id, in: session)
      let reply = try await session.agent.send(
        .post, .conflict(id), body: ResolutionForm(keep: choice))
      report(reply, of: try reply.decoded(as: ResolvedView.self).conflict, session.printer)
      return .done
    }

    private func report(_ reply: AgentReply, of conflict: ConflictItem, _ printer: Printer) {
      guard printer.style != .json else { return printer.json(reply.bytes) }
      printer.remark(
        "Resolved the conflict of “\(conflict.name)” (\(conflict.fieldInWords)).")
    }

    private func choice(
      for id: String, in session: CommandSession
    ) async throws(ControlFailure) -> String {
      guard let keep else { return mine ? "mine" : theirs ? "theirs" : "both" }
      return try await item(id, in: session).choice(for: keep)
    }

    private func item(
      _ id: String, in session: CommandSession
    ) async throws(ControlFailure) -> ConflictItem {
      try await session.agent.get(.conflict(id)).decoded(as: SingleView<ConflictItem>.self).item
    }

    private func runEditor(_ session: CommandSession) async throws(ControlFailure) -> ExitStatus {
      guard !global.noInput else {
        throw .usage("--edit opens an editor and cannot be combined with --no-input.")
      }
      let id = try await ContactFinder(session: session).findConflict(conflict)
      let conflict = try await item(id, in: session)
      guard let reply = try await ConflictEditor(session: session, conflict: conflict).run() else {
        session.printer.remark("Nothing was changed.")
        return .done
      }
      report(reply, of: conflict, session.printer)
      return .done
    }
  }
}
