// Runs the user's editor or pager on the terminal. It is started by the shell, because its setting may have
// arguments, such as `code --wait` and `vim -f`. It stays in this process group, so it has the terminal.
// While it runs, Ctrl-C is for it only.

import Foundation

/// A running program.
struct ExternalProgram {
  /// How a program ended.
  enum Ending: Equatable {
    /// It exited with this status.
    case exited(Int32)
    /// It was killed by this signal.
    case killed(Int32)
  }

  private let process: pid_t

  /// Starts `command`, a command line of the shell, with further `arguments`.
  /// - Parameter standardInput: Its standard input in place of ours.
  /// - Throws: `inputOutput` if the shell cannot be started.
  static func start(
    _ command: String, arguments: [String], environment: [String: String],
    standardInput: Int32? = nil
  ) throws(ControlFailure) -> ExternalProgram {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    if let standardInput {
      posix_spawn_file_actions_adddup2(&actions, standardInput, STDIN_FILENO)
    }
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var usual = sigset_t()
    sigemptyset(&usual)
    for signal in [SIGINT, SIGQUIT, SIGPIPE] { sigaddset(&usual, signal) }
    posix_spawnattr_setsigdefault(&attributes, &usual)
    // The thread that runs this may block signals, and the program would inherit that.
    var none = sigset_t()
    sigemptyset(&none)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setflags(
      &attributes, Int16(POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK))
    let line = ["sh", "-c", command + #" "$@""#, "sh"] + arguments
    var process = pid_t()
    let failure = withCStrings(line) { arguments in
      withCStrings(environment.map { "\($0.key)=\($0.value)" }) { variables in
        posix_spawn(&process, "/bin/sh", &actions, &attributes, arguments, variables)
      }
    }
    guard failure == 0 else {
      throw ControlFailure(
        code: "inputOutput",
        message: "/bin/sh cannot be started: \(String(cString: strerror(failure))).", hint: "",
        exitCode: .inputOutput)
    }
    return ExternalProgram(process: process)
  }

  /// Waits until the program ends; in the meantime Ctrl-C and Ctrl-\ do not end this process.
  func wait() -> Ending {
    let interrupt = signal(SIGINT, SIG_IGN)
    let quit = signal(SIGQUIT, SIG_IGN)
    defer {
      signal(SIGINT, interrupt)
      signal(SIGQUIT, quit)
    }
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0 {
      guard errno == EINTR else { return .exited(127) }
    }
    let signal = status & 0x7F
    return signal == 0 ? .exited((status >> 8) & 0xFF) : .killed(signal)
  }

  private static func withCStrings<Result>(
    _ strings: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> Result
  ) -> Result {
    let pointers = strings.map { strdup($0) }
    defer { for pointer in pointers { free(pointer) } }
    return body(pointers + [nil])
  }
}
