// The account's devices: listing, inviting, renaming and removing them.

import AgentAPI
import ArgumentParser
import Records

/// `devices`: the account's devices.
struct DevicesCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "devices", abstract: "List your devices; invite, rename and remove devices.",
    subcommands: [List.self, Invite.self, Rename.self, Remove.self], defaultSubcommand: List.self)

  /// `devices list`.
  struct List: ControlCommand {
    static let configuration = CommandConfiguration(
      commandName: "list",
      abstract: """
        List your devices: id, name, last connected, whether it is this one, and how it is connected.
        """,
      discussion: """
        The id is the beginning of the full one, which --json shows. Other commands accept both. \
        A device that is connected has “now” instead of the time at which it connected last.
        """, aliases: ["ls"])

    @OptionGroup var global: GlobalFlags

    func run(in session: CommandSession) async throws(ControlFailure) -> ExitStatus {
      let reply = try await session.agent.get(.devices)
      if session.printer.style == .json {
        session.printer.json(reply.bytes)
      } else {
        let view = try reply.decoded(as: DevicesView.self)
        await session.printer.list(
          view.devices.map {
            [
              view.shortID(of: $0), $0.name,
              $0.connected == true ? "now" : "\($0.lastConnected)",
              $0.thisDevice ? "this device" : "", $0.connection,
            ]
          })
      }
      return .done
    }
  }

  /// `devices invite`.
  struct Invite: ControlCommand {
    static let configuration = CommandConfiguration(
      commandName: "invite", abstract: "Create an invitation for another device of your account.",
      discussion: """
        The device joins with “contactsctl signin INVITATION”, within ten minutes. An invitation \
        works once. Anyone who has it can join, so pass it on privately.

        On a terminal, the command waits until a device has joined or the invitation has expired, and \
        says how to remove the device. If you end it, the invitation can still be used.
        """)

    @OptionGroup var global: GlobalFlags

    func run(in session: CommandSession) async throws(ControlFailure) -> ExitStatus {
      let printer = session.printer
      let watch = printer.style == .terminal ? try await InvitationWatch(session.agent) : nil
      let reply = try await session.agent.send(.post, .deviceInvitation)
      if printer.style == .json {
        printer.json(reply.bytes)
        return .done
      }
      let invitation = try reply.decoded(as: InvitationView.self)
      printer.text(invitation.link)
      guard let watch else { return .done }
      show(invitation, printer)
      guard !printer.isQuiet else { return .done }
      printer.remark("Waiting for the device. To stop waiting: Ctrl-C. The invitation stays valid.")
      printer.remark(await watch.outcome(within: .seconds(invitation.seconds)))
      return .done
    }

    private func show(_ invitation: InvitationView, _ printer: Printer) {
      ShareLines.code(invitation.link, printer)
      let address = invitation.link.split(separator: "@").last.map(String.init) ?? ""
      printer.remark(
        """
        Run on the other device, within ten minutes: contactsctl signin \(invitation.link)
        To type it instead: contactsctl signin \(invitation.code) --address \(address)
        """)
    }
  }

  /// `devices rename`.
  struct Rename: ControlCommand {
    static let configuration = CommandConfiguration(
      commandName: "rename", abstract: "Give a device another name.",
      discussion: """
        The name of another device changes on the broker, which tells all devices. --device of \
        contactsctl and contactsd keeps the name that contactsd was started with: it selects the \
        directory and the socket of the device.
        """)

    @Argument(help: "The device: its id, the beginning of its id, or its name.") var device: String
    @Argument(help: "The new name.") var name: String
    @OptionGroup var global: GlobalFlags

    func run(in session: CommandSession) async throws(ControlFailure) -> ExitStatus {
      let found = try await DevicesView.device(device, in: session)
      _ = try await session.agent.send(.patch, .device(found.id), body: DeviceForm(name: name))
      return .done
    }
  }

  /// `devices rm`.
  struct Remove: ControlCommand {
    static let configuration = CommandConfiguration(
      commandName: "rm", abstract: "Remove a device from your account.",
      discussion: """
        For a device that is lost, or that you give away. It is disconnected at once and can never sign \
        in again. When it next reaches the broker, it deletes the account's data, with edits that it \
        has not sent.
        """, aliases: ["delete", "remove"])

    @Argument(help: "The device: its id, the beginning of its id, or its name.") var device: String
    @OptionGroup var confirmation: ConfirmationFlags
    @OptionGroup var global: GlobalFlags

    func run(in session: CommandSession) async throws(ControlFailure) -> ExitStatus {
      let found = try await DevicesView.device(device, in: session)
      if !found.thisDevice {
        try confirmation.confirm(
          "“\(found.name)” loses the account's data and the edits that it has not sent.",
          "Remove it?", on: session.printer)
      }
      _ = try await session.agent.send(.delete, .device(found.id))
      return .done
    }
  }
}

extension DevicesView {
  /// Finds the device that the text names.
  /// - Throws: `unknownItem`, or `invalidArguments` if there are several.
  fileprivate static func device(
    _ text: String, in session: CommandSession
  ) async throws(ControlFailure) -> Device {
    let found = try await session.agent.get(.devices).decoded(as: DevicesView.self)
      .devices(named: text)
    switch found.count {
    case 1: return found[0]
    case 0:
      throw .error(
        .unknownItem, "You have no device “\(text)”.", hint: "See: contactsctl devices")
    default:
      throw .error(
        .invalidArguments, "There are \(found.count) devices “\(text)”.",
        hint: "Give the beginning of the id: contactsctl devices")
    }
  }
}
