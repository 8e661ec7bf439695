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

  private static func typed(_ text: String, _ kind: LabeledKind) throws -> LabeledArgument {
    try LabeledArgument(typed: text, kind: kind, flag: "--phone")
  }

  @Test(
    arguments: [
      ("home: 555", .phone, "home", "555"), ("home:555", .phone, "home", "555"),
      ("summer house: +46 8 5555", .phone, "summer house", "+46 8 5555"),
      ("fax 2: 555", .phone, "fax 2", "555"), ("2nd home: a@x", .email, "2nd home", "a@x"),
      ("work:me@x", .email, "work", "me@x"), ("tel: 555", .phone, "tel", "555"),
      ("home=+1 555", .phone, "home", "+1 555"), ("phone 2=555", .phone, "phone 2", "555"),
      ("tel:+46701740610", .phone, nil, "tel:+46701740610"),
      ("TEL:+46;phone-context=+1", .phone, nil, "TEL:+46;phone-context=+1"),
      ("sip:ada@example.com", .email, nil, "sip:ada@example.com"),
      ("mailto:a@b?cc=c@d", .email, nil, "mailto:a@b?cc=c@d"),
      ("10:30", .phone, nil, "10:30"), ("fe80::1", .phone, nil, "fe80::1"),
      ("me@[IPv6:fe80::1]", .email, nil, "me@[IPv6:fe80::1]"),
    ] as [(String, LabeledKind, String?, String)])
  func `a colon ends a label of words, and is part of URIs, times and IPv6 addresses`(
    text: String, kind: LabeledKind, label: String?, value: String
  ) throws {
    let argument = try Self.typed(text, kind)
    #expect(argument.label == label)
    #expect(argument.value == value)
  }

  @Test(
    arguments: [
      ("https://ada.example/?a=b", nil, "https://ada.example/?a=b"),
      ("blog=https://ada.example", "blog", "https://ada.example"),
      ("my blog: ada.example", "my blog", "ada.example"),
      ("work:https://ada.example:8080/x", "work", "https://ada.example:8080/x"),
      ("work:www.ada.example", "work", "www.ada.example"), ("=ada.example", "", "ada.example"),
      ("ada.example/?q=x.y", nil, "ada.example/?q=x.y"), ("gopher://ada", nil, "gopher://ada"),
      ("matrix:u/ada:ada.example", nil, "matrix:u/ada:ada.example"),
      ("localhost:8080", nil, "localhost:8080"), ("ada", nil, "ada"), ("", nil, ""),
    ] as [(String, String?, String)])
  func `a web address keeps its colons and equals signs`(
    text: String, label: String?, value: String
  ) throws {
    for argument in [
      try Self.typed(text, .url), LabeledArgument(newValue: text, kind: .url),
    ] {
      #expect(argument.label == label)
      #expect(argument.value == value)
    }
  }

  @Test(
    arguments: [
      ("home:", .phone), ("home: call me", .phone), ("work: me", .email), ("abcd::1", .phone),
      ("at home:a:1", .phone),
    ] as [(String, LabeledKind)])
  func `a label with a colon and no value after it is refused`(text: String, kind: LabeledKind) {
    let error = #expect(throws: ControlFailure.self) { try Self.typed(text, kind) }
    #expect(error?.exitCode == .usage)
    #expect(error?.message.hasPrefix("--phone: “") == true)
    #expect(error?.message.contains(kind.noun) == true)
  }

  @Test func `a label of letters and a value come back with “=”, “:” and “: ”`() throws {
    let letters = Array("abcXYZéö李")
    for seed in 0..<300 {
      var random = SeededGenerator(seed: UInt64(seed))
      let label = "a" + String((0...random.below(8)).map { _ in random.one(of: letters) })
      let isPhone = random.percent(50)
      let digits = String((0...random.below(9)).map { _ in random.one(of: Array("0123456789")) })
      let value = isPhone ? "+\(digits)" : "a\(digits)@example.com"
      // One of the schemes is a label only before a blank.
      let separator = random.one(of: ["=", ":", ": "])
      guard separator != ":" || !LabeledArgument.schemes.contains(label.lowercased()) else {
        continue
      }
      let argument = try Self.typed("\(label)\(separator)\(value)", isPhone ? .phone : .email)
      #expect(argument.label == label, "seed \(seed)")
      #expect(argument.value == value, "seed \(seed)")
    }
  }

  @Test func `a URI is one value, whatever follows its scheme`() throws {
    for seed in 0..<300 {
      var random = SeededGenerator(seed: UInt64(seed))
      let scheme = random.one(of: LabeledArgument.schemes.sorted())
      let uri = (random.percent(50) ? scheme : scheme.uppercased()) + ":x" + random.hostile(upTo: 6)
      // A combining mark after the colon would make another character of it; “x” prevents that.
      for kind in [LabeledKind.phone, .email] {
        let argument = try Self.typed(uri, kind)
        #expect(argument.label == nil && argument.value == uri, "seed \(seed): \(uri)")
      }
    }
  }

  @Test func `whatever is typed is a label and a value of the text, or refused`() {
    for seed in 0..<400 {
      var random = SeededGenerator(seed: UInt64(seed))
      let text = random.words(upTo: 2) + random.one(of: ["", ":", ": "]) + random.hostile(upTo: 8)
      for kind in [LabeledKind.phone, .email, .url] {
        do throws(ControlFailure) {
          let argument = try LabeledArgument(typed: text, kind: kind, flag: "--email")
          #expect(text.hasPrefix(argument.label ?? ""), "seed \(seed): \(text)")
          #expect(text.hasSuffix(argument.value), "seed \(seed): \(text)")
          #expect(
            argument.label == nil || kind.makesSense(argument.value[...]), "seed \(seed): \(text)")
        } catch {
          #expect(error.exitCode == .usage, "seed \(seed)")
          #expect(PlainText.clean(error.message) == error.message, "seed \(seed): \(text)")
        }
      }
    }
  }
}
