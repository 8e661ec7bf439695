// `[LABEL=]VALUE` and `ENTRY=…`, as they are written and read again.

import PredicateWorld
import Testing

@testable import ControlCommands

@Suite("A2 round trips of labeled arguments")
struct LabeledArgumentPropertyTests {
  @Test func `a label without the separator comes back, whatever the value`() {
    for seed in 0..<400 {
      var random = SeededGenerator(seed: UInt64(seed))
      let separator: Character = random.percent(50) ? "=" : ":"
      let label = random.words(upTo: 4).filter { $0 != separator }
      let isPhone = random.percent(50)
      // A value of the kind has a digit, or an “@”.
      let value = random.hostile(upTo: 4) + (isPhone ? "7x" : "@x") + random.hostile(upTo: 4)
      let argument = LabeledArgument(
        "\(label)\(separator)\(value)", kind: isPhone ? .phone : .email, separator: separator)
      // A combining mark after the separator makes another character of it.
      guard "\(separator)\(value)".first == separator, "\(label)\(separator)".last == separator
      else { continue }
      #expect(argument.label == label, "seed \(seed)")
      #expect(argument.value == value, "seed \(seed)")
    }
  }

  @Test func `a text that is no value after its separator is a value as a whole`() {
    for seed in 0..<400 {
      var random = SeededGenerator(seed: UInt64(seed))
      let text = random.hostile(upTo: 10)
      for kind in [LabeledKind.phone, .email] {
        let argument = LabeledArgument(text, kind: kind)
        let whole = argument.label.map { "\($0)=\(argument.value)" } ?? argument.value
        #expect(whole == text, "seed \(seed): nothing is lost")
        if argument.label == nil, let end = text.firstIndex(of: "=") {
          let rest = text[text.index(after: end)...]
          #expect(
            kind == .phone ? !rest.contains(where: \.isWholeNumber) : !rest.contains("@"),
            "seed \(seed): \(text)")
        }
      }
    }
  }

  @Test func `an entry is what precedes the first sign, in lower case`() throws {
    for seed in 0..<200 {
      var random = SeededGenerator(seed: UInt64(seed))
      let entry = (0...random.below(8)).map { _ in random.one(of: Array("0123456789ABCDEFabcdef")) }
      let rest = random.words(upTo: 5)
      let argument = try EntryArgument("\(String(entry))=\(rest)", flag: "--set-phone")
      #expect(argument.entry == String(entry).lowercased(), "seed \(seed)")
      #expect(argument.rest == rest, "seed \(seed)")
    }
  }

  @Test(arguments: ["", "=", "=x", "abc", "\u{1B}[2J", "a\nb"])
  func `what is no entry with a value is a usage error that names the flag`(text: String) {
    let error = #expect(throws: ControlFailure.self) { try EntryArgument(text, flag: "--label") }
    #expect(error?.exitCode == .usage)
    #expect(error?.message.hasPrefix("--label needs the form ENTRY=VALUE") == true)
    #expect(error.map { PlainText.clean($0.message) == $0.message } == true)
  }
}
