// Runs a user's commands for a daemon, through the shell. Data is passed in environment variables and on
// standard input, never in the command's text. A command has a timeout and an output limit. It runs in a
// process group of its own, so that its child processes are killed with it.

import CProcesses
import Foundation
import Glibc
import NIOPosix
import Records
import Synchronization

/// Runs shell commands on a thread pool of its own.
package final class CommandRunner: Sendable {
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
    /// The runner was stopped, and killed the command or did not start it.
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
  private static let threads = 4
  /// The number of output bytes retained; the rest is read and dropped.
  package static let outputBytesMax = 8 << 10
  /// The variables that a command inherits from the daemon. The others are for the daemon alone: messages
  /// of the service manager and settings.
  private static let inherited: Set = [
    "PATH", "HOME", "USER", "LOGNAME", "SHELL", "LANG", "TZ", "TMPDIR", "DISPLAY",
    "WAYLAND_DISPLAY", "DBUS_SESSION_BUS_ADDRESS",
  ]
  private static let inheritedPrefixes = ["LC_", "XDG_"]
  /// The time between SIGTERM and SIGKILL.
  private static let graceMilliseconds = 1_000

  private let pool = NIOThreadPool(numberOfThreads: threads)
  private let environment: [String: String]
  private let shell: String
  private let stopping = Mutex(false)
  private let stopFile: CInt

  /// Creates a runner. `environment` is the daemon's environment.
  /// - Throws: `fault` if no file descriptor is available.
  package init(
    shell: String = "/bin/sh",
    environment: [String: String] = ProcessInfo.processInfo.environment
  ) throws(DaemonError) {
    self.shell = shell
    self.environment = environment.filter { variable in
      Self.inherited.contains(variable.key)
        || Self.inheritedPrefixes.contains { variable.key.hasPrefix($0) }
    }
    stopFile = processes_event_file()
    guard stopFile >= 0 else {
      throw DaemonError(
        .fault, "Cannot create the event descriptor that stops commands: \(systemText(errno)).")
    }
    pool.start()
  }

  deinit { Glibc.close(stopFile) }

  /// Runs `command` and waits until it ends.
  /// - Parameters:
  ///   - command: The text for the shell.
  ///   - variables: Variables to add to the environment; zero bytes in them are removed.
  ///   - input: The command's standard input.
  ///   - patience: The timeout, after which the command is killed.
  /// - Throws: `DaemonError` if the command could not be started.
  package func run(
    _ command: String, variables: [String: String], input: [UInt8], patience: Duration
  ) async throws -> Outcome {
    let all = environment.merging(variables) { $1 }.map { "\($0.key)=\($0.value)" }
    return try await pool.runIfActive { [self] in
      guard !stopping.withLock({ $0 }) else { return Outcome(ending: .stopped, output: []) }
      let process: ShellProcess
      do throws(ShellStartError) {
        process = try ShellProcess(
          shell: shell, command: command, environment: all, directory: environment["HOME"] ?? "/",
          input: input)
      } catch {
        guard error.number == E2BIG else { throw error.daemonError }
        return Outcome(ending: .tooLarge, output: [])
      }
      return process.wait(
        until: .now + patience, stop: stopFile, graceMilliseconds: Self.graceMilliseconds)
    }
  }

  /// Kills the running commands soon, and starts no further ones.
  package func stop() {
    stopping.withLock { $0 = true }
    var one: UInt64 = 1
    _ = write(stopFile, &one, 8)
  }

  /// Stops the runner and its threads. Call it last.
  package func close() async {
    stop()
    // Threads that do not stop in order end with the process.
    try? await pool.shutdownGracefully()
  }
}
