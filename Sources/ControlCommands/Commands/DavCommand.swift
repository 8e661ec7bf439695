// CardDAV: the contacts of this device in other programs, such as Thunderbird, Evolution and phones. Each program gets a
// password of its own, which can be taken back.

import AgentAPI
import ArgumentParser
import Records

/// `dav`: CardDAV.
struct DavCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "dav", abstract: "Use your contacts in other programs, by CardDAV.",
    subcommands: [Addresses.self, Add.self, List.self, Remove.self],
    defaultSubcommand: Addresses.self)

  /// `dav addresses`.
  struct Addresses: ControlCommand {
    static let configuration = CommandConfiguration(
      commandName: "addresses",
      abstract: "Show what to type into a program: the addresses, and the user name.",
      discussion: """
        Most programs find the address books by themselves from an address without a path. How to \
        set up each program: docs/carddav.md
        """)

    @OptionGroup var global: GlobalFlags

    func run(in session: CommandSession) async throws(ControlFailure) -> ExitStatus {
      let reply = try await session.agent.get(.cardDAV)
      guard session.printer.style != .json else {
        session.printer.json(reply.bytes)
        return .done
      }
      let view = try reply.decoded(as: CardDAVView.self)
      for problem in view.problems { session.printer.remark(problem) }
      guard !view.addresses.isEmpty else {
        session.printer.remark(
          "No program has an app password yet. To make one: contactsctl dav add NAME")
        return .done
      }
      await session.printer.rows(
        view.addresses.map { ["address", $0] } + [["user", view.user]])
      return .done
    }
  }

  /// `dav add`.
  struct Add: ControlCommand {
    static let configuration = CommandConfiguration(
      commandName: "add", abstract: "Make an app password for a program, and show it once.",
      discussion: """
        Give each program a password of its own: contactsd remembers what each has read, so that a \
        program that saves an old card does not overwrite what you entered elsewhere.

        A password is for programs on this computer, or with --network for programs that come over \
        TLS or through a web server. The other kind of address refuses it.
        """)

    @Argument(help: "A name for the program: phone, thunderbird.") var name: String
    @Flag(help: "For a program on another device.") var network = false
    @OptionGroup var global: GlobalFlags

    func run(in session: CommandSession) async throws(ControlFailure) -> ExitStatus {
      let printer = session.printer
      let reply = try await session.agent.send(
        .post, .appPasswords, body: AppPasswordForm(name: name, scope: network ? "network" : nil))
      guard printer.style != .json else {
        printer.json(reply.bytes)
        return .done
      }
      let view = try reply.decoded(as: NewAppPasswordView.self)
      await printer.rows(
        view.addresses.map { ["address", $0] }
          + [["user", view.user], ["password", view.password]])
      if !printer.isQuiet {
        printer.remark(
          "The password is not shown again. To take it back: contactsctl dav rm \(name)")
      }
      return .done
    }
  }

  /// `dav list`.
  struct List: ControlCommand {
    static let configuration = CommandConfiguration(
      commandName: "list",
      abstract: "List the app passwords: name, from where, when made, when last used.",
      aliases: ["ls"])

    @OptionGroup var global: GlobalFlags

    func run(in session: CommandSession) async throws(ControlFailure) -> ExitStatus {
      let reply = try await session.agent.get(.cardDAV)
      guard session.printer.style != .json else {
        session.printer.json(reply.bytes)
        return .done
      }
      let view = try reply.decoded(as: CardDAVView.self)
      await session.printer.list(
        view.passwords.map {
          [$0.name, $0.scope, "\($0.created)", $0.lastUsed.map { "\($0)" } ?? "never used"]
        })
      return .done
    }
  }

  /// `dav rm`.
  struct Remove: ControlCommand {
    static let configuration = CommandConfiguration(
      commandName: "rm", abstract: "Remove an app password. Its program is refused at once.",
      aliases: ["delete", "remove"])

    @Argument(help: "The name of the password.") var name: String
    @OptionGroup var global: GlobalFlags

    func run(in session: CommandSession) async throws(ControlFailure) -> ExitStatus {
      _ = try await session.agent.send(.delete, .appPassword(name))
      return .done
    }
  }
}
