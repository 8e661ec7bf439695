// Guides through the setup, from an installed program to the first contact on two devices: which steps are
// done, and what to type next. It changes nothing without permission, and may be run any number of times.

import AgentAPI
import ArgumentParser
import Foundation

/// `setup`: show which steps are done and the next one.
struct SetupCommand: ControlCommand {
  static let configuration = CommandConfiguration(
    commandName: "setup", abstract: "Show the setup of this device and the next steps.",
    discussion: """
      On a terminal it offers to start contactsd with systemd, asks for your name, and offers to \
      import a file and to delete the sample contacts that you have not changed.
      """)

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
    // `mayAsk` excludes scripts, --no-input and --json. A device that is signed out stores nothing.
    if steps[0].done, steps[1].next != Self.signIn, session.printer.mayAsk {
      try await ask(session)
    }
    if session.printer.style == .json {
      session.printer.json(try JSONText.encoded(View(steps: steps)))
    } else if session.printer.style == .terminal {
      await session.printer.page(Self.lines(of: steps, limit: session.printer.terminal.columns))
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
    let isUnknown = status.connectionErrorReason == ConnectionReason.noAccount
    let isSignedOut = !isUnknown && ["noAccount", "restricted"].contains(status.accountStatus)
    let isKnown = who.account.id != nil && !isSignedOut && !isUnknown
    return [
      Step(step: "contactsd is running", done: true, next: ""),
      Step(
        step: "the device is registered with a broker", done: isKnown,
        next: isKnown
          ? "\(who.account.name) on \(who.device.name)"
          : isSignedOut ? Self.signIn : Self.brokerCommand(of: status)),
      Step(
        step: "the device is synchronized", done: status.state == "live",
        next: status.state == "live" || isSignedOut || isUnknown ? "" : "contactsctl sync --wait"),
      Self.completion(environment: ProcessInfo.processInfo.environment),
    ]
  }

  /// The command that signs a device in.
  private static let signIn = "contactsctl signin NAME"

  /// Returns the lines for a terminal. What to do next is on a line of its own, which is not broken, so that
  /// the user can copy the command.
  static func lines(of steps: [Step], limit: Int) -> [String] {
    steps.flatMap { step in
      let lead = step.done ? "done   " : "to do  "
      let blanks = String(repeating: " ", count: lead.count)
      return TextWidth.lines(of: PlainText.clean(step.step), after: lead, limit: limit)
        + [step.next].filter { !$0.isEmpty }.map { blanks + PlainText.clean($0) }
    }
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

  /// Returns the command that registers the device, or makes the broker reachable.
  static func brokerCommand(of status: StatusView) -> String {
    // A broker of another machine, over TLS, knows only devices that joined with an invitation.
    if let broker = status.broker, !broker.hasPrefix("/") {
      return "contactsctl signin INVITATION (made on another device: contactsctl devices invite)"
    }
    // The socket of an installed broker admits the members of a group.
    if status.connectionErrorReason == ConnectionReason.forbiddenSocket {
      return "sudo adduser \(NSUserName()) contacts"
    }
    if status.connectionErrorReason == ConnectionReason.noAccount {
      return "sudo contacts-broker account add \(NSUserName()) --uid \(getuid()) "
        + "--state /var/lib/contacts-broker"
    }
    return "sudo systemctl start contacts-broker.socket (or run: contacts-broker)"
  }

  // MARK: Questions

  /// Asks for a name, a file and whether to keep the samples. Without a name or a file nothing happens.
  private func ask(_ session: CommandSession) async throws(ControlFailure) {
    let who = try await session.agent.get(.whoami).decoded(as: WhoamiView.self).account
    // Only the broker can store the name, and a name that was set is not asked for again.
    if who.id != nil, who.displayName ?? who.name == who.name,
      let name = Self.answer(
        session.printer.ask("Your name, as other accounts see it [\(who.name)]:"))
    {
      let form = WhoamiForm(account: WhoamiForm.Account(displayName: name))
      do throws(ControlFailure) {
        _ = try await session.agent.send(.patch, .whoami, body: form)
      } catch {
        try Self.report(error, session)
      }
    }
    if let file = Self.answer(session.printer.ask("A file of contacts to import, or nothing:")) {
      try await importFile(file, session)
    }
    try await offerRemoval(session)
  }

  /// Imports a file as `contactsctl import` does. A file that cannot be read does not end the setup.
  private func importFile(_ file: String, _ session: CommandSession) async throws(ControlFailure) {
    let path = file.hasPrefix("~/") ? NSHomeDirectory() + file.dropFirst() : file
    guard let command = try? await ImportCommand.asyncParse(["--", path]) else { return }
    do throws(ControlFailure) {
      _ = try await command.run(in: session)
    } catch {
      try Self.report(error, session)
    }
  }

  /// Reports a failure that does not end the setup.
  private static func report(
    _ failure: ControlFailure, _ session: CommandSession
  ) throws(ControlFailure) {
    guard failure.exitCode != .unreachable else { throw failure }
    session.printer.failed(failure)
  }

  /// Offers to delete the sample contacts that are still untouched.
  private func offerRemoval(_ session: CommandSession) async throws(ControlFailure) {
    let samples = try await SampleContacts(session.agent)
    guard !samples.contacts.isEmpty,
      let answer = session.printer.ask("Keep the sample contacts? [Y/n]"),
      ["n", "no"].contains(answer.lowercased())
    else { return }
    let (count, action) = try await samples.delete(session.agent)
    let what = Quantity.text(count, "sample contact")
    session.printer.remark(
      "Deleted \(what)." + (action.map { " Undo: contactsctl undo \($0)" } ?? ""))
  }

  /// Returns the answer without surrounding blanks; `nil` if it is empty.
  static func answer(_ text: String?) -> String? {
    let words = text?.trimmingCharacters(in: .whitespaces) ?? ""
    return words.isEmpty ? nil : words
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
