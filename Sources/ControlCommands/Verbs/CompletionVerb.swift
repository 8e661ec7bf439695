// What a shell needs to complete words. The parser knows all verbs and flags, so the script cannot
// fall behind them.

import ArgumentParser

/// `completion`: what a shell needs to complete words.
struct CompletionVerb: ParsableCommand {
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
