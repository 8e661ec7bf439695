// JSON against Foundation's: what is written here means the same there, and the reverse.

import Foundation
import PredicateWorld
import Testing

@testable import ContactCards

@Suite("A2 JSON against a second parser")
struct JSONNodeTests {
  /// A random value, and its text in a random layout.
  private func random(
    _ random: inout RandomContacts, depth: Int = 0
  ) -> (node: JSONNode, text: String) {
    let blank = random.random.one(of: ["", "", " ", "\n\t", "\r\n"])
    func around(_ text: String) -> String { blank + text + blank }
    switch random.random.below(depth < 4 ? 7 : 5) {
    case 0: return (.null, around("null"))
    case 1: return (.boolean(true), around("true"))
    case 2: return (.boolean(false), around("false"))
    case 3:
      let number = random.random.one(of: ["0", "-1", "12.5", "1e3", "-0.25E-2", "9007199254740991"])
      return (.number(number), around(number))
    case 4:
      let text = random.text(12)
      return (.string(text), around(quoted(text, &random.random)))
    case 5:
      let items = (0..<random.random.below(4)).map { _ in self.random(&random, depth: depth + 1) }
      let text = items.map(\.text).joined(separator: ",")
      return (.array(items.map(\.node)), around("[" + blank + text + "]"))
    default:
      let members = (0..<random.random.below(4)).map { index in
        (key: "\(index)" + random.text(3), value: self.random(&random, depth: depth + 1))
      }
      let text = members.map { quoted($0.key, &random.random) + blank + ":" + $0.value.text }
      return (
        .object(members.map { JSONNode.Member(key: $0.key, value: $0.value.node) }),
        around("{" + blank + text.joined(separator: ",") + "}")
      )
    }
  }

  /// Returns `text` in quotes, with more escapes than necessary.
  private func quoted(_ text: String, _ random: inout SeededGenerator) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
      let isFree = scalar.value >= 0x20 && scalar != "\"" && scalar != "\\"
      if isFree, random.percent(80) {
        result.unicodeScalars.append(scalar)
      } else {
        for unit in String(scalar).utf16 {
          let digits = String(unit, radix: 16, uppercase: random.percent(50))
          result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
        }
      }
    }
    return result + "\""
  }

  private func written(_ node: JSONNode) -> [UInt8] {
    var bytes: [UInt8] = []
    node.write(to: &bytes)
    return bytes
  }

  /// The value as Foundation writes it, in one layout for equal values. Foundation leaves out some byte order marks, so
  /// none of them is compared.
  private func normal(_ bytes: [UInt8]) throws -> String {
    let value = try JSONSerialization.jsonObject(with: Data(bytes), options: .fragmentsAllowed)
    return String(
      decoding: try JSONSerialization.data(
        withJSONObject: value, options: [.fragmentsAllowed, .sortedKeys]), as: UTF8.self
    ).replacing("\u{FEFF}", with: "")
  }

  @Test func `every value is parsed, and written as it was read`() throws {
    for seed in 1...150 {
      var random = RandomContacts(seed: seed)
      let (node, text) = self.random(&random)
      let parsed = try #require(JSONNode(Array(text.utf8)), "seed \(seed): \(text)")
      #expect(written(parsed) == written(node), "seed \(seed): \(text)")
      #expect(JSONNode(written(node)) == parsed, "seed \(seed)")
      let (ours, theirs) = (try normal(written(node)), try normal(Array(text.utf8)))
      #expect(ours == theirs, "seed \(seed): \(text)")
    }
  }

  @Test func `a value that is cut or followed by another is none`() {
    for seed in 1...40 {
      var random = RandomContacts(seed: seed)
      let bytes = Array(("[" + self.random(&random).text + "]").utf8)
      for count in 0..<bytes.count {
        #expect(JSONNode(Array(bytes.prefix(count))) == nil, "seed \(seed) cut at \(count)")
      }
      #expect(JSONNode(bytes + Array(" 1".utf8)) == nil, "seed \(seed)")
      #expect(JSONNode(bytes + Array(" \n".utf8)) != nil, "seed \(seed)")
    }
  }

  @Test(arguments: [
    "nul", "True", "[1,]", "[,1]", "{\"a\"}", "{\"a\":}", "{a:1}", "{\"a\":1,}", "\"\\x\"",
    "\"\\u12G4\"", "\"\\u123\"", "--1", "1.2.3", "-", "e", "[1 2]", "'a'", "",
  ])
  func `what is no JSON is not parsed`(text: String) {
    #expect(JSONNode(Array(text.utf8)) == nil)
  }

  @Test(arguments: [
    (#""\ud83d\ude00""#, "😀"), (#""\ud83d""#, "\u{FFFD}"), (#""\ude00a""#, "\u{FFFD}a"),
    (#""\ud83d\u0041""#, "\u{FFFD}A"), (#""\ud83d\ud83d\ude00""#, "\u{FFFD}😀"),
    (#""\b\f\n\r\t\/\\\"""#, "\u{8}\u{C}\n\r\t/\\\""), (#""\u0000""#, "\u{0}"),
  ])
  func `escapes are scalars, and half a pair is a replacement character`(
    text: String, expected: String
  ) {
    #expect(JSONNode(Array(text.utf8)) == .string(expected))
  }
}
