import PredicateWorld
import Testing

@testable import Collation

@Suite("A3 laws of the order of languages")
struct CollatorLawsTests {
  private static let pieces = [
    "a", "A", "á", "a\u{301}", "å", "b", "ch", "c", "h", "ß", "ss", "z", "Ж", "李", "7", "10", " ",
    "-",
    "'", "🎉", "\u{FFFE}", "\u{0}",
  ]

  private func name(_ generator: inout SeededGenerator) -> String {
    (0..<generator.below(5)).map { _ in generator.one(of: Self.pieces) }.joined()
  }

  private static func precedes(_ left: [UInt8], _ right: [UInt8]) -> Bool {
    left.lexicographicallyPrecedes(right)
  }

  @Test(arguments: ["", "en", "sv", "cs", "de-u-co-phonebk", "ja", "zh", "tr"])
  func `a key depends on the text alone, and equal texts have equal keys`(language: String) {
    var generator = SeededGenerator(seed: 1)
    let (one, other) = (Collator(Language(language)), Collator(Language(language)))
    #expect(one.version == other.version)
    for _ in 0..<100 {
      let name = name(&generator)
      let key = one.key([name])
      #expect(other.key([name]) == key)
      #expect(one.key([name.decomposed]) == key)
    }
  }

  @Test(arguments: ["", "en", "sv", "cs", "hu"])
  func `keys of parts are in the order of the first part, unless it is equal`(language: String) {
    var generator = SeededGenerator(seed: 2)
    let collator = Collator(Language(language))
    for round in 0..<150 {
      let (left, right) = (name(&generator), name(&generator))
      let primary = [left, right].map { collator.primary($0) }
      let keys = [[left, name(&generator)], [right, name(&generator)]].map(collator.key)
      guard primary[0] != primary[1], !(left + right).contains("\u{FFFE}") else { continue }
      #expect(
        Self.precedes(keys[0], keys[1]) == Self.precedes(primary[0], primary[1]),
        "\(language), round \(round): \(left), \(right)")
    }
  }

  @Test(arguments: ["", "en", "sv", "de"])
  func `case and accents change a key, but not the primary one`(language: String) {
    let collator = Collator(Language(language))
    for (plain, marked) in [("emil", "Emil"), ("emil", "émil"), ("nino", "niño")] {
      #expect(collator.primary(plain) == collator.primary(marked))
      #expect(collator.key([plain]) != collator.key([marked]))
      #expect(Self.precedes(collator.key([plain]), collator.key([marked])))
      for longer in ["emila", "ninon"] where longer.hasPrefix(plain) {
        #expect(Self.precedes(collator.key([marked]), collator.key([longer])))
      }
    }
  }

  @Test func `numbers are in the order of their values`() {
    let collator = Collator(.neutral)
    let numbers = [0, 1, 2, 9, 10, 11, 19, 20, 99, 100, 101, 1000, 65_535, 65_536, 1_000_000]
    let keys = numbers.map { collator.key(["Unit \($0)"]) }
    #expect(zip(keys, keys.dropFirst()).allSatisfy(Self.precedes))
  }

  @Test func `units beyond the first 128 of a part do not count`() {
    let collator = Collator(Language("en"))
    let long = String(repeating: "a", count: 127)
    #expect(collator.key([long + "b"]) != collator.key([long + "c"]))
    #expect(collator.key([long + "ab"]) == collator.key([long + "ac"]))
    #expect(collator.key([long + "ab", "x"]) != collator.key([long + "ac", "y"]))
  }
}

extension String {
  /// The text with “á” and “å” as a letter and an accent.
  fileprivate var decomposed: String {
    replacing("á", with: "a\u{301}").replacing("å", with: "a\u{30A}")
  }
}
