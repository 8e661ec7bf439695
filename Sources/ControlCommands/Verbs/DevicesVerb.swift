// The account's devices, by the names that changes are shown with, and invitations for further ones.

import ArgumentParser

/// `devices`: the account's devices.
struct DevicesVerb: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "devices", abstract: "List your devices, and invite others.",
    subcommands: [List.self, Invite.self], defaultSubcommand: List.self)

  /// `devices list`.
  struct List: Verb {
    static let configuration = CommandConfiguration(
      commandName: "list",
      abstract: "List your devices: id, name, last seen, and whether it is this one.")

    @OptionGroup var global: GlobalFlags

    func run(in session: Session) async throws(ControlFailure) -> ExitStatus {
      let reply = try await session.agent.get(["devices"])
      if session.printer.style == .json {
        session.printer.json(reply.bytes)
      } else {
        let devices = try reply.decoded(as: DevicesView.self).devices
        session.printer.rows(
          devices.map { [$0.id, $0.name, $0.lastSeen, $0.thisDevice ? "this device" : ""] })
      }
      return .done
    }
  }

  /// `devices invite`.
  struct Invite: Verb {
    static let configuration = CommandConfiguration(
      commandName: "invite", abstract: "Create an invitation for another device of your account.",
      discussion: """
        The device joins with “contactsctl signin INVITATION”, within ten minutes. An invitation \
        works once. Anyone who has it can join, so pass it on privately.
        """)

    @OptionGroup var global: GlobalFlags

    private struct Invitation: Decodable {
      let link: String
      let code: String
    }

    func run(in session: Session) async throws(ControlFailure) -> ExitStatus {
      let reply = try await session.agent.send(.post, ["devices", "invitation"])
      let printer = session.printer
      if printer.style == .json {
        printer.json(reply.bytes)
        return .done
      }
      let invitation = try reply.decoded(as: Invitation.self)
      printer.text(invitation.link)
      guard printer.style == .terminal else { return .done }
      ShareLines.code(invitation.link, printer)
      let address = invitation.link.split(separator: "@").last.map(String.init) ?? ""
      printer.remark(
        """
        Run on the other device, within ten minutes: contactsctl signin \(invitation.link)
        To type it instead: contactsctl signin \(invitation.code) --address \(address)
        """)
      return .done
    }
  }
}
