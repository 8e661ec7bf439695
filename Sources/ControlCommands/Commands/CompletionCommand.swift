// The scripts for shell completion. The parser generates them, so they always contain all subcommands and
// flags.

import ArgumentParser

/// `completion`: print a script for shell completion.
struct CompletionCommand: ParsableCommand {
  enum Shell: String, ExpressibleByArgument, CaseIterable { case bash, zsh, fish }

  static let configuration = CommandConfiguration(
    commandName: "completion", abstract: "Print a shell's completion script.")

  @Argument(help: "The shell.") var shell: Shell

  func run() throws {
    let kind: CompletionShell =
      switch shell {
      case .bash: .bash
      case .zsh: .zsh
      case .fish: .fish
      }
    throw CleanExit.message(CompletionScript.text(for: kind))
  }
}
