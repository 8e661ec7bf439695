// JSON that contactsctl joins and escapes, against Foundation's reader.

import Foundation
import PredicateWorld
import Testing

@testable import ControlCommands

@Suite("JSON that is joined and escaped")
struct JSONTextTests {
  private static func read(_ bytes: [UInt8]) throws -> NSDictionary {
    try #require(JSONSerialization.jsonObject(with: Data(bytes)) as? NSDictionary)
  }

  /// A page of a list, with random spacing.
  private static func page(
    _ items: [FormValue], others: [String: FormValue], _ random: inout SeededGenerator
  ) throws -> [UInt8] {
    let encoder = JSONEncoder()
    if random.percent(50) { encoder.outputFormatting = .prettyPrinted }
    var parts = others
    parts["items"] = .list(items)
    if random.percent(70) { parts["next"] = .text("cursor ]}\"") }
    return Array(try encoder.encode(FormValue.object(parts)))
  }

  @Test func `pages join to one list with the other members of the first page`() throws {
    for seed in 0..<150 {
      var random = SeededGenerator(seed: UInt64(seed))
      var pages: [[UInt8]] = []
      var all: [FormValue] = []
      for index in 0..<(2 + random.below(4)) {
        let items = (0..<random.below(4)).map { _ in
          FormValue.list([.number(random.below(1000)), .text(random.words(upTo: 5) + "]}\"\\,")])
        }
        all += items
        pages.append(
          try Self.page(items, others: ["schema": .number(1), "page": .number(index)], &random))
      }
      let joined = try Self.read(try JSONText.joined(pages, list: "items"))
      let expected = FormValue.object([
        "schema": .number(1), "page": .number(0), "items": .list(all),
      ])
      #expect(joined == (try Self.read(Array(JSONEncoder().encode(expected)))), "seed \(seed)")
    }
  }

  @Test func `a single page is printed as it is, and none is an empty list`() throws {
    let page = Array(#"{ "items" : [1], "next":"x" }"#.utf8)
    #expect(try JSONText.joined([page], list: "items") == page)
    let none = try Self.read(try JSONText.joined([], list: "items"))
    #expect(none == ["schema": 1, "items": [Int]()])
  }

  @Test(arguments: ["", "{", "[]", #"{"items":[1}"#, #"{"items":[1]"#])
  func `what is no page is an error about the versions`(text: String) {
    let good = Array(#"{"items":[1]}"#.utf8)
    let error = #expect(throws: ControlFailure.self) {
      try JSONText.joined([good, Array(text.utf8)], list: "items")
    }
    #expect(error?.code == "incompatibleVersion")
  }

  @Test func `an escaped text means the same and has no control character`() throws {
    for seed in 0..<200 {
      var random = SeededGenerator(seed: UInt64(seed))
      let text = "x" + random.hostile(upTo: 10)
      let bytes = Array(try JSONEncoder().encode(["name": text]))
      let escaped = JSONText.escapingControls(bytes)
      let read = try JSONDecoder().decode([String: String].self, from: Data(escaped))
      #expect(read["name"].map { Array($0.utf8) } == Array(text.utf8), "seed \(seed)")
      for scalar in String(decoding: escaped, as: UTF8.self).unicodeScalars {
        #expect(scalar.properties.generalCategory != .control, "seed \(seed)")
      }
    }
  }

  @Test func `objects are listed in their order`() throws {
    let objects = (0..<3).map { Array("{\"n\":\($0)}".utf8) }
    let read = try Self.read(JSONText.list("contacts", of: objects))
    #expect(read == ["schema": 1, "contacts": [["n": 0], ["n": 1], ["n": 2]]])
    #expect(try Self.read(JSONText.list("contacts", of: []))["contacts"] as? [Int] == [])
  }
}
