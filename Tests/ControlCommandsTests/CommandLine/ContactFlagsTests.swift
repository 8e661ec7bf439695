// The flags of `add` and `edit` as the properties that the agent gets.

import ArgumentParser
import PredicateWorld
import TestTiers
import Testing

@testable import ControlCommands

@Suite("C1 flags for properties")
struct ContactFlagsTests {
  private static let texts = [
    ("--first", "firstName"), ("--last", "lastName"), ("--company", "company"),
    ("--birthday", "birthday"), ("--note", "note"), ("--title", "title"),
    ("--prefix", "namePrefix"), ("--middle", "middleName"), ("--suffix", "nameSuffix"),
    ("--nickname", "nickname"), ("--role", "role"), ("--anniversary", "anniversary"),
  ]

  private static func flags(_ line: [String]) throws -> ContactFlags {
    try ContactFlags.parse(line)
  }

  @Test func `random flags are the properties that they name, and no others`() throws {
    var parsed = 0
    for seed in 0..<TestTier.cases(300) {
      var random = SeededGenerator(seed: UInt64(seed))
      var line: [String] = []
      var expected: [String: FormValue] = [:]
      for (flag, name) in Self.texts where random.percent(40) {
        let value = random.hostile(upTo: 5)
        line.append("\(flag)=\(value)")
        expected[name] = .text(value)
      }
      if random.percent(40) {
        let isSet = random.percent(50)
        line.append(isSet ? "--emergency" : "--no-emergency")
        expected["emergency"] = .flag(isSet)
      }
      let phones = (0..<random.below(4)).map { "55\($0)" }
      if !phones.isEmpty {
        line += phones.map { "--phone=home=\($0)" }
        expected["phones"] = .list(
          phones.map { .object(["label": .text("home"), "value": .text($0)]) })
      }
      if random.percent(30) {
        line += ["--address", "work:city=Graz,zip=8010"]
        expected["addresses"] = .list([
          .object(["label": .text("work"), "city": .text("Graz"), "zipcode": .text("8010")])
        ])
      }
      // The parser does not split at `=` if a combining mark follows.
      guard let flags = try? Self.flags(line) else { continue }
      parsed += 1
      #expect(try flags.properties() == expected, "seed \(seed): \(line)")
      #expect(flags.isEmpty == expected.isEmpty, "seed \(seed): \(line)")
    }
    #expect(parsed > TestTier.cases(300) / 4)
  }

  @Test func `an entry without a label has an empty one; of several texts the last counts`() throws
  {
    let flags = try Self.flags(["--email", "a@b", "--first", "A", "--first", "B"])
    #expect(
      try flags.properties() == [
        "firstName": .text("B"),
        "emails": .list([.object(["label": .text(""), "value": .text("a@b")])]),
      ])
  }

  @Test func `web addresses, categories and a note of several lines are taken as typed`() throws {
    let flags = try Self.flags([
      "--url", "blog=https://ada.example/?a=b", "--url", "ada.example", "--category", "friends",
      "--category", "choir, rowing", "--note", "one\n\n  two",
    ])
    #expect(
      try flags.properties() == [
        "urls": .list([
          .object(["label": .text("blog"), "value": .text("https://ada.example/?a=b")]),
          .object(["label": .text(""), "value": .text("ada.example")]),
        ]),
        "categories": .list([.text("friends"), .text("choir"), .text("rowing")]),
        "note": .text("one\n\n  two"),
      ])
  }

  @Test func `a profile is a parameter of the request, not a property`() throws {
    let flags = try Self.flags(["--profile", "us-form"])
    #expect(flags.query.map(\.0) == ["profile"] && flags.query.map(\.1) == ["us-form"])
    #expect(flags.isEmpty)
    #expect(try flags.properties().isEmpty)
    #expect(try Self.flags([]).query.isEmpty)
  }

  @Test(arguments: [
    ["--profile", "US-FORM"], ["--profile", ""], ["--first"], ["--phones", "1"], ["extra"],
  ])
  func `what is none of the flags is refused`(line: [String]) {
    #expect(throws: (any Error).self) { try Self.flags(line) }
  }
}
