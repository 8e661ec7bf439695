// The scanner against Foundation's parser, on random texts. Where it decodes, it accepts what Foundation accepts; where it
// skips, it only counts brackets, and may accept more.

import Foundation
import PredicateWorld
import Testing

@testable import AgentAPI

@Suite("C1 reading JSON in one pass")
struct JSONScannerTests {
  private func isJSON(_ bytes: [UInt8]) -> Bool {
    (try? JSONSerialization.jsonObject(with: Data(bytes), options: .fragmentsAllowed)) != nil
  }

  /// Returns what `read` returns if it reads all of `bytes` apart from blanks; `nil` otherwise.
  private func whole<Value>(
    _ bytes: [UInt8], _ read: (inout JSONScanner) throws -> Value
  ) -> Value? {
    // A bracket that ends nothing shows where the scanner stopped.
    var scanner = JSONScanner(bytes + Array("}".utf8))
    guard let value = try? read(&scanner) else { return nil }
    do {
      _ = try scanner.raw()
      return nil
    } catch {
      return (error as? JSONScanner.Unexpected)?.offset == bytes.count ? value : nil
    }
  }

  @Test(arguments: 0..<100 as Range<UInt64>)
  func `a valid text is read as its value, and skipped to its end`(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let tree = JSONTree.random(&generator, depth: 4)
    let bytes = Array(tree.json(&generator).utf8)
    try #require(isJSON(bytes), "seed \(seed)")
    #expect(whole(bytes) { try tree.read(&$0) } == tree, "seed \(seed)")
    var skipping = JSONScanner(bytes)
    #expect(try Array(skipping.raw()) == bytes, "seed \(seed)")
  }

  @Test(arguments: 0..<60 as Range<UInt64>)
  func `a changed text is read only if Foundation accepts it`(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let tree = JSONTree.random(&generator)
    let valid = Array(tree.json(&generator).utf8)
    for _ in 0..<30 {
      let bytes = Self.changed(valid, &generator)
      let text = String(decoding: bytes, as: UTF8.self)
      if whole(bytes, { try tree.read(&$0) }) != nil {
        #expect(isJSON(bytes), "seed \(seed): \(text)")
      }
      var skipping = JSONScanner(bytes)
      let skipped = try? skipping.raw()
      if isJSON(bytes) { #expect(skipped != nil, "seed \(seed): \(text)") }
    }
  }

  @Test(arguments: 0..<60 as Range<UInt64>)
  func `a text in quotation marks is read exactly if Foundation reads it`(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<20 {
      let parts = ["\\", "u", "00e9", "d83c", "\\udf89", "+0ff", "-001", "n", "\"", "é", "/", "x"]
      let inner = (0..<generator.below(6)).map { _ in generator.one(of: parts) }.joined()
      let bytes = Array("\"\(inner)\"".utf8)
      let expected =
        try? JSONSerialization.jsonObject(with: Data(bytes), options: .fragmentsAllowed) as? String
      #expect(whole(bytes) { try $0.string() } == expected, "seed \(seed): \(inner)")
    }
  }

  @Test(arguments: [#""\u+0ff""#, #""\u-001""#, #""\u 0ff""#, #""\u00g0""#, #""\u00e""#])
  func `an escape has four hexadecimal digits`(text: String) {
    #expect(throws: JSONScanner.Unexpected.self) {
      var scanner = JSONScanner(Array(text.utf8))
      _ = try scanner.string()
    }
  }

  @Test(arguments: ["tru", "truex", "t", "falsey", "null", "1", "\"true\"", ""])
  func `a flag is true or false, and no other word`(text: String) {
    #expect(throws: JSONScanner.Unexpected.self) {
      var scanner = JSONScanner(Array(text.utf8))
      _ = try scanner.flag()
    }
  }

  @Test(arguments: ["nul", "nullx", "none", "true", "5"])
  func `a text or null is no other word`(text: String) {
    #expect(throws: JSONScanner.Unexpected.self) {
      var scanner = JSONScanner(Array(text.utf8))
      _ = try scanner.optionalString()
    }
  }

