// Runs a person's own commands for a daemon: through the shell, with facts in variables and on the
// standard input, never in the command's text. A command has a time, a bound on what it may say, and
// its own process group, so that whatever it started ends with it when it takes too long.

import CProcesses
import Foundation
import Glibc
import NIOPosix
import Records
import Synchronization

/// Runs commands on threads of its own.
package final class CommandRunner: Sendable {
  /// How a command ended.
  package enum Ending: Hashable, Sendable {
    /// By itself, with this status.
    case exited(Int32)
    /// By this signal.
    case killed(Int32)
    /// It took too long and was ended.
    case late
    /// It never began, and never can: the system gives a process less room than it takes to tell it
    /// all that.
    case tooLarge
    /// The runner was stopped, and the command with it.
    case stopped
  }

  /// What came of a command.
  package struct Outcome: Hashable, Sendable {
    /// How it ended.
    package let ending: Ending
    /// What it said on standard output and error, cut at `outputBytesMax`.
    package let output: [UInt8]
  }

  /// Commands at a time; more wait.
  private static let threads = 4
  /// What is kept of what a command says; the rest is read and dropped.
  package static let outputBytesMax = 8 << 10
  /// What a command gets of the daemon's own environment. The rest is the service manager's word to
  /// the daemon, or its settings.
  private static let inherited: Set = [
    "PATH", "HOME", "USER", "LOGNAME", "SHELL", "LANG", "TZ", "TMPDIR", "DISPLAY",
    "WAYLAND_DISPLAY", "DBUS_SESSION_BUS_ADDRESS",
  ]
  private static let inheritedPrefixes = ["LC_", "XDG_"]
  /// How long a command that is to end may take for it.
  private static let graceMilliseconds = 1_000

  private let pool = NIOThreadPool(numberOfThreads: threads)
  private let environment: [String: String]
  private let shell: String
  private let stopping = Mutex(false)
  private let stopFile: CInt

  /// A runner. `environment` is the daemon's own.
  /// - Throws: `fault` when the kernel has no more files.
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
      throw DaemonError(.fault, "No file for stopping commands: \(systemText(errno)).")
    }
    pool.start()
  }

  deinit { Glibc.close(stopFile) }

  /// Runs `command` and waits for its end.
  /// - Parameters:
  ///   - variables: added to the environment; zero bytes are left out.
  ///   - input: what it reads on its standard input.
  ///   - patience: how long it may take.
  /// - Throws: `DaemonError` when it could not be started now.
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
        guard error.number == E2BIG else { throw error.told }
        return Outcome(ending: .tooLarge, output: [])
      }
      return process.wait(
        until: .now + patience, stop: stopFile, graceMilliseconds: Self.graceMilliseconds)
    }
  }

  /// Ends what runs, soon; what is asked for from now on is not begun.
  package func stop() {
    stopping.withLock { $0 = true }
    var one: UInt64 = 1
    _ = write(stopFile, &one, 8)
  }

  /// Ends the threads. To be called last.
  package func close() async {
    stop()
    // What cannot be ended in good order ends with the process.
    try? await pool.shutdownGracefully()
  }
}
