// The trash: contacts that were deleted, on any device, in the last 30 days.

import AgentAPI
import ArgumentParser

/// `trash`: deleted contacts.
struct TrashCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "trash", abstract: "List, restore or erase contacts deleted in the last 30 days.",
    subcommands: [List.self, Restore.self, Empty.self], defaultSubcommand: List.self)

  /// `trash list`.
  struct List: ControlCommand {
    static let configuration = CommandConfiguration(
      commandName: "list", abstract: "List deleted contacts: id, name, time, account, device.",
      aliases: ["ls"])

    @OptionGroup var global: GlobalFlags

    func run(in session: CommandSession) async throws(ControlFailure) -> ExitStatus {
      let (pages, items) = try await TrashPages.all(session.agent)
      if session.printer.style == .json {
        session.printer.json(try JSONText.joined(pages.map(\.bytes), list: TrashView.listKey))
      } else {
        await session.printer.list(
          items.map { [$0.id, $0.name, "\($0.deleted)", $0.by.shown, $0.by.shownDevice] })
      }
      return .done
    }
  }

  /// `trash restore`.
  struct Restore: ControlCommand {
    static let configuration = CommandConfiguration(
      commandName: "restore", abstract: "Restore contacts from the trash.")

    @Argument(
      help: ArgumentHelp(
        "The deleted contacts' names, ids, or beginnings of ids.", valueName: "id|name"),
      completion: CompletionSource.trash)
    var contacts: [String]
    @OptionGroup var global: GlobalFlags

    func run(in session: CommandSession) async throws(ControlFailure) -> ExitStatus {
      var first: ControlFailure?
      let finder = ContactFinder(session: session)
      for contact in contacts {
        do {
          let id = try await finder.findDiscarded(contact)
          let reply = try await session.agent.send(.post, .restore(fromTrash: id))
          switch session.printer.style {
          case .json: session.printer.json(reply.bytes)
          case .plain, .terminal:
            if session.printer.style == .plain { session.printer.row([id]) }
            let restored = try ChangedContact(reply).shown(in: session.printer.style)
            session.printer.remark("Restored \(restored).\(reply.undoSentence)")
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
      let what = group.map { "Deleted contacts of the group “\($0)”" } ?? "All deleted contacts"
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
  /// Returns all pages as the agent wrote them, and their contacts.
  static func all(
    _ agent: AgentClient
  ) async throws(ControlFailure) -> (pages: [AgentReply], items: [TrashView.Discarded]) {
    var pages: [AgentReply] = []
    var items: [TrashView.Discarded] = []
    var cursor: String?
    repeat {
      let reply = try await agent.get(
        .trash, query: cursor.map { [(AgentQuery.cursor, $0)] } ?? [])
      let page = try reply.decoded(as: TrashView.self)
      pages.append(reply)
      items += page.trash
      cursor = page.next
    } while cursor != nil
    return (pages, items)
  }
}
