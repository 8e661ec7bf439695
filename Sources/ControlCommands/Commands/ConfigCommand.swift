// Settings of this device. Setting one does not require the others, and reading one prints only its value,
// for scripts.

import AgentAPI
import ArgumentParser
import Collation
import Foundation
import Records

/// `config`: settings of this device.
struct ConfigCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "config", abstract: "Show or change this device's settings.",
    subcommands: [List.self, Get.self, Choose.self, Unset.self], defaultSubcommand: List.self)

  /// `config list`.
  struct List: ControlCommand {
    static let configuration = CommandConfiguration(
      commandName: "list", abstract: "List the settings: key, value, source, choices.",
      aliases: ["ls"])

    @OptionGroup var global: GlobalFlags

    func run(in session: CommandSession) async throws(ControlFailure) -> ExitStatus {
      let reply = try await session.agent.get(.settings)
      if session.printer.style == .json {
        session.printer.json(reply.bytes)
      } else {
        let settings = try reply.decoded(as: SettingsView.self).settings
        let style = session.printer.style
        await session.printer.rows(
          settings.map {
            [$0.key, $0.value(in: style), $0.source, $0.choices.joined(separator: "|")]
          }, whole: [0])
      }
      return .done
    }
  }

  /// `config get`.
  struct Get: ControlCommand {
    static let configuration = CommandConfiguration(
      commandName: "get", abstract: "Print the value of a setting.")

    @Argument(help: "The key of the setting.", completion: CompletionSource.settings) var key:
      String
    @OptionGroup var global: GlobalFlags

    func run(in session: CommandSession) async throws(ControlFailure) -> ExitStatus {
      let reply = try await ConfigCommand.known(key, session.agent) {
        () async throws(ControlFailure) in
        try await session.agent.get(.setting(key))
      }
      if session.printer.style == .json {
        session.printer.json(reply.bytes)
      } else {
        session.printer.text(PlainText.clean(try reply.decoded(as: SettingView.self).value))
      }
      return .done
    }
  }

  /// `config set`.
  struct Choose: ControlCommand {
    static let configuration = CommandConfiguration(
      commandName: "set", abstract: "Change a setting.")

    @Argument(help: "The key of the setting.", completion: CompletionSource.choosable) var key:
      String
    @Argument(help: "The new value.", completion: CompletionSource.choices) var value: String
    @OptionGroup var global: GlobalFlags

    func run(in session: CommandSession) async throws(ControlFailure) -> ExitStatus {
      let reply = try await ConfigCommand.known(key, session.agent) {
        () async throws(ControlFailure) in
        try await session.agent.send(.put, .setting(key), body: SettingForm(value: value))
      }
      if session.printer.style == .json { session.printer.json(reply.bytes) }
      return .done
    }
  }

  /// `config unset`.
  struct Unset: ControlCommand {
    static let configuration = CommandConfiguration(
      commandName: "unset", abstract: "Reset a setting to its default.")

    @Argument(help: "The key of the setting.", completion: CompletionSource.choosable) var key:
      String
    @OptionGroup var global: GlobalFlags

    func run(in session: CommandSession) async throws(ControlFailure) -> ExitStatus {
      let reply = try await ConfigCommand.known(key, session.agent) {
        () async throws(ControlFailure) in
        try await session.agent.send(.delete, .setting(key))
      }
      if session.printer.style == .json { session.printer.json(reply.bytes) }
      return .done
    }
  }

  /// Requests a setting; for an unknown one, suggests the most similar.
  fileprivate static func known(
    _ key: String, _ agent: AgentClient,
    _ ask: () async throws(ControlFailure) -> AgentReply
  ) async throws(ControlFailure) -> AgentReply {
    do {
      return try await ask()
    } catch {
      guard error.code == RecordsError.Code.unknownItem.rawValue else { throw error }
      let keys = try await agent.get(.settings).decoded(as: SettingsView.self).settings
        .map(\.key)
      let near = WordCheck.nearest(to: key, among: keys)
      throw .usage(
        "There is no setting “\(PlainText.clean(key))”. "
          + (near.map { "Did you mean “\($0)”?" } ?? "Settings: \(keys.joined(separator: ", "))."))
    }
  }
}

extension SettingView {
  /// Returns the value; on a terminal, the language that sorts its lists if the agent was started without one.
  func value(
    in style: Printer.Style, environment: [String: String] = ProcessInfo.processInfo.environment
  ) -> String {
    guard style == .terminal, key == "locale", value == "und" else { return value }
    let language = ContactPages.language(environment).first.map { Language($0.1) }
    guard let language, language != .neutral else { return "none" }
    return "\(language) (this terminal's)"
  }
}
