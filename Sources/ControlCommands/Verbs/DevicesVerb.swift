// The account's devices, by the names that changes are shown with.

import ArgumentParser

/// `devices`: the account's devices.
struct DevicesVerb: Verb {
  static let configuration = CommandConfiguration(
    commandName: "devices",
    abstract: """
      List your devices: id, name, last seen, and whether it is this one.
      """)

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
