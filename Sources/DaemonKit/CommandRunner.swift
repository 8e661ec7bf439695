// Runs a user's commands for a daemon, through the shell. Data is passed in environment variables and on
// standard input, never in the command's text. A command has a timeout and an output limit. It runs in a
// process group of its own, so that its child processes are killed with it.

import Foundation
import Glibc
import Records
import Subprocess
import SystemPackage

/// Runs shell commands, a few at a time.
package struct CommandRunner: Sendable {
  /// How a command ended.
  package enum Ending: Hashable, Sendable {
    /// It exited with this status.
    case exited(Int32)
    /// It was terminated by this signal.
    case killed(Int32)
    /// It exceeded the timeout and was killed.
    case late
    /// It was not started, because its variables exceed the system's limit for arguments and environment
    /// (`E2BIG`). Another attempt would fail too.
    case tooLarge
    /// The task was cancelled, and the command was killed or not started.
    case stopped
  }

  /// The result of a command.
  package struct Outcome: Hashable, Sendable {
    /// How the command ended.
    package let ending: Ending
    /// The first `outputBytesMax` bytes of its standard output and standard error.
    package let output: [UInt8]
  }

  /// The number of concurrent commands; further ones wait.
  private static let concurrentMax = 4
  /// The number of output bytes retained; the rest is read and dropped.
  package static let outputBytesMax = 8 << 10
  /// The variables that a command inherits from the daemon. The others are for the daemon alone: messages
  /// of the service manager and settings.
  private static let inherited: Set = [
    "PATH", "HOME", "USER", "LOGNAME", "SHELL", "LANG", "TZ", "TMPDIR", "DISPLAY",
    "WAYLAND_DISPLAY", "DBUS_SESSION_BUS_ADDRESS",
  ]
  private static let inheritedPrefixes = ["LC_", "XDG_"]

  private let turns = Turnstile(places: concurrentMax)
  private let environment: [String: String]
  private let shell: FilePath

  /// Creates a runner. `environment` is the daemon's environment.
  package init(
    shell: String = "/bin/sh",
    environment: [String: String] = ProcessInfo.processInfo.environment
  ) {
    self.shell = FilePath(shell)
    self.environment = environment.filter { variable in
      Self.inherited.contains(variable.key)
        || Self.inheritedPrefixes.contains { variable.key.hasPrefix($0) }
    }
    // A command need not read its input. Writing it then fails and does not end the daemon.
    signal(SIGPIPE, SIG_IGN)
  }

  /// Runs `command` and waits until it ends. If the task is cancelled, the command is killed.
  /// - Parameters:
  ///   - command: The text for the shell.
  ///   - variables: Variables to add to the environment; zero bytes in them are removed.
  ///   - input: The command's standard input.
  ///   - patience: The timeout, after which the command is killed.
  /// - Throws: `DaemonError` if the command could not be started.
  package func run(
    _ command: String, variables: [String: String], input: [UInt8], patience: Duration
  ) async throws(DaemonError) -> Outcome {
    await turns.enter()
    defer { turns.leave() }
    guard !Task.isCancelled else { return Outcome(ending: .stopped, output: []) }
    let home = environment["HOME"] ?? "/"
    let prepared = ShellCommand(
      shell: shell, text: command, environment: environment(adding: variables),
      directory: FilePath(access(home, X_OK) == 0 ? home : "/"), input: input, patience: patience)
    do {
      return try await prepared.run()
    } catch let error as SubprocessError where error.underlyingError == .argListTooLong {
      return Outcome(ending: .tooLarge, output: [])
    } catch {
      throw DaemonError(.fault, "Cannot start the command: \(error)")
    }
  }

  private func environment(adding variables: [String: String]) -> [Environment.Key: String] {
    var all: [Environment.Key: String] = [:]
    for (name, value) in environment.merging(variables, uniquingKeysWith: { $1 }) {
      if let key = Environment.Key(rawValue: name) { all[key] = value.filter { $0 != "\0" } }
    }
    return all
  }
}
