// The JSON of the API: what scripts read, in an order for people.

import Foundation
import PredicateWorld
import Records
import Testing

@testable import AgentAPI

@Suite("C10 agent JSON")
struct OrderedJSONTests {
  private struct Sample: Codable, Equatable {
    var zebra = 1
    var apple: String?
    var list = [1, 2]
    var empty: [Int] = []
    var inner = Inner()
    var several = [Inner(), Inner()]
    var big: Int64? = .max
    var none: Int64?
    var half: Double? = 0.5
    var flag: Bool? = true
  }

  private struct Inner: Codable, Equatable {
    var name = "x"
    var missing: Bool?
  }

  private func text(_ value: some Encodable) throws -> String {
    String(decoding: try OrderedJSON.bytes(of: value), as: UTF8.self)
  }

  @Test func `a number that JSON does not have is null, and ends nothing`() throws {
    let text = String(
      decoding: try OrderedJSON.bytes(of: [Double.nan, .infinity, -.infinity, 1.5]), as: UTF8.self)
    #expect(text == "[null,null,null,1.5]")
  }

  @Test func `keys are in the order of declaration, and nil is null`() throws {
    #expect(
      try text(Sample())
        == #"{"zebra":1,"apple":null,"list":[1,2],"empty":[],"inner":{"name":"x","missing":null},"#
        + #""several":[{"name":"x","missing":null},{"name":"x","missing":null}],"#
        + #""big":9223372036854775807,"none":null,"half":0.5,"flag":true}"#)
  }

  @Test func `an item and the properties of its response are one object`() throws {
    #expect(
      try text(SingleView(GroupForm(title: "Friends"))) == #"{"schema":1,"title":"Friends"}"#)
    let conflict = ConflictItem(
      id: "i", contact: "c", name: "n", kind: "values", field: "note", mine: "a",
      mineBy: AuthorView(account: "", device: ""), theirs: "b",
      theirsBy: AuthorView(account: "ada", device: "laptop"), shown: "mine",
      found: Timestamp(microseconds: 1_500_000))
    #expect(
      try text(ResolvedView(conflict: conflict, resolved: "both"))
        == #"{"schema":1,"id":"i","contact":"c","name":"n","kind":"values","field":"note","#
        + #""mine":"a","mineBy":{"account":"","device":""},"theirs":"b","theirsBy":{"account":"ada","device":"laptop"},"#
        + #""shown":"mine","found":"1970-01-01T00:00:01.5Z","resolved":"both"}"#)
  }

  @Test func `no control character of a text is written as it is`() throws {
    for scalar in (0...0x2FF).compactMap(Unicode.Scalar.init) {
      let value = "a\(Character(scalar))é"
      let written = try text([value])
      #expect(!written.unicodeScalars.contains { $0.properties.generalCategory == .control })
      #expect(try JSONDecoder().decode([String].self, from: Data(written.utf8)) == [value])
    }
  }

  @Test(arguments: ["\"\\/", "a\nb\tc", "\u{0}\u{1F}\u{7F}", "é李🎈", ""])
  func `any text survives`(value: String) throws {
    let bytes = try OrderedJSON.bytes(of: ["key": value])
    #expect(try JSONDecoder().decode([String: String].self, from: Data(bytes)) == ["key": value])
  }

  @Test(arguments: 0..<40 as Range<UInt64>)
  func `a contact is read as it was written`(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let view = SingleView(ContactItem.random(&generator))
    let bytes = Data(try OrderedJSON.bytes(of: view))
    let read = try JSONDecoder().decode(SingleView<ContactItem>.self, from: bytes)
    #expect(read.item == view.item, "seed \(seed)")
    #expect(read.schema == 1)
  }

  @Test(arguments: 0..<40 as Range<UInt64>)
  func `Foundation reads what its own encoder writes, apart from nulls`(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let contact = ContactItem.random(&generator)
    let ours = try JSONSerialization.jsonObject(with: Data(OrderedJSON.bytes(of: contact)))
    let theirs = try JSONSerialization.jsonObject(with: JSONEncoder().encode(contact))
    #expect(try Self.sorted(Self.withoutNulls(ours)) == Self.sorted(theirs), "seed \(seed)")
  }

  private static func sorted(_ object: Any) throws -> Data {
    try JSONSerialization.data(withJSONObject: object, options: .sortedKeys)
  }

  private static func withoutNulls(_ value: Any) -> Any {
    switch value {
    case let object as [String: Any]:
      object.filter { !($0.value is NSNull) }.mapValues(withoutNulls)
    case let list as [Any]: list.map(withoutNulls)
    default: value
    }
  }
}
