// Joining a group of another account by a link, and leaving it. Nothing is transferred to this device before
// the user has seen whose group it is and has agreed. The desktop entry starts `accept --hold` in a terminal when
// the user clicks a link; links of both schemes are passed to it.

import AgentAPI
import ArgumentParser
import Pairing
import Records

/// `accept`: preview a link and join the group.
struct AcceptCommand: ControlCommand {
  static let configuration = CommandConfiguration(
    commandName: "accept", abstract: "Preview a share link and join the group.",
    discussion: """
      Shows the group's owner, your permission and the number of contacts, then asks. If a link no \
      longer works, ask its owner for access with --request.
      """)

  @Argument(help: "The share link.") var link: String
  @Flag(help: "Show the preview without joining.") var preview = false
  @Flag(help: "Join without asking for confirmation.") var yes = false
  @Flag(help: "Ask the owner for access with a link that no longer works.")
  var request = false
  @Flag(help: "Wait for Enter before ending, so that a new terminal window stays open.")
  var hold = false
  @OptionGroup var global: GlobalFlags

  func validate() throws {
    if [preview, yes, request].filter(\.self).count > 1 {
      throw ValidationError("Use only one of --preview, --yes and --request.")
    }
  }

  func run(in session: CommandSession) async throws(ControlFailure) -> ExitStatus {
    let printer = session.printer
    try Self.requireShareLink(link)
    let form = FollowedLinkForm(link: link)
    if request {
      _ = try await session.agent.send(.post, .shareRequest, body: form)
      printer.remark("Access requested. The owner can approve or deny it.")
      return .done
    }
    var isJoined = false
    if !yes {
      let reply = try await session.agent.send(.post, .sharePreview, body: form)
      let found = try reply.decoded(as: PreviewView.self)
      if preview {
        await show(found, reply, printer)
        return .done
      }
      isJoined = found.accepted
      if !isJoined { try confirm(found, printer) }
    }
    let reply = try await session.agent.send(.post, .shareAcceptance, body: form)
    guard printer.style != .json else {
      printer.json(reply.bytes)
      return .done
    }
    let joined = try reply.decoded(as: PreviewView.self)
    if printer.style == .terminal || hold {
      let already = isJoined ? " already" : ""
      printer.remark("You have joined the group “\(joined.title)”\(already).")
    }
    if printer.style != .terminal { printer.row([joined.id]) }
    return .done
  }

  /// Rejects a device's invitation. Signing in replaces the device's account, which a click must never do.
  /// - Throws: `invalidArguments`.
  static func requireShareLink(_ link: String) throws(ControlFailure) {
    guard DeviceInvitation.isLikely(link) else { return }
    throw .error(
      .invalidArguments,
      "This is an invitation for a device, not for a group; nothing was changed.",
      hint: "If you asked for it, sign this device in: contactsctl signin INVITATION")
  }

  private func show(_ found: PreviewView, _ reply: AgentReply, _ printer: Printer) async {
    guard printer.style != .json else { return printer.json(reply.bytes) }
    await printer.rows([
      ["group", found.title], ["owner", found.ownerDisplayName],
      ["permission", SharePermissionWord.shown(found.permission)],
      ["contacts", String(found.contacts)], ["joined", found.accepted ? "yes" : "no"],
    ])
  }

  private func confirm(_ found: PreviewView, _ printer: Printer) throws(ControlFailure) {
    guard printer.mayAsk else {
      throw .usage("The link leads to \(found.sentence) Add --yes to join without a terminal.")
    }
    let answer = printer.ask("\(found.sentence) Join? [y/N]")
    guard answer?.lowercased().hasPrefix("y") == true else {
      throw .error(.operationCancelled, "The invitation was not accepted; nothing changed.")
    }
  }
}

/// `decline`: decline an invitation.
struct DeclineCommand: ControlCommand {
  static let configuration = CommandConfiguration(
    commandName: "decline", abstract: "Decline an invitation.",
    discussion: """
      The account that invited you sees that you declined and can invite you again. A link for \
      anyone needs no answer.
      """)

  @Argument(help: "The link of the invitation.") var link: String
  @OptionGroup var global: GlobalFlags

  private struct Done: Encodable, Sendable {
    let schema = 1
    let declined = true

    enum CodingKeys: CodingKey { case schema, declined }
  }

  func run(in session: CommandSession) async throws(ControlFailure) -> ExitStatus {
    _ = try await session.agent.send(.post, .shareRefusal, body: FollowedLinkForm(link: link))
    if session.printer.style == .json {
      session.printer.json(try JSONText.encoded(Done()))
    } else {
      session.printer.remark(
        "You declined the invitation. The account that invited you can see that.")
    }
    return .done
  }
}

/// `leave`: leave a shared group.
struct LeaveCommand: ControlCommand {
  static let configuration = CommandConfiguration(
    commandName: "leave", abstract: "Leave a shared group and remove it from your devices.")

  @Argument(help: "The group, by id or title.", completion: CompletionSource.groups)
  var group: String
  @OptionGroup var confirmation: ConfirmationFlags
  @OptionGroup var global: GlobalFlags

  func run(in session: CommandSession) async throws(ControlFailure) -> ExitStatus {
    try confirmation.confirm(
      "The group “\(group)” will be removed from all your devices. "
        + "To join again, you have to ask its owner.",
      "Leave it?", on: session.printer)
    _ = try await session.agent.send(.post, .leave(group: group))
    if session.printer.style == .json {
      session.printer.json(try JSONText.encoded(ChangedGroup(group: group, shared: false)))
    }
    return .done
  }
}
