// Runs the user's editor or pager on the terminal. It is started by the shell, because its setting may have
// arguments, such as `code --wait` and `vim -f`. It stays in this process group, so it has the terminal.
// While it runs, Ctrl-C is for it only.

import Glibc
import Subprocess
import SystemPackage

/// A program that uses this process's terminal.
struct ExternalProgram {
  /// How a program ended.
  enum Ending: Equatable {
    /// It exited with this status.
    case exited(Int32)
    /// It was killed by this signal.
    case killed(Int32)
  }

  /// A command line of the shell.
  let command: String
  /// Further arguments, which the shell does not expand.
  var arguments: [String] = []
  let environment: [String: String]

  /// Runs the program on this process's standard input and waits until it ends.
  /// - Throws: `inputOutput` if the shell cannot be started.
  func run() async throws(ControlFailure) -> Ending {
    try await ending {
      try await Subprocess.run(
        configuration, input: .currentStandardInput, output: .currentStandardOutput,
        error: .currentStandardError
      ).terminationStatus
    }
  }

  /// Runs the program with `input` as its standard input and waits until it ends. It need not read all of it.
  /// - Throws: `inputOutput` if the shell cannot be started.
  func run(input: [UInt8]) async throws(ControlFailure) -> Ending {
    // A program that exits early closes its end, which is not an error.
    signal(SIGPIPE, SIG_IGN)
    return try await ending {
      try await Subprocess.run(
        configuration, input: .inputWriter, output: .currentStandardOutput,
        error: .currentStandardError
      ) { program in
        _ = try? await program.standardInputWriter.write(input)
        try? await program.standardInputWriter.finish()
      }.terminationStatus
    }
  }

  /// Runs the program; in the meantime Ctrl-C and Ctrl-\ do not end this process.
  private func ending(
    _ run: () async throws -> TerminationStatus
  ) async throws(ControlFailure) -> Ending {
    let interrupt = signal(SIGINT, SIG_IGN)
    let quit = signal(SIGQUIT, SIG_IGN)
    defer {
      signal(SIGINT, interrupt)
      signal(SIGQUIT, quit)
    }
    do {
      switch try await run() {
      case .exited(let status): return .exited(status)
      case .signaled(let signal): return .killed(signal)
      }
    } catch {
      throw ControlFailure(
        code: "inputOutput", message: "Cannot run “\(command)”: \(error)", hint: "",
        exitCode: .inputOutput)
    }
  }

  private var configuration: Configuration {
    let variables = environment.compactMap { name, value in
      Environment.Key(rawValue: name).map { ($0, value) }
    }
    return Configuration(
      executable: .path("/bin/sh"),
      arguments: Arguments(
        executablePathOverride: "sh",
        remainingValues: ["-c", command + #" "$@""#, "sh"] + arguments),
      environment: .custom(Dictionary(variables) { $1 }))
  }
}
