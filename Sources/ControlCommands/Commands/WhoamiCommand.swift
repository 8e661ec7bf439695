// The account and the device of the agent, by name and, once the broker has assigned them, by id. The
// account's display name and the device's name can be changed; the account's own name is assigned by the
// broker.

import AgentAPI
import ArgumentParser

/// `whoami`: show or change the account and the device.
struct WhoamiCommand: ControlCommand {
  static let configuration = CommandConfiguration(
    commandName: "whoami", abstract: "Show this device's account and name.",
    discussion: """
      --set-name changes the name that other accounts see, and needs the broker. --set-device \
      changes the device's name in the history on all devices. The name that contactsd was started \
      with stays the same, and so do the paths of its socket and files.
      """)

  @Option(help: ArgumentHelp("The name that other accounts see.", valueName: "name"))
  var setName: String?
  @Option(
    help: ArgumentHelp(
      "The name of this device; empty restores the original name.", valueName: "name"))
  var setDevice: String?
  @OptionGroup var global: GlobalFlags

  func run(in session: CommandSession) async throws(ControlFailure) -> ExitStatus {
    let reply =
      if setName != nil || setDevice != nil {
        try await session.agent.send(.patch, .whoami, body: form)
      } else {
        try await session.agent.get(.whoami)
      }
    guard session.printer.style != .json else {
      session.printer.json(reply.bytes)
      return .done
    }
    let who = try reply.decoded(as: WhoamiView.self)
    await session.printer.rows([
      ["account", who.account.name, who.account.id ?? ""],
      ["name", who.account.displayName ?? who.account.name],
      ["device", who.device.name, who.device.id ?? ""],
    ])
    return .done
  }

  private var form: WhoamiForm {
    WhoamiForm(
      device: setDevice.map { WhoamiForm.Device(name: $0) },
      account: setName.map { WhoamiForm.Account(displayName: $0) })
  }
}
