// Compares our folding with Foundation's for every scalar.

import Foundation
import PredicateWorld
import Testing

@testable import Predicates

@Suite("B1 case and diacritic folding")
struct TextFoldTests {
  private func decomposed(_ text: String) -> [Unicode.Scalar] {
    var scalars: [Unicode.Scalar] = []
    for scalar in text.unicodeScalars { Decomposition.append(scalar, to: &scalars) }
    Decomposition.order(&scalars)
    return scalars
  }

  @Test func `every scalar is decomposed as by Foundation`() {
    let wrong = everyScalar.filter { scalar in
      decomposed(String(scalar))
        != Array(String(scalar).decomposedStringWithCanonicalMapping.unicodeScalars)
    }
    #expect(wrong == [], "Unicode has grown: run scripts/canonical-decompositions")
  }

  @Test func `marks are put into canonical order`() {
    for text in ["a\u{301}\u{323}", "a\u{323}\u{301}", "q\u{307}\u{323}x\u{323}\u{307}"] {
      let expected = Array(text.decomposedStringWithCanonicalMapping.unicodeScalars)
      #expect(decomposed(text) == expected)
    }
  }

  @Test func `long runs of marks are ordered as by Foundation`() {
    let marks: [Unicode.Scalar] = [
      "\u{301}", "\u{323}", "\u{327}", "\u{345}", "\u{5B0}", "\u{334}",
    ]
    var random = SeededGenerator(seed: 3)
    for length in [1, 2, 17, 300] {
      var text = "e"
      for _ in 0..<length { text.unicodeScalars.append(marks.randomElement(using: &random) ?? "a") }
      text += "x\u{323}\u{301}"
      #expect(decomposed(text) == Array(text.decomposedStringWithCanonicalMapping.unicodeScalars))
    }
  }

  /// An insertion sort of the marks took minutes.
  @Test func `a letter with half a million marks in the worst order is folded`() {
    let text =
      "e" + String(repeating: "\u{301}", count: 220_000)
      + String(repeating: "\u{323}", count: 220_000)
    #expect(TextFold.folded(text, [.caseInsensitive]).count == text.utf8.count)
    #expect(TextFold.folded(text, [.diacriticInsensitive]) == Array("e".utf8))
  }

  @Test(arguments: [1, 2, 3] as [UInt8])
  func `no scalar grows beyond the limit, and folding is idempotent`(raw: UInt8) {
    let options = TextOptions(rawValue: raw)
    for scalar in everyScalar {
      let text = String(scalar)
      let form = TextFold.folded(text, options)
      #expect(form.count <= text.utf8.count * TextFold.growthMax, "\(scalar.value)")
      let again = TextFold.folded(String(decoding: form, as: UTF8.self), options)
      #expect(again == form, "\(scalar.value)")
    }
  }

  @Test func `with case folding, every scalar folds as its other case does`() {
    for scalar in everyScalar where scalar.properties.changesWhenCaseMapped {
      let upper = scalar.properties.uppercaseMapping
      guard scalar != "\u{131}" else { continue }
      #expect(
        TextFold.folded(upper, .caseInsensitive)
          == TextFold.folded(String(scalar), .caseInsensitive), "\(scalar.value)")
    }
  }

  @Test(
    arguments: zip(
      ["Åsa", "ÉMILE", "Straße", "ΣΊΣΥΦΟΣ", "İstanbul", "ﬁne", "Łódź", "naïve", "한글"],
      [
        "asa", "emile", "strasse", "σισυφοσ", "istanbul", "fine", "łodz", "naive",
        "\u{1112}\u{1161}\u{11AB}\u{1100}\u{1173}\u{11AF}",
      ]))
  func `case and accents are removed, letters are not`(text: String, form: String) {
    let folded = TextFold.folded(text, [.caseInsensitive, .diacriticInsensitive])
    #expect(folded == Array(form.utf8))
  }

  @Test func `the dotless i remains different from i`() {
    #expect(TextFold.folded("ı", .caseInsensitive) != TextFold.folded("i", .caseInsensitive))
    #expect(TextFold.folded("I", .caseInsensitive) == TextFold.folded("i", .caseInsensitive))
  }

  @Test(arguments: 0..<50)
  func `random texts are folded as by Foundation`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    for _ in 0..<200 {
      var text = String.UnicodeScalarView()
      for _ in 0..<random.below(8) { text.append(random.one(of: Self.scalars)) }
      for raw in 0..<4 {
        let options = TextOptions(rawValue: UInt8(raw))
        let expected = PlainEvaluation.folded(String(text), options)
        #expect(TextFold.folded(String(text), options) == Array(expected.utf8))
      }
    }
  }

  private static let scalars: [Unicode.Scalar] = Array(
    "aAéÉe\u{301}\u{323}ßẞſςσΣıİi\u{307}ǅǆᾳΐŉﬀﬃⅣⓐ한ᄒㅎ中𐐀\u{345}ø ".unicodeScalars)

  /// Every scalar except unified ideographs, private use and planes without letters; of the Hangul
  /// syllables every seventh.
  private var everyScalar: [Unicode.Scalar] {
    let ranges: [ClosedRange<UInt32>] = [
      0...0x33FF, 0xA000...0xABFF, 0xF900...0x16FFF, 0x1B000...0x1FFFF, 0x2F800...0x2FA1F,
    ]
    let syllables = stride(from: UInt32(0xAC00), through: 0xD7A3, by: 7).map { $0 }
    return (ranges.flatMap { Array($0) } + syllables).compactMap(Unicode.Scalar.init)
  }
}
