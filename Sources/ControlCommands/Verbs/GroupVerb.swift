// The groups contacts are in. A group may be named by its id or its title; the agent tells which.

import ArgumentParser

/// `group`: the groups contacts are in.
struct GroupVerb: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "group", abstract: "List, add, rename and delete groups.",
    subcommands: [List.self, Add.self, Rename.self, Remove.self])

  /// `group list`.
  struct List: Verb {
    static let configuration = CommandConfiguration(
      commandName: "list", abstract: "List the groups: id, title, role.")

    @OptionGroup var global: GlobalFlags

    func run(in session: Session) async throws(ControlFailure) -> ExitStatus {
      let reply = try await session.agent.get(["groups"])
      if session.printer.style == .json {
        session.printer.json(reply.bytes)
      } else {
        let groups = try reply.decoded(as: GroupsView.self).groups
        session.printer.rows(groups.map { [$0.id, $0.title, $0.role] })
      }
      return .done
    }
  }

  /// `group add`.
  struct Add: Verb {
    static let configuration = CommandConfiguration(
      commandName: "add", abstract: "Add a group and print its id.")

    @Argument(help: "The group's title.") var title: String
    @OptionGroup var global: GlobalFlags

    func run(in session: Session) async throws(ControlFailure) -> ExitStatus {
      let reply = try await session.agent.send(.post, ["groups"], body: GroupForm(title: title))
      if session.printer.style == .json {
        session.printer.json(reply.bytes)
      } else {
        session.printer.row([try reply.decoded(as: GroupView.self).id])
      }
      return .done
    }
  }

  /// `group rename`.
  struct Rename: Verb {
    static let configuration = CommandConfiguration(
      commandName: "rename", abstract: "Give a group another title.")

    @Argument(help: "The group, by id or title.") var group: String
    @Argument(help: "The new title.") var title: String
    @OptionGroup var global: GlobalFlags

    func run(in session: Session) async throws(ControlFailure) -> ExitStatus {
      let reply = try await session.agent.send(
        .patch, ["groups", group], body: GroupForm(title: title))
      if session.printer.style == .json { session.printer.json(reply.bytes) }
      return .done
    }
  }

  /// `group rm`.
  struct Remove: Verb {
    static let configuration = CommandConfiguration(
      commandName: "rm", abstract: "Delete a group with the contacts in it.")

    @Argument(help: "The group, by id or title.") var group: String
    @OptionGroup var global: GlobalFlags

    func run(in session: Session) async throws(ControlFailure) -> ExitStatus {
      let reply = try await session.agent.send(
        .delete, ["groups", group], query: [("acknowledged", "true")])
      if session.printer.style == .json { session.printer.json(reply.bytes) }
      if let action = reply.action {
        session.printer.remark(
          "Deleted the group and its contacts. Undo: contactsctl undo \(action)")
      }
      return .done
    }
  }
}
