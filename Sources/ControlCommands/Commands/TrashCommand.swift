// The trash: contacts, and groups with their contacts, that were deleted on any device in the last 30 days.

import AgentAPI
import ArgumentParser

/// `trash`: deleted contacts and groups.
struct TrashCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "trash",
    abstract: "List, restore or erase contacts and groups deleted in the last 30 days.",
    subcommands: [List.self, Restore.self, Empty.self], defaultSubcommand: List.self)

  /// `trash list`.
  struct List: ControlCommand {
    static let configuration = CommandConfiguration(
      commandName: "list", abstract: "List deleted contacts: id, name, time, account, device.",
      discussion: """
        A group that was deleted with its contacts comes first, in one line: its id, its title with the number \
        of its contacts, and the time.
        """,
      aliases: ["ls"])

    @OptionGroup var global: GlobalFlags

    func run(in session: CommandSession) async throws(ControlFailure) -> ExitStatus {
      let trash = try await TrashPages.all(session.agent)
      if session.printer.style == .json {
        session.printer.json(try JSONText.joined(trash.pages.map(\.bytes), list: TrashView.listKey))
      } else {
        await session.printer.list(
          trash.groups.map { [$0.id, $0.shown, "\($0.deleted)", "", ""] }
            + trash.items.map {
              [$0.id, $0.name, "\($0.deleted)", $0.by.shown, $0.by.shownDevice]
            })
      }
      return .done
    }
  }

  /// `trash restore`.
  struct Restore: ControlCommand {
    static let configuration = CommandConfiguration(
      commandName: "restore", abstract: "Restore contacts and groups from the trash.",
      discussion: """
        A group comes back with its contacts, their photos and their history. It is not shared any more: create a \
        new link if it was.
        """)

    @Argument(
      help: ArgumentHelp(
        "The names of the deleted contacts or groups, their ids, or beginnings of ids.",
        valueName: "id|name"),
      completion: CompletionSource.trash)
    var contacts: [String]
    @OptionGroup var global: GlobalFlags

    func run(in session: CommandSession) async throws(ControlFailure) -> ExitStatus {
      var first: ControlFailure?
      let finder = ContactFinder(session: session)
      for contact in contacts {
        do {
          switch try await finder.findRestorable(contact) {
          case .contact(let id): try await restore(contact: id, session)
          case .group(let group): try await restore(group, session)
          }
        } catch {
          // The other contacts are restored anyway. Each failure is printed; the first one determines the
          // exit code.
          guard error.exitCode != .unreachable else { throw error }
          let error = error.suggestingQuotes(around: contacts, after: "trash restore")
          if first != nil || contacts.count > 1 { session.printer.failed(error) }
          first = first ?? error
        }
      }
      guard let first else { return .done }
      guard contacts.count > 1 else { throw first }
      return first.exitCode
    }

    private func restore(
      contact id: String, _ session: CommandSession
    ) async throws(ControlFailure) {
      let reply = try await session.agent.send(.post, .restore(fromTrash: id))
      switch session.printer.style {
      case .json: session.printer.json(reply.bytes)
      case .plain, .terminal:
        if session.printer.style == .plain { session.printer.row([id]) }
        let restored = try ChangedContact(reply).shown(in: session.printer.style)
        session.printer.remark("Restored \(restored).\(reply.undoSentence)")
      }
    }

    private func restore(
      _ group: TrashView.DiscardedGroup, _ session: CommandSession
    ) async throws(ControlFailure) {
      let reply = try await session.agent.send(.post, .restoredGroup(group.id))
      switch session.printer.style {
      case .json: session.printer.json(reply.bytes)
      case .plain, .terminal:
        if session.printer.style == .plain { session.printer.row([group.id]) }
        session.printer.remark(
          "Restored \(group.shown). If it was shared, share it again: the former link has ended.")
      }
    }
  }

  /// `trash empty`.
  struct Empty: ControlCommand {
    static let configuration = CommandConfiguration(
      commandName: "empty",
      abstract: "Permanently erase the trash on all devices and on the broker.",
      discussion: "Only the owner of a shared group can empty its trash.")

    @Option(
      help: "Only contacts of this group, by id or title.", completion: CompletionSource.groups)
    var group: String?
    @OptionGroup var confirmation: ConfirmationFlags
    @OptionGroup var global: GlobalFlags

    func run(in session: CommandSession) async throws(ControlFailure) -> ExitStatus {
      let what =
        group.map { "Deleted contacts of the group “\($0)”" } ?? "All deleted contacts and groups"
      try confirmation.confirm(
        "\(what) will be erased on all devices and on the broker. They cannot be restored.",
        "Erase them?", on: session.printer)
      let reply = try await session.agent.send(
        .delete, .trash, query: group.map { [(AgentQuery.group, $0)] } ?? [])
      if session.printer.style == .json {
        session.printer.json(reply.bytes)
      } else {
        let count = try reply.decoded(as: ErasedView.self).erased
        session.printer.remark(
          "Erased \(Quantity.text(count, "contact")) permanently.")
      }
      return .done
    }
  }
}

/// The pages of the trash.
enum TrashPages {
  /// Returns all pages as the agent wrote them, and what they list.
  static func all(
    _ agent: AgentClient
  ) async throws(ControlFailure) -> (
    pages: [AgentReply], groups: [TrashView.DiscardedGroup], items: [TrashView.Discarded]
  ) {
    var pages: [AgentReply] = []
    var groups: [TrashView.DiscardedGroup] = []
    var items: [TrashView.Discarded] = []
    var cursor: String?
    repeat {
      let reply = try await agent.get(
        .trash, query: cursor.map { [(AgentQuery.cursor, $0)] } ?? [])
      let page = try reply.decoded(as: TrashView.self)
      pages.append(reply)
      groups += page.groups
      items += page.trash
      cursor = page.next
    } while cursor != nil
    return (pages, groups, items)
  }
}

extension TrashView.DiscardedGroup {
  /// The group and the number of its contacts, in one phrase.
  fileprivate var shown: String {
    contacts == 0
      ? "the group “\(title)”, whose contacts were deleted before"
      : "the group “\(title)” with \(Quantity.text(contacts, "contact"))"
  }
}
