// Guides through the setup, from an installed program to the first contact on two devices: which steps are
// done, and what to type next. It changes nothing without permission, and may be run any number of times.

import AgentAPI
import ArgumentParser
import Foundation

/// `setup`: show which steps are done and the next one.
struct SetupCommand: ControlCommand {
  static let configuration = CommandConfiguration(
    commandName: "setup", abstract: "Show the setup of this device and the next steps.",
    discussion: "On a terminal it offers to start contactsd with systemd.")

  @OptionGroup var global: GlobalFlags

  /// One step of the setup.
  struct Step: Encodable, Sendable {
    let step: String
    let done: Bool
    let next: String
  }

  private struct View: Encodable, Sendable {
    let schema = 1
    let steps: [Step]

    enum CodingKeys: CodingKey { case schema, steps }
  }

  func run(in session: CommandSession) async throws(ControlFailure) -> ExitStatus {
    var steps = try await steps(session.agent)
    if !steps[0].done, await start(session) {
      steps = try await self.steps(session.agent)
    }
    if session.printer.style == .json {
      session.printer.json(try JSONText.encoded(View(steps: steps)))
    } else {
      await session.printer.rows(steps.map { [$0.done ? "done" : "to do", $0.step, $0.next] })
    }
    return steps[0].done ? .done : .unreachable
  }

  private func steps(_ agent: AgentClient) async throws(ControlFailure) -> [Step] {
    let status: StatusView
    let who: WhoamiView
    do {
      status = try await agent.get(.status).decoded(as: StatusView.self)
      who = try await agent.get(.whoami).decoded(as: WhoamiView.self)
    } catch {
      guard error.exitCode == .unreachable else { throw error }
      return [Step(step: "contactsd is running", done: false, next: agent.address.startCommand)]
    }
    let isKnown = who.account.id != nil
    return [
      Step(step: "contactsd is running", done: true, next: ""),
      Step(
        step: "the device is registered with a broker", done: isKnown,
        next: isKnown
          ? "\(who.account.name) on \(who.device.name)"
          : "start contacts-broker, or give its socket: contactsd --broker PATH"),
      Step(
        step: "the device is synchronized", done: status.state == "live",
        next: status.state == "live" ? "" : "contactsctl sync --wait"),
      Self.completion(environment: ProcessInfo.processInfo.environment),
    ]
  }

  /// Whether the user's shell finds the completion script: where `make install` puts it, or in the home
  /// directory.
  static func completion(environment: [String: String]) -> Step {
    let home = environment["HOME"] ?? ""
    let shell = (environment["SHELL"] ?? "").split(separator: "/").last.map(String.init) ?? "bash"
    let places =
      switch shell {
      case "zsh": ["zsh/site-functions/_contactsctl", "zsh/vendor-completions/_contactsctl"]
      case "fish": ["fish/vendor_completions.d/contactsctl.fish"]
      default: ["bash-completion/completions/contactsctl"]
      }
    let roots = ["/usr/share", "/usr/local/share", "\(home)/.local/share"]
    let isDone = roots.contains { root in
      places.contains { FileManager.default.fileExists(atPath: "\(root)/\($0)") }
    }
    let known = ["zsh", "fish"].contains(shell) ? shell : "bash"
    return Step(
      step: "shell completion is installed", done: isDone,
      next: isDone
        ? "" : "contactsctl completion \(known) > \(home)/.local/share/\(places[0])")
  }

  /// Starts contactsd with systemd, if the user agrees.
  private func start(_ session: CommandSession) async -> Bool {
    guard session.printer.mayAsk, global.agent == nil, global.device == nil,
      FileManager.default.fileExists(atPath: "/run/systemd/system"),
      let answer = session.printer.ask("Start contactsd now and at each login? [Y/n]"),
      answer.isEmpty || answer.lowercased().hasPrefix("y")
    else { return false }
    let program = ExternalProgram(
      command: "systemctl --user enable --now contactsd",
      environment: ProcessInfo.processInfo.environment)
    return (try? await program.run()) == .exited(0)
  }
}
