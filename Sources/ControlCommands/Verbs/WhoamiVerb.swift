// Who the agent works for: the account and the device, by name and, once a broker gave them, by
// id.

import ArgumentParser

/// `whoami`: the account and the device.
struct WhoamiVerb: Verb {
  static let configuration = CommandConfiguration(
    commandName: "whoami", abstract: "Show the account and the device the agent works for.")

  @OptionGroup var global: GlobalFlags

  func run(in session: Session) async throws(ControlFailure) -> ExitStatus {
    let reply = try await session.agent.get(["whoami"])
    guard session.printer.style != .json else {
      session.printer.json(reply.bytes)
      return .done
    }
    let who = try reply.decoded(as: WhoamiView.self)
    session.printer.rows([
      ["account", who.account.name, who.account.id ?? ""],
      ["device", who.device.name, who.device.id ?? ""],
    ])
    return .done
  }
}
