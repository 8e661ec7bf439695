// Who the agent works for: the account and the device, by name and, once a broker gave them, by
// id. The device's name can be chosen; the account's is the broker's to give.

import ArgumentParser

/// `whoami`: the account and the device.
struct WhoamiVerb: Verb {
  static let configuration = CommandConfiguration(
    commandName: "whoami", abstract: "Show the account and the device the agent works for.",
    discussion: """
      A name chosen here is what changes of this device are signed with, on all devices, whatever \
      contactsd was started with. Its socket and its files keep their places.
      """)

  @Option(
    help: ArgumentHelp(
      "Call this device so from now on; empty takes that back.", valueName: "name"))
  var setName: String?
  @OptionGroup var global: GlobalFlags

  func run(in session: Session) async throws(ControlFailure) -> ExitStatus {
    let reply =
      if let setName {
        try await session.agent.send(
          .patch, ["whoami"],
          body: FormValue.object(["device": .object(["name": .text(setName)])]))
      } else {
        try await session.agent.get(["whoami"])
      }
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
