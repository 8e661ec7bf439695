// A shell process that runs one command. Its standard input is a file in memory, so that no thread has to
// write to a pipe. Its end is reported on a descriptor, so that one `poll` waits for output, the end, the
// timeout and the stop request.

import CProcesses
import Glibc

/// The system's error number when a shell could not be started.
struct ShellStartError: Error {
  let number: CInt

  /// The error with a message.
  var daemonError: DaemonError {
    DaemonError(.fault, "Cannot start the command: \(systemText(number)).")
  }
}

/// A running shell.
struct ShellProcess {
  private let process: pid_t
  private let output: CInt
  private let end: CInt

  /// Starts `shell -c command`, in `directory` or, if that cannot be entered, in the root directory.
  init(
    shell: String, command: String, environment: [String], directory: String, input: [UInt8]
  ) throws(ShellStartError) {
    let inputFile = processes_memory_file("input")
    defer { if inputFile >= 0 { close(inputFile) } }
    guard inputFile >= 0, Self.fill(inputFile, with: input) else {
      throw ShellStartError(number: errno)
    }
    var pipes: [CInt] = [-1, -1]
    guard processes_pipe(&pipes) == 0 else { throw ShellStartError(number: errno) }
    defer { close(pipes[1]) }
    var started: CInt = 0
    var variables = environment.map { strdup(String($0.filter { $0 != "\0" })) } + [nil]
    defer { for text in variables { free(text) } }
    let place = access(directory, X_OK) == 0 ? directory : "/"
    let code = processes_start(
      shell, command, &variables, place, inputFile, pipes[1], &started)
    guard code == 0 else {
      close(pipes[0])
      throw ShellStartError(number: code)
    }
    process = started
    output = pipes[0]
    end = processes_end_file(started)
  }

  private static func fill(_ file: CInt, with bytes: [UInt8]) -> Bool {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { write(file, $0.baseAddress, $0.count) }
      guard count > 0 else { return false }
      rest = rest.dropFirst(count)
    }
    return lseek(file, 0, SEEK_SET) == 0
  }

  /// Waits for the end of the process and collects its output. At the deadline, or when `stop` becomes
  /// readable, sends SIGTERM and, after the grace time, SIGKILL to the process group. The process has ended
  /// when the function returns.
  func wait(
    until deadline: ContinuousClock.Instant, stop: CInt, graceMilliseconds: Int
  ) -> CommandRunner.Outcome {
    defer {
      close(output)
      if end >= 0 { close(end) }
    }
    var collected: [UInt8] = []
    let early = poll(until: deadline, stop: stop, into: &collected)
    if early != nil {
      kill(-process, SIGTERM)
      let grace = ContinuousClock.now + .milliseconds(graceMilliseconds)
      _ = poll(until: grace, stop: -1, into: &collected)
      kill(-process, SIGKILL)
    }
    var status: CInt = 0
    while waitpid(process, &status, 0) < 0, errno == EINTR {}
    read(into: &collected)
    return CommandRunner.Outcome(ending: early ?? Self.ending(status), output: collected)
  }

  /// Waits until the process has ended, and returns `nil` then; or returns the reason to kill it.
  private func poll(
    until deadline: ContinuousClock.Instant, stop: CInt, into collected: inout [UInt8]
  ) -> CommandRunner.Ending? {
    var isOutputOpen = true
    while true {
      let rest = ContinuousClock.now.duration(to: deadline)
      guard rest > .zero else { return .late }
      var files = [
        pollfd(fd: end, events: Int16(POLLIN), revents: 0),
        pollfd(fd: stop, events: Int16(POLLIN), revents: 0),
        pollfd(fd: isOutputOpen ? output : -1, events: Int16(POLLIN), revents: 0),
      ]
      let (seconds, attoseconds) = rest.components
      let milliseconds = min(seconds * 1000 + attoseconds / 1_000_000_000_000_000 + 1, 60_000)
      guard Glibc.poll(&files, 3, CInt(milliseconds)) > 0 else { continue }
      if files[2].revents & Int16(POLLIN) != 0 { read(into: &collected) }
      if files[0].revents != 0 { return nil }
      if files[1].revents & Int16(POLLIN) != 0 { return .stopped }
      // A command can close its output and continue. Then only its end, the timeout and `stop` count.
      if files[2].revents & Int16(POLLIN) == 0, files[2].revents != 0 { isOutputOpen = false }
    }
  }

  private func read(into collected: inout [UInt8]) {
    var chunk = [UInt8](repeating: 0, count: 4096)
    // The limit lets the caller check for the end and the timeout of a command that writes without pause.
    for _ in 0..<16 {
      let count = Glibc.read(output, &chunk, chunk.count)
      guard count > 0 else { return }
      collected += chunk.prefix(min(count, max(0, CommandRunner.outputBytesMax - collected.count)))
    }
  }

  private static func ending(_ status: CInt) -> CommandRunner.Ending {
    let signal = status & 0x7F
    return signal == 0 ? .exited((status >> 8) & 0xFF) : .killed(signal)
  }
}
