// The commands that the introduction suggests.

import ArgumentParser
import Testing

@testable import ControlCommands

@Suite("A2 the introduction")
struct ShortHelpTests {
  @Test func `every command that it suggests is one`() throws {
    let lines = ShortHelp.text.split(separator: "\n").filter { $0.hasPrefix("  contactsctl ") }
    #expect(lines.count >= 5)
    for line in lines {
      // What follows two blanks is the description.
      let command = String(line.dropFirst(2)).split(separator: "  ")[0]
      let words = command.split(separator: " ").dropFirst().map(String.init)
      #expect(throws: Never.self, "\(line)") { try WordCheck.check(words) }
      #expect(try Contactsctl.parseAsRoot(words) is any ControlCommand, "\(line)")
    }
  }

  @Test func `the subcommands that its sentences name exist`() throws {
    let named = ShortHelp.text.matches(of: /contactsctl ([a-z]+)/).map { String($0.1) }
    let subcommands = Contactsctl.subcommands.map { $0._commandName } + ["help"]
    for name in named { #expect(subcommands.contains(name), "\(name)") }
    #expect(named.contains("setup"))
  }
}
