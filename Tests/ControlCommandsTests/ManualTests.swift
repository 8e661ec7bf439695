// The manual pages in docs/man against what the program says of itself; `make manual` writes them.

import ArgumentParser
import Foundation
import Testing

@testable import ControlCommands

@Suite("manual pages")
struct ManualTests {
  static let folder = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().appending(path: "docs/man")

  /// Every subcommand with the words that name it, subcommands within subcommands too.
  static let subcommands: [(name: String, type: any ParsableCommand.Type)] = Contactsctl.subcommands
    .flatMap {
      subcommand in
      let inner = subcommand.configuration.subcommands.map {
        ("\(subcommand._commandName)-\($0._commandName)", $0)
      }
      return [(subcommand._commandName, subcommand)] + inner
    }

  @Test func `every subcommand has a page that names all its flags`() throws {
    for (name, type) in Self.subcommands {
      let url = Self.folder.appending(path: "contactsctl-\(name).1")
      let page = try #require(try? String(contentsOf: url, encoding: .utf8), "\(name): make manual")
      let help = Contactsctl.helpMessage(for: type, columns: 400)
      for flag in help.matches(of: /--([a-z][a-z-]*)/) {
        // In a sentence the page writes it as it is, in its own place as a flag.
        let isThere = page.contains("Fl -\(flag.1)") || page.contains("--\(flag.1)")
        #expect(isThere, "\(name) --\(flag.1): make manual")
      }
    }
  }

  @Test func `every subcommand says what it does, and fits a terminal of 80 columns`() {
    for (name, type) in Self.subcommands {
      #expect(!type.configuration.abstract.isEmpty, "\(name)")
      let help = HelpText.fit(Contactsctl.helpMessage(for: type, columns: 80), limit: 80)
      let widest = help.split(separator: "\n").map { TextWidth.columns(of: String($0)) }.max() ?? 0
      #expect(widest <= 80, "\(name): \(help)")
    }
    let wrapped = HelpText.fit("USAGE: a [--b <c [d] e>] [--f] g h\nmore", limit: 27)
    #expect(wrapped == "USAGE: a [--b <c [d] e>]\n       [--f] g h\nmore")
    let short = ShortHelp.text.split(separator: "\n").map(\.count).max() ?? 0
    #expect(short <= 80)
  }

  @Test(arguments: [CompletionShell.bash, .zsh, .fish])
  func `each shell's script knows every subcommand`(shell: CompletionShell) {
    let script = CompletionScript.text(for: shell)
    for (name, _) in Self.subcommands where !name.contains("-") { #expect(script.contains(name)) }
  }
}
