// Groups of contacts. A group is named by its id or its title; the agent resolves it.

import AgentAPI
import ArgumentParser
import Records

/// `group`: groups of contacts.
struct GroupCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "group", abstract: "List, add, rename and delete groups.",
    subcommands: [List.self, Add.self, Rename.self, Remove.self], defaultSubcommand: List.self)

  /// `group list`.
  struct List: ControlCommand {
    static let configuration = CommandConfiguration(
      commandName: "list", abstract: "List the groups: id, title, role, permission, owner.",
      discussion: "Lists your own groups first, then groups that other accounts share with you.",
      aliases: ["ls"])

    @OptionGroup var global: GlobalFlags

    func run(in session: CommandSession) async throws(ControlFailure) -> ExitStatus {
      let reply = try await session.agent.get(.groups)
      if session.printer.style == .json {
        session.printer.json(reply.bytes)
      } else {
        let groups = try reply.decoded(as: GroupsView.self).groups
        await show(groups, session.printer)
      }
      return .done
    }

    private func show(_ groups: [GroupItem], _ printer: Printer) async {
      guard printer.style == .terminal else {
        return await printer.rows(
          groups.map {
            [
              $0.id, $0.title, $0.role, $0.writable ? "write" : "read",
              $0.ownerShown, $0.shared == true ? "shared" : "",
            ]
          })
      }
      await printer.list(
        groups.map { group in
          let sharing =
            group.role != "owner"
            ? "of \(group.ownerShown)" : group.shared == true ? "shared" : ""
          return [
            group.id, group.heading(among: groups), group.role, group.writable ? "write" : "read",
            sharing,
          ]
        })
    }
  }

  /// `group add`.
  struct Add: ControlCommand {
    static let configuration = CommandConfiguration(
      commandName: "add", abstract: "Add a group and print its id.", aliases: ["new"])

    @Argument(help: "The group's title.") var title: String
    @OptionGroup var global: GlobalFlags

    func run(in session: CommandSession) async throws(ControlFailure) -> ExitStatus {
      let reply = try await session.agent.send(.post, .groups, body: GroupForm(title: title))
      if session.printer.style == .json {
        session.printer.json(reply.bytes)
      } else {
        session.printer.row([try reply.decoded(as: IdentifiedView.self).id])
      }
      return .done
    }
  }

  /// `group rename`.
  struct Rename: ControlCommand {
    static let configuration = CommandConfiguration(
      commandName: "rename", abstract: "Rename a group.")

    @Argument(help: "The group, by id or title.", completion: CompletionSource.groups)
    var group: String
    @Argument(help: "The new title.") var title: String
    @OptionGroup var global: GlobalFlags

    func run(in session: CommandSession) async throws(ControlFailure) -> ExitStatus {
      let reply = try await session.agent.send(
        .patch, .group(group), body: GroupForm(title: title))
      if session.printer.style == .json { session.printer.json(reply.bytes) }
      return .done
    }
  }

  /// `group rm`.
  struct Remove: ControlCommand {
    static let configuration = CommandConfiguration(
      commandName: "rm", abstract: "Delete a group. Its contacts are kept by default.",
      discussion: """
        The contacts move to the account's default group. On a terminal you are asked first.
        """, aliases: ["delete", "remove"])

    @Argument(help: "The group, by id or title.", completion: CompletionSource.groups)
    var group: String
    @Flag(help: "Also delete the group's contacts.") var withContacts = false
    @Flag(help: "Keep the group's contacts without asking.") var keepContacts = false
    @OptionGroup var global: GlobalFlags

    private struct Deleted: Encodable, Sendable {
      let schema = 1
      let deleted: String
      let keptContacts: Int
      let action: Int64?

      enum CodingKeys: CodingKey { case schema, deleted, keptContacts, action }
    }

    func validate() throws {
      if withContacts && keepContacts {
        throw ValidationError("Use either --with-contacts or --keep-contacts, not both.")
      }
    }

    func run(in session: CommandSession) async throws(ControlFailure) -> ExitStatus {
      let groups = try await session.agent.get(.groups).decoded(as: GroupsView.self).groups
      let known = Self.matches(group, among: groups)
      let count = known.count == 1 ? known[0].contacts ?? 0 : 0
      // Contacts that arrive in the meantime are kept, unless the user chose to delete them.
      let isKept = count > 0 ? !deletesContacts(count, session.printer) : !withContacts
      let reply = try await session.agent.send(
        .delete, .group(group),
        query: [
          (AgentQuery.acknowledged, "true"),
          (AgentQuery.contacts, isKept ? "keep" : "delete"),
        ])
      if session.printer.style == .json {
        let deleted = Deleted(
          deleted: known.first?.id ?? group, keptContacts: isKept ? count : 0,
          action: reply.action.flatMap { Int64($0) })
        session.printer.json(try JSONText.encoded(deleted))
      } else if let action = reply.action {
        let contacts = Quantity.text(count, "contact")
        let what =
          count == 0
          ? "the group"
          : isKept
            ? "the group; its \(contacts) moved to the group Contacts"
            : "the group and its \(contacts)"
        session.printer.remark("Deleted \(what). Undo: contactsctl undo \(action)")
      }
      return .done
    }

    /// Returns the groups that the agent finds for `text`, in its order: by id, title, beginning of an id.
    private static func matches(_ text: String, among groups: [GroupItem]) -> [GroupItem] {
      let named = groups.filter { $0.id == text }
      if !named.isEmpty { return named }
      let titled = groups.filter { $0.title == text }
      guard titled.isEmpty, text.count >= Limits.idBeginningCharactersMinimum else { return titled }
      return groups.filter { $0.id.hasPrefix(text) }
    }

    private func deletesContacts(_ count: Int, _ printer: Printer) -> Bool {
      if withContacts || keepContacts { return withContacts }
      let contacts = Quantity.text(count, "contact")
      let answer = printer.ask("The group contains \(contacts). Delete them too? [y/N]")
      return answer?.lowercased().hasPrefix("y") ?? false
    }
  }
}
