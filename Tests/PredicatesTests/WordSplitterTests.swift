// The words that `self CONTAINS` compares, found scalar by scalar.

import PredicateOracle
import PredicateWorld
import Records
import Testing

@testable import Predicates

@Suite("B1 words")
struct WordSplitterTests {
  private func words(_ text: String) -> [String] {
    WordSplitter.words(of: text).map { String(decoding: $0, as: UTF8.self) }
  }

  /// The runs of letters, numbers and marks in the folded text.
  private func wordsByHand(_ text: String) -> [[UInt8]] {
    let folded = PlainEvaluation.folded(text, [.caseInsensitive, .diacriticInsensitive])
    var runs: [[UInt8]] = [[]]
    for scalar in folded.unicodeScalars {
      switch scalar.properties.generalCategory {
      case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter,
        .decimalNumber, .letterNumber, .otherNumber, .nonspacingMark, .spacingMark, .enclosingMark:
        runs[runs.count - 1] += Array(String(scalar).utf8)
      default: runs.append([])
      }
    }
    return runs.filter { !$0.isEmpty }
  }

  @Test(arguments: 0..<6) func `a text has the words that its scalars form`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    for _ in 0..<150 {
      let text = NastyTexts.text(&random) + random.one(of: ["", " ", "-", "\u{AD}", "٣", "_"])
      guard text.utf8.count < 2000 else { continue }
      #expect(WordSplitter.words(of: text) == wordsByHand(text), "seed \(seed): \(text)")
    }
  }

  @Test func `signs divide words, digits and marks do not`() {
    #expect(words("Anna-Maria, 2nd; o'Neil") == ["anna", "maria", "2nd", "o", "neil"])
    #expect(words("[a]z{Z}@0/9:") == ["a", "z", "z", "0", "9"])
    #expect(words("  ") == [] && words("") == [] && words("e\u{301}É") == ["ee"])
    #expect(words("x x X") == ["x", "x", "x"], "repetitions stay")
  }

  @Test func `a visit ends when its body wants no more`() {
    var seen = 0
    Array("a b c d".utf8).withUnsafeBufferPointer { bytes in
      WordSplitter.forEachWord(in: bytes) { _ in
        seen += 1
        return seen < 2
      }
    }
    #expect(seen == 2)
  }

  @Test func `bytes that are not UTF-8 are split without harm, into runs of the bytes`() {
    var random = SeededGenerator(seed: 2)
    for _ in 0..<1000 {
      let bytes: [UInt8] = (0..<random.below(12)).map { _ in
        random.one(of: [0x61, 0x20, 0xC3, 0xA9, 0xE4, 0xF0, 0xFF, 0x80])
      }
      var last = 0
      bytes.withUnsafeBufferPointer { buffer in
        WordSplitter.forEachWord(in: buffer) { word in
          guard let start = buffer.baseAddress, let wordStart = word.baseAddress else {
            return true
          }
          let offset = wordStart - start
          #expect(!word.isEmpty && offset >= last && offset + word.count <= bytes.count)
          last = offset + word.count
          return true
        }
      }
    }
  }
}
