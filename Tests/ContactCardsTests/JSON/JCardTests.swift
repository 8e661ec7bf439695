// jCard against arrays that the test composes by the rules of RFC 7095, from the parts of each property.

import Foundation
import PredicateWorld
import Testing

@testable import ContactCards

@Suite("A2 jCard against the standard's arrays")
struct JCardTests {
  /// A property, and its array by RFC 7095.
  private typealias Case = (property: CardProperty, array: [Any])

  private func text(_ random: inout RandomContacts) -> String { trimmed(plain(random.text(10))) }

  private func texts(_ random: inout RandomContacts, from least: Int) -> [String] {
    (0..<(least + random.random.below(3))).map { _ in text(&random) }
  }

  /// A property of one text.
  private func single(_ random: inout RandomContacts) -> Case {
    let name = random.random.one(of: ["FN", "NOTE", "TITLE", "ROLE", "TEL", "EMAIL", "KIND"])
    let value = text(&random)
    let property = CardProperty(
      name: name,
      parameters: [CardParameter("TYPE", ["home", "voice"]), CardParameter("PREF", ["1"])],
      value: plainlyEscaped(value))
    return (
      property, [name.lowercased(), ["type": ["home", "voice"], "pref": "1"], "text", value]
    )
  }

  /// A property of components, some of which are lists.
  private func structured(_ random: inout RandomContacts) -> Case {
    let (name, count) = random.random.one(of: [("N", 5), ("ADR", 7), ("ORG", 2), ("GENDER", 2)])
    let parts = (0..<count).map { _ in texts(&random, from: 1) }
    let value = parts.map { $0.map(plainlyEscaped).joined(separator: ",") }.joined(separator: ";")
    let array: [Any] = parts.map { $0.count == 1 ? $0[0] as Any : $0 as Any }
    return (
      CardProperty(name: name, value: value), [name.lowercased(), [String: Any](), "text", array]
    )
  }

  /// A property of several texts.
  private func several(_ random: inout RandomContacts) -> Case {
    let name = random.random.one(of: ["CATEGORIES", "NICKNAME"])
    let all = texts(&random, from: 1)
    let property = CardProperty(
      group: "item1", name: name, value: all.map(plainlyEscaped).joined(separator: ","))
    return (property, [name.lowercased(), ["group": "item1"], "text"] + all)
  }

  private func fixed(_ random: inout RandomContacts) -> Case {
    let none: [String: Any] = [:]
    let cases: [Case] = [
      (
        CardProperty(name: "BDAY", value: "19840605"),
        ["bday", none, "date-and-or-time", "1984-06-05"]
      ),
      (CardProperty(name: "BDAY", value: "--0605"), ["bday", none, "date-and-or-time", "--06-05"]),
      (
        CardProperty(name: "REV", value: "20260304T050607Z"),
        ["rev", none, "timestamp", "2026-03-04T05:06:07Z"]
      ),
      (
        CardProperty(
          name: "ANNIVERSARY", parameters: [CardParameter("VALUE", ["text"])], value: "soon\\, A"),
        ["anniversary", none, "text", "soon, A"]
      ),
      (
        CardProperty(name: "URL", value: "https://example.com/a,b;c"),
        ["url", none, "uri", "https://example.com/a,b;c"]
      ),
      (
        CardProperty(
          name: "RELATED", parameters: [CardParameter("VALUE", ["TEXT"])], value: "A\\;B"),
        ["related", none, "text", "A;B"]
      ),
      (CardProperty(name: "X-ODD", value: "a\\,b;c"), ["x-odd", none, "unknown", "a\\,b;c"]),
    ]
    return random.random.one(of: cases)
  }

  /// Foundation leaves out some byte order marks, so none of them is compared.
  private func normal(_ value: Any) throws -> String {
    String(
      decoding: try JSONSerialization.data(withJSONObject: value, options: .sortedKeys),
      as: UTF8.self
    ).replacing("\u{FEFF}", with: "")
  }

  @Test func `a card is written as the array of the standard, and read back`() throws {
    for seed in 1...60 {
      var random = RandomContacts(seed: seed)
      let cases = (0..<7).map { index in
        switch index % 4 {
        case 0: single(&random)
        case 1: structured(&random)
        case 2: several(&random)
        default: fixed(&random)
        }
      }
      var card = Card(line: 1, version: .four)
      card.properties = cases.map(\.property)
      var bytes: [UInt8] = []
      JCard.node(card).write(to: &bytes)
      let version: [Any] = ["version", [String: Any](), "text", "4.0"]
      let expected: [Any] = ["vcard", [version as Any] + cases.map { $0.array as Any }]
      let written = try normal(JSONSerialization.jsonObject(with: Data(bytes)))
      #expect(written == (try normal(expected)), "seed \(seed)")
      let node = try #require(JSONNode(bytes))
      let again = try #require(JCard.card(node, line: 1), "seed \(seed)")
      #expect(ImportedContact(again).draft == ImportedContact(card).draft, "seed \(seed)")
    }
  }

  @Test(arguments: [
    #"["vcard"]"#, #"["vcard",[],[]]"#, #"["vcalendar",[]]"#, #"[1,[]]"#, #"{"vcard":[]}"#,
    #""vcard""#,
  ])
  func `what is no card is none`(text: String) throws {
    let node = try #require(JSONNode(Array(text.utf8)))
    #expect(JCard.card(node, line: 1) == nil)
  }

  @Test(arguments: [
    #"["fn",{},"text"]"#, #"["",{},"text","a"]"#, #"["f n",{},"text","a"]"#,
    #"["fn",{},null,"a"]"#, #"{"fn":"a"}"#, "7",
  ])
  func `an item that is no property is lost alone`(item: String) throws {
    let text = "[\"VCARD\",[\(item),[\"tel\",{},\"text\",\"1\"]]]"
    let node = try #require(JSONNode(Array(text.utf8)))
    let card = try #require(JCard.card(node, line: 4))
    #expect(card.properties.map(\.name) == ["TEL"])
    #expect(card.findings.map(\.outcome) == [.lost] && card.findings.map(\.line) == [4])
  }
}
