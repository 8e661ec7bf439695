// Programs that the user sets: their arguments and how they end.

import Foundation
import Glibc
import PredicateWorld
import Processes
import Testing

@testable import ControlCommands

@Suite("programs of the user")
struct ExternalProgramTests {
  private func run(
    _ command: String, _ arguments: [String] = [], environment: [String: String] = [:]
  ) throws -> ExternalProgram.Ending {
    try ExternalProgram.start(
      command, arguments: arguments,
      environment: ["PATH": "/usr/bin:/bin"].merging(environment) { $1 }
    ).wait()
  }

  @Test(arguments: [0, 1, 2, 64, 126, 127, 255] as [Int32])
  func `an exit status is not taken for a signal`(status: Int32) throws {
    #expect(try run("exit \(status) #") == .exited(status))
  }

  @Test(arguments: [SIGTERM, SIGKILL, SIGINT])
  func `a signal is not taken for an exit status`(signal: Int32) throws {
    #expect(try run("kill -\(signal) $$ #") == .killed(signal))
  }

  @Test func `a command that does not exist has the shell's status`() throws {
    let ending = try ExternalProgram.start(
      "no-such-editor-4711 2>/dev/null", arguments: [], environment: ["PATH": "/usr/bin:/bin"]
    ).wait()
    #expect(ending == .exited(127))
  }

  @Test func `arguments arrive as they are, whatever a shell would make of them`() throws {
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
      let ending = try run(
        "sh \(directory.file("script"))", words, environment: ["OUT": directory.file("out")])
      #expect(ending == .exited(0))
      let read = directory.bytes(of: "out").split(separator: 0, omittingEmptySubsequences: false)
        .dropLast().map { Array($0) }
      #expect(read == words.map { Array($0.utf8) }, "seed \(seed)")
    }
  }

  @Test func `a command line may have arguments of its own, and only the given environment`() throws
  {
    #expect(
      try run("test \"$MARK\" = yes -a -z \"$HOME\" #", environment: ["MARK": "yes"]) == .exited(0))
    #expect(try run("sh -c 'test $# = 2' sh one", ["two words"]) == .exited(0))
  }
}
