// Programs that the user sets: their arguments and how they end.

import Foundation
import Glibc
import PredicateWorld
import Processes
import Testing

@testable import ControlCommands

@Suite("programs on the terminal")
struct ExternalProgramTests {
  private func program(
    _ command: String, _ arguments: [String] = [], environment: [String: String] = [:]
  ) -> ExternalProgram {
    ExternalProgram(
      command: command, arguments: arguments,
      environment: ["PATH": "/usr/bin:/bin", "FACT": "x"].merging(environment) { $1 })
  }

  @Test func `the shell expands the command, but not the arguments`() async throws {
    let ending = try await program(#"test "$FACT" = x && test"#, ["$FACT", "=", "$FACT"]).run()
    #expect(ending == .exited(0))
    #expect(try await program("test x =", ["$FACT"]).run() == .exited(1))
  }

  @Test(arguments: [0, 1, 2, 64, 126, 127, 255] as [Int32])
  func `an exit status is not taken for a signal`(status: Int32) async throws {
    #expect(try await program("exit \(status) #").run() == .exited(status))
  }

  @Test(arguments: [SIGTERM, SIGKILL, SIGINT])
  func `a signal is not taken for an exit status`(signal: Int32) async throws {
    #expect(try await program("kill -\(signal) $$ #").run() == .killed(signal))
  }

  @Test func `a command that does not exist has the shell's status`() async throws {
    #expect(try await program("no-such-editor-4711 2>/dev/null").run(input: [1]) == .exited(127))
  }

  @Test func `arguments arrive as they are, whatever a shell would make of them`() async throws {
    let directory = try TemporaryDirectory()
    let script = "for word in \"$@\"; do printf '%s\\0' \"$word\"; done >\"$OUT\""
    try directory.write(Array(script.utf8), to: "script")
    for seed in 0..<20 {
      var random = SeededGenerator(seed: UInt64(seed))
      let words = (0..<5).map { _ in
        // No argument of a program can contain a zero.
        String(
          String.UnicodeScalarView(
            random.hostile(upTo: 6).unicodeScalars.filter { $0.value != 0 }))
      }
      let ending = try await program(
        "sh \(directory.file("script"))", words, environment: ["OUT": directory.file("out")]
      ).run()
      #expect(ending == .exited(0))
      let read = directory.bytes(of: "out").split(separator: 0, omittingEmptySubsequences: false)
        .dropLast().map { Array($0) }
      #expect(read == words.map { Array($0.utf8) }, "seed \(seed)")
    }
  }

  @Test func `a program has only the given environment`() async throws {
    let command = "test \"$MARK\" = yes -a -z \"$HOME\" #"
    #expect(try await program(command, environment: ["MARK": "yes"]).run() == .exited(0))
  }

  @Test func `a program receives its input, and need not read all of it`() async throws {
    let input = [UInt8](repeating: 65, count: 1 << 20)
    #expect(
      try await program(#"test "$(wc -c)" -eq"#, ["1048576"]).run(input: input) == .exited(0))
    #expect(try await program("head -c 1 >/dev/null").run(input: input) == .exited(0))
  }
}
