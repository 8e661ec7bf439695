import DaemonKit
import Foundation
import Processes
import Synchronization
import Testing

@Suite("users' commands", .timeLimit(.minutes(5)))
struct CommandRunnerTests {
  private let runner = CommandRunner(environment: ["PATH": "/usr/bin:/bin", "NOTIFY_SOCKET": "x"])

  private func run(
    _ command: String, variables: [String: String] = [:], input: [UInt8] = [],
    patience: Duration = .seconds(60)
  ) async throws -> CommandRunner.Outcome {
    try await runner.run(command, variables: variables, input: input, patience: patience)
  }

  @Test func `a command receives its input and its variables, but not the daemon's`() async throws {
    let outcome = try await run(
      "cat; echo \"$FACT\" >&2; env; exit 3", variables: ["FACT": "a\0b"],
      input: Array("input\n".utf8))
    let output = String(decoding: outcome.output, as: UTF8.self)
    #expect(outcome.ending == .exited(3))
    #expect(output.hasPrefix("input\nab\n") && !output.contains("NOTIFY_SOCKET"))
  }

  @Test func `a command has the standard files alone, and signals as they are by default`()
    async throws
  {
    // The shell itself blocks signals while it starts a command, so the command looks at its own.
    let outcome = try await run("ls /proc/$$/fd; yes | head -n 1; grep SigBlk /proc/self/status")
    #expect(
      String(decoding: outcome.output, as: UTF8.self) == "0\n1\n2\ny\nSigBlk:\t0000000000000000\n")
  }

  @Test func `without a home directory that can be entered, a command runs in the root directory`()
    async throws
  {
    let homeless = CommandRunner(environment: ["PATH": "/usr/bin:/bin", "HOME": "/nowhere"])
    let outcome = try await homeless.run(
      "pwd", variables: [:], input: [], patience: .seconds(60))
    #expect(outcome.output == Array("/\n".utf8))
  }

  @Test func `output beyond the limit is read and dropped`() async throws {
    let outcome = try await run("yes | head -c 200000")
    #expect(outcome.ending == .exited(0))
    #expect(outcome.output.count == CommandRunner.outputBytesMax)
  }

  @Test func `a command need not read its input`() async throws {
    let input = [UInt8](repeating: 65, count: 1 << 20)
    #expect(try await run("exec <&-; echo done", input: input).ending == .exited(0))
    #expect(try await run("wc -c", input: input).output == Array("1048576\n".utf8))
  }

  @Test func `a command that closed its output runs to its end`() async throws {
    let directory = try TemporaryDirectory()
    let outcome = try await run(
      "exec >&- 2>&-; sleep 0.1; echo end > '\(directory.file("end"))'; exit 4")
    #expect(outcome.ending == .exited(4))
    #expect(FileManager.default.fileExists(atPath: directory.file("end")))
  }

  @Test func `a process in the background does not hold up the result, even if it keeps printing`()
    async throws
  {
    let start = ContinuousClock.now
    let outcome = try await run("timeout 90 yes & exit 4")
    #expect(outcome.ending == .exited(4))
    #expect(ContinuousClock.now - start < .seconds(60))
  }

  @Test func `variables beyond the system's limit are reported, and so is a signal`() async throws {
    let fact = String(repeating: "x", count: 200_000)
    #expect(try await run("true", variables: ["FACT": fact]).ending == .tooLarge)
    #expect(try await run("kill -9 $$").ending == .killed(9))
  }

  @Test func `a shell that does not exist is an error`() async throws {
    let runner = CommandRunner(shell: "/nowhere/sh", environment: [:])
    await #expect(throws: DaemonError.self) {
      try await runner.run("true", variables: [:], input: [], patience: .seconds(60))
    }
  }

  @Test(arguments: [
    "sleep 60 & echo $!; exec sleep 60",
    // The child process ignores SIGTERM and outlives the shell.
    "(trap '' TERM; exec sleep 60) & echo $!; exec sleep 60",
    // The output is closed.
    "sleep 60 & echo $!; exec >&- 2>&-; exec sleep 60",
  ])
  func `at its time limit a command ends with its child processes`(script: String) async throws {
    let outcome = try await run(script, patience: .milliseconds(300))
    #expect(outcome.ending == .late)
    try await expectEnded(outcome)
  }

  @Test func `a command whose task is cancelled ends with its child processes`() async throws {
    let directory = try TemporaryDirectory()
    let script = "sleep 60 & echo $!; echo > '\(directory.file("begun"))'; exec sleep 60"
    let outcome = try await withThrowingTaskGroup(of: CommandRunner.Outcome.self) { tasks in
      tasks.addTask { try await run(script) }
      try await Patience.wait(until: "the command to begin") {
        FileManager.default.fileExists(atPath: directory.file("begun"))
      }
      tasks.cancelAll()
      return try #require(try await tasks.next())
    }
    #expect(outcome.ending == .stopped)
    try await expectEnded(outcome)
  }

  @Test func `a command of a cancelled task does not start`() async throws {
    let directory = try TemporaryDirectory()
    let script = "echo > '\(directory.file("begun"))'"
    let outcome = try await withThrowingTaskGroup(of: CommandRunner.Outcome.self) { tasks in
      tasks.cancelAll()
      tasks.addTask { try await run(script) }
      return try #require(try await tasks.next())
    }
    #expect(outcome.ending == .stopped)
    #expect(!FileManager.default.fileExists(atPath: directory.file("begun")))
  }

  @Test func `four commands run at a time, and each of a longer queue runs`() async throws {
    let directory = try TemporaryDirectory()
    // Each waits until four have begun: with fewer at a time it would end at its time limit.
    let script =
      "echo >> '\(directory.file("begun"))'; "
      + "while [ $(wc -l < '\(directory.file("begun"))') -lt 4 ]; do sleep 0.01; done"
    let endings = try await withThrowingTaskGroup(of: CommandRunner.Ending.self) { tasks in
      for _ in 0..<9 { tasks.addTask { try await run(script).ending } }
      return try await tasks.reduce(into: []) { $0.append($1) }
    }
    #expect(endings == Array(repeating: .exited(0), count: 9))
  }

  /// Expects that the process whose number the command printed has ended.
  private func expectEnded(_ outcome: CommandRunner.Outcome) async throws {
    let words = String(decoding: outcome.output, as: UTF8.self).split(separator: "\n")
    let number = try #require(words.last)
    try await Patience.wait(until: "process \(number) to end", within: .seconds(20)) {
      let path = "/proc/\(number)/stat"
      // An orphan without a parent that reaps it remains as a zombie.
      guard let stat = FileManager.default.contents(atPath: path) else { return true }
      return String(decoding: stat, as: UTF8.self).contains(") Z ")
    }
  }
}
