// The usage line of a subcommand is wrapped between flags.

import PredicateWorld
import Testing

@testable import ControlCommands

@Suite("help that fits")
struct HelpTextTests {
  @Test func `a usage of random flags fits, and loses nothing`() {
    for seed in 0..<200 {
      var random = SeededGenerator(seed: UInt64(seed))
      let flags = (0..<random.below(15)).map { _ in Self.flag(&random) }
      let usage = "USAGE: contactsctl subcommand" + flags.map { " " + $0 }.joined()
      let limit = 40 + random.below(60)
      let lines = HelpText.fit(usage + "\n\nOPTIONS:", limit: limit).split(
        separator: "\n", omittingEmptySubsequences: false)
      #expect(lines.suffix(2) == ["", "OPTIONS:"], "seed \(seed)")
      let wrapped = lines.dropLast(2)
      for line in wrapped {
        // A flag that is wider than the terminal has a line of its own.
        let isAlone = flags.contains { line.drop { $0 == " " } == $0 }
        #expect(line.count <= limit || isAlone, "seed \(seed): \(line)")
      }
      let joined = wrapped.map { $0.drop { $0 == " " } }.joined(separator: " ")
      #expect(joined == usage, "seed \(seed)")
      // Each flag is with its value, and lines after the first are below its words.
      for flag in flags { #expect(wrapped.contains { $0.contains(flag) }, "seed \(seed): \(flag)") }
      for line in wrapped.dropFirst() { #expect(line.hasPrefix("       "), "seed \(seed)") }
    }
  }

  private static func flag(_ random: inout SeededGenerator) -> String {
    let name = "--" + String(repeating: "n", count: 1 + random.below(12))
    return switch random.below(4) {
    case 0: "[\(name)]"
    case 1: "[\(name) <\(String(repeating: "v", count: 1 + random.below(10)))>]"
    case 2: "[\(name) <a b [c]> ...]"
    default: "<\(name.dropFirst(2))>"
    }
  }

  @Test func `other lines stay as they are, however long`() {
    let long = String(repeating: "word ", count: 60)
    #expect(HelpText.fit(long, limit: 20) == long)
    #expect(HelpText.fit("  USAGE: \(long)", limit: 20) == "  USAGE: \(long)")
    #expect(HelpText.fit("", limit: 20) == "")
  }
}
