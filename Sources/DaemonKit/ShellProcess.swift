// One shell that runs one command. Its standard input is a file in memory, so nobody has to feed it;
// its end shows on a descriptor, so one wait serves for output, end, time and being stopped.

import CProcesses
import Glibc

/// Why a shell could not be started, by the system's number.
struct ShellStartError: Error {
  let number: CInt

  /// The error in words.
  var told: DaemonError {
    DaemonError(.fault, "The command could not be started: \(systemText(number)).")
  }
}

/// A process that was started.
struct ShellProcess {
  private let process: pid_t
  private let output: CInt
  private let end: CInt

  /// Starts `shell -c command`.
  /// - Throws: the system's number when it cannot be started.
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

  /// Waits for the end, reading what is said; ends the process when it is late or `stop` can be
  /// read. The process is gone afterwards.
  func wait(
    until deadline: ContinuousClock.Instant, stop: CInt, graceMilliseconds: Int
  ) -> CommandRunner.Outcome {
    defer {
      close(output)
      if end >= 0 { close(end) }
    }
    var said: [UInt8] = []
    let early = poll(until: deadline, stop: stop, reading: &said)
    if early != nil {
      kill(-process, SIGTERM)
      let grace = ContinuousClock.now + .milliseconds(graceMilliseconds)
      _ = poll(until: grace, stop: -1, reading: &said)
      kill(-process, SIGKILL)
    }
    var status: CInt = 0
    while waitpid(process, &status, 0) < 0, errno == EINTR {}
    read(into: &said)
    return CommandRunner.Outcome(ending: early ?? Self.ending(status), output: said)
  }

  /// - Returns: `nil` once the process has ended, else why it is to.
  private func poll(
    until deadline: ContinuousClock.Instant, stop: CInt, reading said: inout [UInt8]
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
      if files[2].revents & Int16(POLLIN) != 0 { read(into: &said) }
      if files[0].revents != 0 { return nil }
      if files[1].revents & Int16(POLLIN) != 0 { return .stopped }
      // Whoever closed the output may go on in silence: only the end and the time are left.
      if files[2].revents & Int16(POLLIN) == 0, files[2].revents != 0 { isOutputOpen = false }
    }
  }

  private func read(into said: inout [UInt8]) {
    var piece = [UInt8](repeating: 0, count: 4096)
    // At most so much at a time: a command that never stops talking must not keep its end unseen.
    for _ in 0..<16 {
      let count = Glibc.read(output, &piece, piece.count)
      guard count > 0 else { return }
      said += piece.prefix(min(count, max(0, CommandRunner.outputBytesMax - said.count)))
    }
  }

  private static func ending(_ status: CInt) -> CommandRunner.Ending {
    let signal = status & 0x7F
    return signal == 0 ? .exited((status >> 8) & 0xFF) : .killed(signal)
  }
}
