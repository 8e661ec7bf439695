// Nothing that a terminal obeys leaves PlainText, whatever a name contains.

import PredicateWorld
import Testing

@testable import ControlCommands

@Suite("text that is safe to print")
struct PlainTextTests {
  /// The characters that a terminal obeys, or that reorder what follows, listed without the functions of
  /// Unicode's properties.
  private static let obeyed: [ClosedRange<UInt32>] = [
    0x00...0x1F, 0x7F...0x9F, 0x2028...0x202E, 0x2066...0x2069,
  ]

  private static func isObeyed(_ scalar: Unicode.Scalar) -> Bool {
    obeyed.contains { $0.contains(scalar.value) }
  }

  @Test func `of the characters of the first plane only those that a terminal obeys are changed`() {
    for scalar in (0...0xFFFF).compactMap({ Unicode.Scalar(UInt32($0)) })
    where scalar.value < 0x3000 || scalar.value > 0xFE00 {
      let cleaned = PlainText.clean(String(Character(scalar)))
      if Self.isObeyed(scalar) {
        #expect(cleaned.isEmpty || cleaned == " ", "\(scalar.value)")
      } else {
        #expect(Array(cleaned.unicodeScalars) == [scalar], "\(scalar.value)")
      }
    }
  }

  @Test func `line breaks and tabs become blanks, so that words stay apart`() {
    #expect(PlainText.clean("a\tb\nc\rd\u{2028}e\u{2029}f") == "a b c d e f")
    #expect(PlainText.clean("a\r\nb") == "a  b")
    #expect(PlainText.clean("a\u{85}b") == "ab")
  }

  @Test func `hostile texts are cleaned once and for all, and keep every other character`() {
    for seed in 0..<500 {
      var random = SeededGenerator(seed: UInt64(seed))
      let text = random.hostile(upTo: 12)
      let cleaned = PlainText.clean(text)
      #expect(!cleaned.unicodeScalars.contains(where: Self.isObeyed), "seed \(seed)")
      #expect(PlainText.clean(cleaned) == cleaned, "seed \(seed)")
      let rest = text.unicodeScalars.filter { !Self.isObeyed($0) && $0 != " " }
      #expect(
        cleaned.unicodeScalars.filter { $0 != " " }.elementsEqual(rest), "seed \(seed): \(text)")
    }
  }

  @Test(arguments: ["", " ", "Ada Quill", "~!@#$%^&*()", "李小龙", "👩‍👩‍👧"])
  func `a harmless text stays as it is`(text: String) {
    #expect(PlainText.clean(text) == text)
  }
}
