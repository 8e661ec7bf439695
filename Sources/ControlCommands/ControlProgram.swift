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
    StandardStreams.reserve()
    // Completion requests of a shell are parsed differently from command lines.
    let placed =
      arguments.first == "---completion" ? arguments : GlobalFlagPlacement.placing(arguments)
    let printer = Printer(flags: placed)
    guard !arguments.isEmpty else {
      printer.text(ShortHelp.text)
      printer.end(.done)
    }
    do {
      let verb = try await parse(placed, printer: printer)
      let agent = AgentClient(
        address: try AgentAddress(verb.global), saved: printer.saved)
      let status = await run(verb, in: Session(agent: agent, printer: printer))
      await agent.close()
      printer.end(status)
    } catch {
      printer.failed(error)
      printer.end(error.exitCode)
    }
  }

  private static func run(_ verb: any Verb, in session: Session) async -> ExitStatus {
    do {
      return try await verb.run(in: session)
    } catch {
      session.printer.failed(error)
      return error.exitCode
    }
  }

  private static func parse(
    _ arguments: [String], printer: Printer
  ) async throws(ControlFailure) -> any Verb {
    try WordCheck.check(arguments)
    let command: any ParsableCommand
    do {
      command = try await Contactsctl.asyncParseAsRoot(arguments)
    } catch {
      throw usage(error, arguments, printer: printer)
    }
    if let verb = command as? any Verb { return verb }
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
    return .usage(Contactsctl.message(for: error), verb: WordCheck.path(of: arguments))
  }
}

/// The dependencies of a subcommand.
struct Session: Sendable {
  let agent: AgentClient
  let printer: Printer
}

/// A subcommand that sends requests to the agent.
protocol Verb: AsyncParsableCommand, Sendable {
  /// The flags of all subcommands.
  var global: GlobalFlags { get }
  /// Runs the subcommand.
  func run(in session: Session) async throws(ControlFailure) -> ExitStatus
}

/// The root of the command line.
struct Contactsctl: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "contactsctl",
    abstract: "Manage your contacts on all your devices.",
    discussion: "Global options can be given before or after the subcommand.",
    version: ProgramVersion.line(of: "contactsctl"),
    subcommands: verbs)

  // Declared here for the help, the manual and completion; parsed with the subcommand, wherever they are.
  @OptionGroup var global: GlobalFlags

  static let verbs: [any ParsableCommand.Type] = [
    AcceptVerb.self, AddVerb.self, CommentVerb.self, CompletionVerb.self, ConfigVerb.self,
    ConflictsVerb.self, DeclineVerb.self, DedupeVerb.self, DevicesVerb.self, DoctorVerb.self,
    EditVerb.self, ExportVerb.self, FollowVerb.self, GroupVerb.self, HistoryVerb.self,
    ImportVerb.self, InviteVerb.self, LabelsVerb.self, LeaveVerb.self, ListVerb.self,
    MergeVerb.self, MoveVerb.self, NotificationsVerb.self, ParticipantsVerb.self,
    PermissionVerb.self, PhotoVerb.self, PostVerb.self, RefusedVerb.self, RemoveVerb.self,
    RequestsVerb.self, SearchVerb.self, SetupVerb.self, ShareVerb.self, ShowVerb.self,
    SignInVerb.self, SignOutVerb.self, StatesVerb.self, StatusVerb.self, SubscribeVerb.self,
    SubscriptionsVerb.self, SyncVerb.self, TrashVerb.self, UndoVerb.self, UnfollowVerb.self,
    UnsubscribeVerb.self, WatchVerb.self, WhoamiVerb.self,
  ]

  func run() throws { throw CleanExit.helpRequest() }
}
