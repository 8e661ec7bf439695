// One command of a shell, in a process group of its own. swift-subprocess starts it, passes the standard input
// and reads the output; this file limits its time and kills what it started.

import Records
import Subprocess
import Synchronization
import SystemPackage

/// A command and what it receives.
struct ShellCommand: Sendable {
  /// Sends nothing: a step of a teardown with this signal only waits.
  private static let none = Signal(rawValue: 0)
  /// The time between SIGTERM and SIGKILL.
  private static let grace = Duration.seconds(1)

  let shell: FilePath
  let text: String
  let environment: [Environment.Key: String]
  /// The working directory.
  let directory: FilePath
  let input: [UInt8]
  let patience: Duration

  private typealias Process = Execution<CustomWriteInput, SequenceOutput, CombinedErrorOutput>

  /// What a command printed, and why it was killed, if it was.
  private struct Report: Sendable {
    let early: CommandRunner.Ending?
    let output: [UInt8]
  }

  /// Runs the command and waits until it ends. If the task is cancelled, the command is killed.
  /// - Throws: `SubprocessError` if it cannot be started.
  func run() async throws -> CommandRunner.Outcome {
    var options = PlatformOptions()
    options.processGroupID = 0
    options.teardownSequence = [Self.terminate]
    let result = try await Subprocess.run(
      .path(shell), arguments: ["-c", text], environment: .custom(environment),
      workingDirectory: directory, platformOptions: options, input: .inputWriter,
      output: .sequence, error: .combinedWithOutput
    ) { try await supervise($0) }
    let report = result.closureResult
    let ending: CommandRunner.Ending =
      switch result.terminationStatus {
      case .exited(let status): .exited(status)
      case .signaled(let signal): .killed(signal)
      }
    return CommandRunner.Outcome(ending: report.early ?? ending, output: report.output)
  }

  private static var terminate: TeardownStep {
    .send(signal: .terminate, toProcessGroup: true, allowedDurationToNextStep: grace)
  }

  /// Waits until the process has ended. At the time limit, or if the task is cancelled, ends its group.
  private func supervise(_ process: Process) async throws -> Report {
    let (writer, output) = (process.standardInputWriter, process.standardOutput)
    let collector = OutputCollector()
    return await withTaskGroup(of: Void.self) { tasks in
      tasks.addTask { await write(to: writer) }
      tasks.addTask { await collector.read(output) }
      let deadline = ContinuousClock.now + patience
      // The library has no wait for the end of a process with a time limit, but its teardown is one.
      await process.teardown(using: [
        .send(signal: Self.none, allowedDurationToNextStep: patience), Self.terminate,
      ])
      let early: CommandRunner.Ending? =
        Task.isCancelled ? .stopped : ContinuousClock.now >= deadline ? .late : nil
      if early != nil {
        // NB: A child process may ignore SIGTERM and outlive the shell. The ended shell is not reaped before
        // this closure returns, so its group has this number still.
        try? process.send(signal: .kill, toProcessGroup: true)
      }
      collector.end()
      tasks.cancelAll()
      await tasks.waitForAll()
      return Report(early: early, output: collector.bytes)
    }
  }

  private func write(to writer: StandardInputWriter) async {
    // A command need not read its input.
    _ = try? await writer.write(input)
    try? await writer.finish()
  }
}

/// Reads the output of a process and retains its beginning.
private final class OutputCollector: Sendable {
  private struct State {
    var bytes: [UInt8] = []
    var hasEnded = false
  }

  private let state = Mutex(State())

  var bytes: [UInt8] { state.withLock(\.bytes) }

  /// Ends reading as soon as what is retained is complete; a process in the background may print without end.
  func end() { state.withLock { $0.hasEnded = true } }

  /// Reads until the output is closed, or until the process has ended and its output is read.
  func read(_ output: SubprocessOutputSequence) async {
    do {
      for try await chunk in output {
        let isComplete = state.withLock { state in
          let room = CommandRunner.outputBytesMax - state.bytes.count
          chunk.withUnsafeBytes { state.bytes += $0.prefix(room) }
          return state.hasEnded && state.bytes.count == CommandRunner.outputBytesMax
        }
        guard !isComplete else { return }
      }
    } catch {
      // The output that was read is the result.
    }
  }
}