  @Test(arguments: ["[1,]", "[,1]", "[1 2]", "[", "[1", "]"])
  func `items have one comma between them`(text: String) {
    #expect(throws: JSONScanner.Unexpected.self) {
      var scanner = JSONScanner(Array(text.utf8))
      try scanner.list { _ in }
    }
  }

  @Test(arguments: [#"{"a":1,}"#, #"{,"a":1}"#, #"{"a" 1}"#, #"{"a":}"#, #"{a:1}"#, #"{"a":1"#])
  func `a key has a value, and one comma follows it`(text: String) {
    #expect(throws: JSONScanner.Unexpected.self) {
      var scanner = JSONScanner(Array(text.utf8))
      try scanner.object { _, _ in }
    }
  }

  @Test func `only the members that a reader looks for are read, however their names are written`()
    throws
  {
    let text = #"{"i":[1],"id":"a","idea":"b","\u0069d":"c","":"d","name":{"id":"e"},"label":"f"}"#
    var scanner = JSONScanner(Array(text.utf8))
    var found: [String] = []
    try scanner.object(JSONNames([Member.id, .name, .label])) { scanner, member in
      guard member != .name else { return }
      found.append(member.rawValue + (try scanner.string()))
    }
    #expect(found == ["ida", "idc", "labelf"])
  }

  private enum Member: String, CodingKey { case id, name, label }

  @Test(arguments: 0..<60 as Range<UInt64>)
  func `members are found by name as by their keys`(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let parts = ["i", "d", "id", "name", "\\u0069", "é", "", "la", "bel"]
    let keys = (0..<12).map { _ in
      (0..<generator.below(3)).map { _ in generator.one(of: parts) }.joined()
    }
    let text = keys.enumerated().map { "\"\($1)\" : \($0)" }.joined(separator: " , ")
    var expected: [(Member, Int)] = []
    var found: [(Member, Int)] = []
    var (scanner, index) = (JSONScanner(Array("{\(text)}".utf8)), 0)
    try scanner.object { _, key in
      if let member = Member(rawValue: key) { expected.append((member, index)) }
      index += 1
    }
    scanner = JSONScanner(Array("{\(text)}".utf8))
    try scanner.object(JSONNames([Member.id, .name, .label])) { scanner, member in
      found.append((member, try #require(Int(String(decoding: scanner.raw(), as: UTF8.self)))))
    }
    #expect(found.map(\.0) == expected.map(\.0) && found.map(\.1) == expected.map(\.1))
  }

  @Test(arguments: [64, 65])
  func `lists are read to a depth of 64`(depth: Int) {
    func read(_ scanner: inout JSONScanner) throws { try scanner.list { try read(&$0) } }
    let text = String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
    var scanner = JSONScanner(Array(text.utf8))
    let isRead = (try? read(&scanner)) != nil
    #expect(isRead == (depth <= 64))
  }

  @Test func `depth counts levels and not items`() throws {
    let text = "[" + Array(repeating: "[[]]", count: 100).joined(separator: ",") + "]"
    var scanner = JSONScanner(Array(text.utf8))
    var count = 0
    try scanner.list { scanner in
      try scanner.list { try $0.list { _ in } }
      count += 1
    }
    #expect(count == 100)
  }

  /// Replaces, removes or inserts a byte. Control characters are left out: the scanner takes them in texts.
  private static func changed(_ bytes: [UInt8], _ generator: inout SeededGenerator) -> [UInt8] {
    var bytes = bytes
    let other = generator.one(of: Array(#"{}[]",:\/ntfu01e a"#.utf8))
    let index = generator.below(bytes.count)
    switch generator.below(3) {
    case 0 where bytes[index] < 0x80: bytes[index] = other
    case 1 where bytes[index] < 0x80: bytes.remove(at: index)
    default: bytes.insert(other, at: Self.boundary(index, bytes))
    }
    return bytes
  }

  /// The next position that is not within a character.
  private static func boundary(_ index: Int, _ bytes: [UInt8]) -> Int {
    var index = index
    while index < bytes.count, bytes[index] & 0xC0 == 0x80 { index += 1 }
    return index
  }
}
