// The completion scripts: the shells accept them, and they offer every flag of the help.

import ArgumentParser
import Foundation
import Processes
import Testing

@testable import ControlCommands

@Suite("C4 completion scripts")
struct CompletionScriptTests {
  /// Runs a shell on the script, without executing it. Returns its exit status and what it reported.
  private static func check(
    _ shell: CompletionShell, _ text: String
  ) throws -> (status: Int32, said: String) {
    let directory = try TemporaryDirectory()
    try directory.write(Array(text.utf8), to: "script")
    let options = shell == .fish ? ["--no-execute"] : ["-n"]
    let program = try RunningProgram(
      "/usr/bin/\(shell.rawValue)", options + [directory.file("script")])
    let status = program.waitUntilEnd()
    return (status, program.standardOutput + program.standardError)
  }

  private static func isInstalled(_ shell: CompletionShell) -> Bool {
    FileManager.default.isExecutableFile(atPath: "/usr/bin/\(shell.rawValue)")
  }

  @Test(arguments: [CompletionShell.bash, .zsh, .fish].filter(isInstalled))
  func `the shell accepts its script, and would report a fault in it`(
    shell: CompletionShell
  ) throws {
    let text = CompletionScript.text(for: shell)
    let result = try Self.check(shell, text)
    #expect(result.status == 0, "\(result.said)")
    #expect(result.said.isEmpty)
    let broken = shell == .fish ? text + "\nif true\n" : text + "\nif true; then\n"
    #expect(try Self.check(shell, broken).status != 0)
  }

  /// The flags in the help of a subcommand.
  private static func flags(of type: any ParsableCommand.Type) -> Set<String> {
    let help = Contactsctl.helpMessage(for: type, columns: 400)
    let options = help.split(separator: "\n").filter { $0.hasPrefix("  -") }
    return Set(options.flatMap { $0.matches(of: /--([a-z][a-z-]*)/).map { String($0.1) } })
  }

  /// The part of a bash script about one subcommand.
  private static func function(_ name: String, in script: String) -> Substring {
    guard let start = script.range(of: "\n_contactsctl_\(name)() {\n") else { return "" }
    let rest = script[start.upperBound...]
    return rest[..<(rest.range(of: "\n}\n")?.lowerBound ?? rest.endIndex)]
  }

  @Test func `bash's script offers each flag of each subcommand's help`() {
    let script = CompletionScript.text(for: .bash)
    for (name, type) in ManualTests.subcommands {
      // A subcommand with others in it has no flags of its own.
      guard type.configuration.subcommands.isEmpty else { continue }
      let body = Self.function(name.replacing("-", with: "_"), in: script)
      #expect(!body.isEmpty, "\(name)")
      let flags = Self.flags(of: type)
      let isGlobal = type is any ControlCommand.Type
      #expect(flags.isSuperset(of: isGlobal ? ["json", "quiet", "help"] : ["help"]), "\(name)")
      for flag in flags { #expect(body.contains("--\(flag)"), "\(name) --\(flag)") }
    }
  }

  @Test func `zsh's and fish's scripts know every flag`() {
    let zsh = CompletionScript.text(for: .zsh)
    let fish = CompletionScript.text(for: .fish)
    for (_, type) in ManualTests.subcommands {
      for flag in Self.flags(of: type) {
        #expect(zsh.contains("--\(flag)"), "\(flag)")
        #expect(fish.contains("-l '\(flag)'") || fish.contains("-l \(flag)"), "\(flag)")
      }
    }
  }

  @Test func `scripts of this version say so when they request words`() {
    for shell in [CompletionShell.bash, .zsh] {
      #expect(CompletionScript.text(for: shell).contains(CompletionScript.marker))
    }
    #expect(!CompletionScript.text(for: .zsh).contains("unsetopt aliases banghist"))
  }
}
