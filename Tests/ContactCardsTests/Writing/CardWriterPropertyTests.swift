// Folding, and every property as one line that is read back as the same property.

import PredicateWorld
import Records
import Testing

@testable import ContactCards

@Suite("A2 lines of cards")
struct CardWriterPropertyTests {
  private func bytes(_ property: CardProperty) -> [UInt8] {
    var card = Card(line: 0)
    card.properties = [property]
    var bytes: [UInt8] = []
    CardWriter.write(card, to: &bytes)
    return bytes
  }

  /// The lines of a file whose line ends are all CR LF.
  private func lines(_ bytes: [UInt8]) -> [[UInt8]] {
    var lines: [[UInt8]] = [[]]
    for (index, byte) in bytes.enumerated() {
      if byte == 0x0A, index > 0, bytes[index - 1] == 0x0D {
        lines[lines.count - 1].removeLast()
        lines.append([])
      } else {
        lines[lines.count - 1].append(byte)
      }
    }
    return lines
  }

  @Test(arguments: ["x", "é", "李", "😀", "e\u{301}", " "])
  func `a fold at any width is between scalars, within 75 bytes, and unfolds to the same`(
    sign: String
  ) {
    for width in 0..<78 {
      let value = String(repeating: "a", count: width) + String(repeating: sign, count: 60) + "b"
      let property = CardProperty(name: "NOTE", value: value)
      let lines = lines(bytes(property)).dropFirst(2)
      #expect(lines.allSatisfy { $0.count <= 75 }, "width \(width)")
      #expect(lines.allSatisfy { String(validating: $0, as: UTF8.self) != nil }, "width \(width)")
      // Every line but the last has no room for another scalar.
      let folded = Array(lines.prefix { $0 != Array("END:VCARD".utf8) })
      #expect(folded.dropLast().allSatisfy { $0.count > 75 - 4 }, "width \(width)")
      #expect(folded.dropFirst().allSatisfy { $0.first == 0x20 }, "width \(width)")
      let unfolded = folded.enumerated().flatMap {
        $0.offset == 0 ? $0.element[...] : $0.element[1...]
      }
      #expect(unfolded == Array("NOTE:\(value)".utf8), "width \(width)")
    }
  }

  @Test(arguments: [("x", 70, 1), ("x", 71, 2), ("é", 35, 1), ("é", 36, 2)])
  func `a line of 75 bytes is whole, a longer one is folded`(
    sign: String, count: Int, lineCount: Int
  ) {
    let property = CardProperty(name: "NOTE", value: String(repeating: sign, count: count))
    #expect(lines(bytes(property)).count == 2 + lineCount + 2)
  }

  @Test func `a line is parsed as the property that was written`() throws {
    for seed in 1...200 {
      var random = RandomContacts(seed: seed)
      let names = ["NOTE", "X-A", "x-long name", "X_1", String(repeating: "N", count: 64)]
      let groups = ["", "item1", "a.b", String(repeating: "g", count: 64)]
      let property = CardProperty(
        group: random.random.one(of: groups), name: random.random.one(of: names),
        parameters: (0..<random.random.below(4)).map { index in
          CardParameter(
            "X-\(index)", (0...random.random.below(3)).map { _ in random.text(8) })
        }, value: plainlyEscaped(random.text(40)))
      let line = CardWriter.text(of: property)
      let parsed = try #require(
        PropertyParser.property(Array(line.utf8), line: 0), "seed \(seed) \(line)")
      #expect(parsed.oddities.isEmpty, "seed \(seed)")
      #expect(parsed.property == property, "seed \(seed)")
      #expect(Array(parsed.property.value.utf8) == Array(property.value.utf8), "seed \(seed)")
    }
  }

  @Test(arguments: ["BEGIN", "end", "Version"])
  func `a property named like a frame is renamed, unless a group distinguishes it`(name: String) {
    #expect(CardWriter.text(of: CardProperty(name: name, value: "1")) == "X-\(name):1")
    #expect(
      CardWriter.text(of: CardProperty(group: "g", name: name, value: "1")) == "g.\(name):1")
  }

  @Test func `a name holds 64 bytes, of which only letters, digits and hyphens are written`() {
    let name = String(repeating: "N", count: 64)
    for (given, expected) in [
      (name, name), (name + "N", name), ("a b:c", "abc"), ("X-a b", "X-a b"), ("é:", "X-UNNAMED"),
      ("", "X-UNNAMED"),
    ] {
      #expect(CardWriter.text(of: CardProperty(name: given, value: "1")) == "\(expected):1")
    }
    let parameters = ["é": "gone", "X;A": "kept", "CHARSET": "UTF-8", "ENCODING": "8BIT"]
    for (parameter, value) in parameters {
      let property = CardProperty(
        name: "NOTE", parameters: [CardParameter(parameter, [value])], value: "1")
      let expected = parameter == "X;A" ? "NOTE;XA=kept:1" : "NOTE:1"
      #expect(CardWriter.text(of: property) == expected, "\(parameter)")
    }
  }
}
