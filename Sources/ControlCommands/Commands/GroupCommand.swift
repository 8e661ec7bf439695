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
              $0.ownerDisplayName, $0.shared ? "shared" : "",
            ]
          })
      }
      await printer.list(
        groups.map { group in
          let sharing =
            group.role != "owner"
            ? "of \(group.ownerDisplayName)" : group.shared ? "shared" : ""
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
      let reply: AgentReply
      do {
        reply = try await session.agent.send(.post, .groups, body: GroupForm(title: title))
      } catch {
        guard session.printer.style == .terminal, error.reason == "taken",
          let groups = try? await session.agent.get(.groups).decoded(as: GroupsView.self).groups
        else { throw error }
        throw error.shorteningIDs(groups.map(\.id))
      }
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
        The contacts move to the account's default group. On a terminal you are asked first. \
        Deleting a shared group always needs a confirmation, because its participants lose it \
        and undo does not share it again; scripts add --yes. If another device has added or edited \
        contacts of the group that are not on this device yet, the group appears again with them.
        """, aliases: ["delete", "remove"])

    @Argument(help: "The group, by id or title.", completion: CompletionSource.groups)
    var group: String
    @Flag(help: "Also delete the group's contacts.") var withContacts = false
    @Flag(help: "Keep the group's contacts without asking.") var keepContacts = false
    @OptionGroup var confirmation: ConfirmationFlags
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
      let found = known.count == 1 ? known[0] : nil
      let isShared = await isShared(found, session)
      let count = found?.contacts ?? 0
      // Contacts that arrive in the meantime are kept, unless the user chose to delete them.
      var isKept = !withContacts
      // No question about a group that the agent will not delete.
      if let found, found.canBeDeleted {
        if isShared { try await confirmLoss(of: found, session) }
        if count > 0 { isKept = try !deletesContacts(count, session.printer) }
      }
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
        let what = Self.summary(count, isKept: isKept)
        let limit = isShared ? ", which does not share it again" : ""
        session.printer.remark("Deleted \(what). Undo: contactsctl undo \(action)\(limit)")
      }
      return .done
    }

    private static func summary(_ count: Int, isKept: Bool) -> String {
      let contacts = Quantity.text(count, "contact")
      guard count > 0 else { return "the group" }
      return isKept
        ? "the group; its \(contacts) moved to the group Contacts"
        : "the group and its \(contacts)"
    }

    /// Returns the groups that the agent finds for `text`, in its order: by id, title, beginning of an id.
    private static func matches(_ text: String, among groups: [GroupItem]) -> [GroupItem] {
      let named = groups.filter { $0.id == text }
      if !named.isEmpty { return named }
      let titled = groups.filter { $0.title == text }
      guard titled.isEmpty, text.count >= Limits.idBeginningCharactersMinimum else { return titled }
      return groups.filter { $0.id.hasPrefix(text) }
    }

    /// Whether others lose something with a group of this account: it has participants, or a link by which people can
    /// still join. Only the broker knows about links.
    private func isShared(_ found: GroupItem?, _ session: CommandSession) async -> Bool {
      guard let found, found.role == "owner" else { return false }
      if found.shared { return true }
      let reply = try? await session.agent.get(.share(ofGroup: found.id))
      return (try? reply?.decoded(as: ShareView.self))?.linkStanding == "valid"
    }

    /// Asks whether to delete a shared group. Only the broker knows its participants; without it the question
    /// has no number.
    private func confirmLoss(
      of found: GroupItem, _ session: CommandSession
    ) async throws(ControlFailure) {
      guard !confirmation.yes else { return }
      let reply = try? await session.agent.get(.participants(ofGroup: found.id))
      let people = try? reply?.decoded(as: ParticipantsView.self).participants
      let accepted = people?.count { $0.role != "owner" && $0.status == "accepted" }
      try confirmation.confirm(
        Self.loss(of: found.title, participants: accepted), "Delete it?", on: session.printer)
    }

    /// Returns the sentence about what a deletion takes from the participants of a shared group.
    /// - Parameter count: the number of participants besides the owner; `nil` if it is not known.
    static func loss(of title: String, participants count: Int?) -> String {
      switch count {
      case nil: "The group “\(title)” is shared; its participants lose it."
      case 0: "The group “\(title)” is shared; its link stops working."
      case 1: "The group “\(title)” is shared with 1 person, who loses it."
      case let count?:
        "The group “\(title)” is shared with \(Quantity.text(count)) people, who lose it."
      }
    }

    private func deletesContacts(
      _ count: Int, _ printer: Printer
    ) throws(ControlFailure) -> Bool {
      if withContacts || keepContacts || confirmation.yes || !printer.mayAsk { return withContacts }
      let answer = printer.ask(
        "The group contains \(Quantity.text(count, "contact")). "
          + "Delete them too? (y: delete, n: keep, c: cancel) [y/N/c]")
      switch answer?.lowercased() {
      case "y", "yes": return true
      case "", "n", "no": return false
      default: throw .error(.operationCancelled, "Nothing was changed.")
      }
    }
  }
}
