import PredicateWorld
import Testing

@testable import Collation

@Suite("C10 laws of words")
struct WordsLawsTests {
  private static let pieces = [
    "a", "Z", "É", "e\u{301}", "ß", "Ø", "ﬁ", "Ж", "李", "김", "٣", "７", "'", "-", " ", "\n", ".",
    "🎉",
    "\u{200D}", "İ", "Ａ",
  ]

  private func text(_ generator: inout SeededGenerator) -> String {
    (0..<generator.below(9)).map { _ in generator.one(of: Self.pieces) }.joined()
  }

  @Test(arguments: 0..<100 as Range<UInt64>)
  func `folded words are folded already, and have no blanks, no marks and no capitals`(seed: UInt64)
  {
    var generator = SeededGenerator(seed: seed)
    let text = text(&generator)
    let words = Words.shared.folded(text)
    for word in words {
      #expect(Words.shared.folded(word) == [word], "seed \(seed): \(text)")
      #expect(!word.isEmpty && !word.contains { $0.isWhitespace || $0.isPunctuation })
      #expect(!word.unicodeScalars.contains { $0.properties.isUppercase }, "seed \(seed): \(text)")
    }
    #expect(Words.shared.folded(words.joined(separator: " ")) == words, "seed \(seed): \(text)")
    #expect(
      Words.shared.folded(text.lowercased()) == words || text.contains("İ"), "seed \(seed): \(text)"
    )
  }

  @Test(arguments: 0..<100 as Range<UInt64>)
  func `a text is split at the characters that are blank`(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let blanks = ["\r\n", "\t", "\u{A0}", "\u{85}", "\u{3000}", " \u{301}", "\u{1C}"]
    let text = (0..<8).map { _ in
      generator.one(of: generator.percent(30) ? blanks : Self.pieces)
    }.joined()
    let expected = text.split(whereSeparator: \.isWhitespace).map(String.init)
    #expect(Words.pieces(of: text).map { String($0) } == expected, "seed \(seed): \(text)")
  }

  @Test(arguments: 0..<60 as Range<UInt64>)
  func `a text is found by its folded words and by every Latin form of them`(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let text = text(&generator)
    var list = ""
    Words.shared.append(text, to: &list)
    let found = list.split(separator: " ").map(String.init)
    let words = Words.shared.folded(text)
    #expect(Array(found.prefix(words.count)) == words, "seed \(seed): \(text)")
    #expect(list.isEmpty || list.hasSuffix(" "), "seed \(seed): \(text)")
    for word in words {
      for latin in Words.shared.latin(of: word) where !word.utf8.allSatisfy({ $0 < 0x80 }) {
        #expect(found.contains(latin), "seed \(seed): \(latin) of \(text)")
        #expect(latin.utf8.allSatisfy { $0 < 0x80 }, "seed \(seed): \(latin)")
      }
    }
  }

  @Test func `of plain texts each run of letters and digits is a word`() {
    for byte in 0..<128 as Range<UInt8> {
      let scalar = Unicode.Scalar(byte)
      let isPart = scalar.properties.isAlphabetic || scalar.properties.numericType != nil
      let expected = isPart ? ["x\(scalar.properties.lowercaseMapping)y"] : ["x", "y"]
      #expect(Words.shared.folded("x\(scalar)y") == expected, "\(byte)")
      // The same holds in a text that is not ASCII.
      #expect(Words.shared.folded("é x\(scalar)y") == ["e"] + expected, "\(byte)")
    }
  }
}
