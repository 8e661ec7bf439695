// Words of a command line against a real shell: bash reads the words that contactsctl reads, and those that
// it offers.

import ArgumentParser
import PredicateWorld
import Processes
import Testing

@testable import ControlCommands

/// Words that bash reads.
enum ShellWords {
  /// Returns each of `words`, which are complete words of the shell's language, as bash reads it.
  static func read(_ words: [String]) throws -> [String] {
    let script = "printf '%s\\0' \\\n" + words.joined(separator: " \\\n") + "\n"
    let directory = try TemporaryDirectory()
    try directory.write(Array(script.utf8), to: "script")
    let program = try RunningProgram(
      "/bin/bash", ["--norc", directory.file("script")], environment: ["LC_ALL": "C.UTF-8"])
    try #require(program.waitUntilEnd() == 0)
    return program.standardOutput.split(separator: "\0", omittingEmptySubsequences: false)
      .dropLast()
      .map { String($0) }
  }
}

@Suite("C4 typed and offered words in a real shell")
struct TypedWordPropertyTests {
  /// A word in the language of the shell, and the mark that is still open at its end.
  private static func typed(_ random: inout SeededGenerator) -> (raw: String, open: String) {
    var raw = "x"
    for _ in 0..<random.below(5) {
      let (quote, part) = part(&random)
      raw += quote + part + quote
    }
    guard random.percent(50) else { return (raw, "") }
    let (quote, part) = part(&random)
    return (raw + quote + part, quote)
  }

  private static func part(_ random: inout SeededGenerator) -> (quote: String, part: String) {
    switch random.below(3) {
    case 0: ("'", random.text(of: ["a", " ", "\\", "\"", "$x", "`", "!", "é", ";", "*"], upTo: 5))
    case 1:
      (
        "\"",
        random.text(
          of: ["a", " ", "\\\\", "\\\"", "\\$", "\\`", "\\a", "\\ ", "'", "é", ";", "*"], upTo: 5)
      )
    default: ("", random.text(of: ["a", "\\ ", "\\\\", "\\'", "\\\"", "\\$", "\\;", "é"], upTo: 5))
    }
  }

  @Test func `a typed word is read as bash reads it, with the open mark closed`() throws {
    var words: [(raw: String, open: String)] = []
    for seed in 0..<300 {
      var random = SeededGenerator(seed: UInt64(seed))
      words.append(Self.typed(&random))
    }
    let read = try ShellWords.read(words.map { $0.raw + $0.open })
    try #require(read.count == words.count)
    for (seed, (word, text)) in zip(words, read).enumerated() {
      let typed = TypedWord(shell: word.raw)
      #expect(typed.text == text, "seed \(seed): \(word.raw)")
      let quote: TypedWord.Quote =
        word.open == "'" ? .single : word.open == "\"" ? .double : .none
      #expect(typed.quote == quote, "seed \(seed): \(word.raw)")
      #expect(text.hasPrefix(typed.beforeQuote), "seed \(seed): \(word.raw)")
    }
  }

  @Test func `a name that bash is offered is the word that it reads, whatever is in it`() throws {
    var names: [String] = []
    for seed in 0..<300 {
      var random = SeededGenerator(seed: UInt64(seed))
      let name = "x" + PlainText.clean(random.hostile(upTo: 10))
      names.append(name)
    }
    let reader = OfferedWord.Reader(
      shell: .bash, hasOurScript: true, typed: TypedWord(plain: ""))
    let offered = names.compactMap { OfferedWord($0).line(for: reader) }
    try #require(offered.count == names.count)
    #expect(try ShellWords.read(offered) == names)
  }

  @Test(arguments: ["'", "\""])
  func `a name that continues an open mark is the word that bash reads`(mark: String) throws {
    var names: [String] = []
    for seed in 0..<300 {
      var random = SeededGenerator(seed: UInt64(seed))
      names.append("x" + PlainText.clean(random.hostile(upTo: 10)))
    }
    let reader = OfferedWord.Reader(
      shell: .bash, hasOurScript: true, typed: TypedWord(shell: mark))
    let offered = names.compactMap { OfferedWord($0).line(for: reader) }
    try #require(offered.count == names.count)
    #expect(try ShellWords.read(offered.map { mark + $0 + mark }) == names)
  }
}
