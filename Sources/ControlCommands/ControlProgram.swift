// The main program of contactsctl. A subcommand sends requests to the agent and prints the results; flags,
// addresses, errors and exit codes are the same for all and are handled here and in CommandLine/. No
// subcommand has rules about contacts: those are in Contacts and in the agent.

import ArgumentParser
import Foundation
import Records

/// The program.
package enum ControlProgram {
  /// Runs the command line, prints its results and ends the process with its exit code.
  package static func run(arguments: [String]) async -> Never {
    // Completion requests of a shell are parsed differently from command lines.
    let placed =
      arguments.first == "---completion" ? arguments : GlobalFlagPlacement.placing(arguments)
    let printer = Printer(flags: placed)
    guard !arguments.isEmpty else {
      printer.text(ShortHelp.text)
      printer.end(.done)
    }
    do {
      let prepared = preparedClient(placed, saved: printer.saved)
      let subcommand = try await parse(placed, printer: printer)
      let address = try AgentAddress(subcommand.global)
      let agent =
        prepared.flatMap { $0.address.path == address.path ? $0 : nil }
        ?? AgentClient(address: address, saved: printer.saved)
      let status = await run(
        subcommand, named: WordCheck.path(of: placed),
        in: CommandSession(agent: agent, printer: printer))
      // The process ends next, and the kernel closes the connections.
      printer.end(status)
    } catch {
      printer.failed(error)
      printer.end(error.exitCode)
    }
  }

  /// Returns a client that connects while the command line is parsed; `nil` if the line has no subcommand.
  private static func preparedClient(_ arguments: [String], saved: SavedChanges) -> AgentClient? {
    guard LeafParser.leaf(arguments) != nil,
      let address = try? AgentAddress(
        agent: GlobalFlagPlacement.value(of: "--agent", in: arguments),
        device: GlobalFlagPlacement.value(of: "--device", in: arguments),
        environment: ProcessInfo.processInfo.environment, userID: getuid())
    else { return nil }
    let client = AgentClient(address: address, saved: saved)
    client.prepare()
    return client
  }

  private static func run(
    _ subcommand: any ControlCommand, named name: String, in session: CommandSession
  ) async -> ExitStatus {
    do {
      return try await subcommand.run(in: session)
    } catch {
      session.printer.failed(error.naming(subcommand: name))
      return error.exitCode
    }
  }

  private static func parse(
    _ arguments: [String], printer: Printer
  ) async throws(ControlFailure) -> any ControlCommand {
    try WordCheck.check(arguments)
    if let subcommand = await LeafParser.parse(arguments) { return subcommand }
    let command: any ParsableCommand
    do {
      command = try await Contactsctl.asyncParseAsRoot(arguments)
    } catch {
      throw usage(error, arguments, printer: printer)
    }
    if let subcommand = command as? any ControlCommand { return subcommand }
    // What remains is a request for help: a group of subcommands alone, or `help`.
    do {
      var command = command
      try command.run()
    } catch {
      throw usage(error, arguments, printer: printer)
    }
    printer.end(.done)
  }

  /// Prints help or completions, or reports a usage error.
  private static func usage(
    _ error: any Error, _ arguments: [String], printer: Printer
  ) -> ControlFailure {
    guard Contactsctl.exitCode(for: error) != .success else {
      printer.text(
        HelpText.fit(Contactsctl.fullMessage(for: error), limit: printer.terminal.columns))
      printer.end(.done)
    }
    return .usage(Contactsctl.message(for: error), subcommand: WordCheck.path(of: arguments))
  }
}

/// The dependencies of a subcommand.
struct CommandSession: Sendable {
  let agent: AgentClient
  let printer: Printer
}

/// A subcommand that sends requests to the agent.
protocol ControlCommand: AsyncParsableCommand, Sendable {
  /// The flags of all subcommands.
  var global: GlobalFlags { get }
  /// Runs the subcommand.
  func run(in session: CommandSession) async throws(ControlFailure) -> ExitStatus
}

/// The root of the command line.
struct Contactsctl: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "contactsctl",
    abstract: "Manage your contacts on all your devices.",
    discussion: "Global options can be given before or after the subcommand.",
    version: ProgramVersion.line(of: "contactsctl"),
    subcommands: subcommands)

  // Declared here for the help, the manual and completion; parsed with the subcommand, wherever they are.
  @OptionGroup var global: GlobalFlags

  static let subcommands: [any ParsableCommand.Type] = [
    AcceptCommand.self, AddCommand.self, CommentCommand.self, CompletionCommand.self,
    ConfigCommand.self, ConflictsCommand.self, DavCommand.self, DeclineCommand.self,
    DedupeCommand.self, DevicesCommand.self, DoctorCommand.self, EditCommand.self,
    ExportCommand.self,
    FollowCommand.self, GroupCommand.self, HistoryCommand.self, ImportCommand.self,
    LabelsCommand.self, LeaveCommand.self, ListCommand.self, MergeCommand.self, MoveCommand.self,
    NotificationsCommand.self, OpenCommand.self, ParticipantInviteCommand.self,
    ParticipantsCommand.self,
    PermissionCommand.self, PhotoCommand.self, PostCommand.self, RefusedCommand.self,
    RemoveCommand.self, RequestsCommand.self, SearchCommand.self, SetupCommand.self,
    ShareCommand.self, ShowCommand.self, SignInCommand.self, SignOutCommand.self,
    StatesCommand.self, StatusCommand.self, SubscribeCommand.self, SubscriptionsCommand.self,
    SyncCommand.self, TrashCommand.self, UndoCommand.self, UnfollowCommand.self,
    UnsubscribeCommand.self, WatchCommand.self, WhoamiCommand.self,
  ]

  func run() throws { throw CleanExit.helpRequest() }
}
