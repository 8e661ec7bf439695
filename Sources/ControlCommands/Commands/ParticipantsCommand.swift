// The participants of a share. The group is the first argument and the change the last, because users list
// participants before they change one.

import AgentAPI
import ArgumentParser
import Records

/// `participants`: show or change the participants of a group.
struct ParticipantsCommand: ControlCommand {
  /// The change to a participant.
  enum Deed: String, ExpressibleByArgument, Sendable, CaseIterable { case set, remove }

  static let configuration = CommandConfiguration(
    commandName: "participants",
    abstract: """
      List a group's participants: name, role, permission, state, whether up to date.
      """,
    discussion: """
      “participants GROUP set NAME --read|--write|--admin” changes a participant's permission; \
      “participants GROUP remove NAME” removes the participant. The last column says whether a \
      connected device of the participant is up to date; it is empty if none is connected.
      """)

  @Argument(help: "The group, by id or title.", completion: CompletionSource.groups)
  var group: String
  @Argument(help: "set or remove.") var deed: Deed?
  @Argument(
    help: "The participant's account name or display name.",
    completion: CompletionSource.participants)
  var name: String?
  @OptionGroup var right: RightFlags
  @Flag(help: "Read, write, and manage participants.") var admin = false
  @OptionGroup var global: GlobalFlags

  func validate() throws {
    guard deed == nil || name != nil else {
      throw ValidationError("Give the participant's account name.")
    }
    let said = [right.read, right.write, admin].filter(\.self).count
    switch deed {
    case .set where said != 1: throw ValidationError("Use one of --read, --write and --admin.")
    case nil where said > 0, .remove where said > 0:
      throw ValidationError("--read, --write and --admin can only be used with “set NAME”.")
    default: return
    }
  }

  func run(in session: CommandSession) async throws(ControlFailure) -> ExitStatus {
    let reply: AgentReply
    switch (deed, name) {
    case (.set, let name?):
      let account = try await account(of: name, session)
      reply = try await session.agent.send(
        .patch, .participant(account, ofGroup: group),
        body: ParticipantForm(
          permission: admin ? SharedRight.write.word : right.word, administrator: admin))
    case (.remove, let name?):
      let account = try await account(of: name, session)
      reply = try await session.agent.send(.delete, .participant(account, ofGroup: group))
    default: reply = try await session.agent.get(.participants(ofGroup: group))
    }
    guard session.printer.style != .json else {
      session.printer.json(reply.bytes)
      return .done
    }
    // The response to a change is the share, which contains the same list.
    let list = try reply.decoded(as: ParticipantsView.self).participants
    let style = session.printer.style
    if deed == nil { await session.printer.rows(list.map { $0.row(in: style) }) }
    return .done
  }

  private func account(
    of name: String, _ session: CommandSession
  ) async throws(ControlFailure) -> String {
    let reply = try await session.agent.get(.participants(ofGroup: group))
    let people = try reply.decoded(as: ParticipantsView.self).participants
    return try PersonName.account(
      named: name, among: people.map { ($0.name, $0.displayName) })
  }
}

/// `invite`: invite an account by name.
struct ParticipantInviteCommand: ControlCommand {
  static let configuration = CommandConfiguration(
    commandName: "invite", abstract: "Invite an account to a shared group.",
    discussion: """
      The account then joins with the group's link. Without --read or --write it gets the \
      permission that the group was shared with; an account that already takes part keeps its \
      permission.
      """)

  @Argument(help: "The group, by id or title.", completion: CompletionSource.groups)
  var group: String
  @Argument(help: "The account's name.") var name: String
  @OptionGroup var right: RightFlags
  @OptionGroup var global: GlobalFlags

  func run(in session: CommandSession) async throws(ControlFailure) -> ExitStatus {
    let reply = try await session.agent.send(
      .post, .participants(ofGroup: group),
      body: ParticipantInvitationForm(name: name, permission: right.word))
    guard session.printer.style != .json else {
      session.printer.json(reply.bytes)
      return .done
    }
    let share = try reply.decoded(as: ShareView.self)
    if let link = share.link { session.printer.row([link]) }
    session.printer.remark(share.outcome(ofInviting: name, as: right.word))
    return .done
  }
}
