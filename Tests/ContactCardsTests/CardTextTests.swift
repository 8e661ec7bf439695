// Escapes against a second version of the rules, which looks at one character at a time.

import PredicateWorld
import Testing

@testable import ContactCards

@Suite("A2 escapes of cards")
struct CardTextTests {
  /// The text of a value: an escape is a backslash before one of the letters that have a meaning.
  private func plainlyUnescaped(_ value: String) -> String {
    var scalars = Array(value.unicodeScalars)[...]
    var result = String.UnicodeScalarView()
    while let scalar = scalars.popFirst() {
      guard scalar == "\\", let next = scalars.first else {
        result.append(scalar)
        continue
      }
      scalars.removeFirst()
      if next == "n" || next == "N" {
        result.append("\n")
      } else {
        result.append(contentsOf: ",;:\\".unicodeScalars.contains(next) ? [next] : [scalar, next])
      }
    }
    return String(result)
  }

  private func isSame(_ one: String, _ other: String) -> Bool { one.utf8.elementsEqual(other.utf8) }

  @Test func `escaping is undone, and is that of a second version`() {
    for seed in 1...300 {
      var random = RandomContacts(seed: seed)
      let text = random.text(40)
      let escaped = CardText.escaped(text)
      #expect(isSame(escaped, plainlyEscaped(text)), "seed \(seed)")
      #expect(isSame(CardText.unescaped(escaped), withUnixEnds(text)), "seed \(seed)")
      #expect(!escaped.utf8.contains { $0 == 0x0A || $0 == 0x0D }, "seed \(seed)")
    }
  }

  @Test func `any value is read as by a second version`() {
    let signs = ["\\", "n", "N", ",", ";", ":", "x", "é", "\u{301}"]
    for seed in 1...300 {
      var random = SeededGenerator(seed: UInt64(seed))
      let value = (0..<random.below(12)).map { _ in random.one(of: signs) }.joined()
      #expect(isSame(CardText.unescaped(value), plainlyUnescaped(value)), "\(value)")
      #expect(isSame(CardText.unescaped(value[...]), plainlyUnescaped(value)), "\(value)")
    }
  }

  @Test(arguments: [",", ";"])
  func `a value is split where its parts were joined`(separator: String) {
    for seed in 1...150 {
      var random = RandomContacts(seed: seed)
      let texts = (0...random.random.below(5)).map { _ in
        random.random.percent(30) ? "" : withUnixEnds(random.text(10))
      }
      let value = texts.map { CardText.escaped($0) }.joined(separator: separator)
      let pieces = CardText.pieces(value, at: separator.utf8.first ?? 0)
      #expect(pieces.count == texts.count, "seed \(seed)")
      for (piece, text) in zip(pieces, texts) {
        #expect(isSame(CardText.unescaped(piece), text), "seed \(seed)")
      }
      #expect(isSame(pieces.joined(separator: separator), value))
    }
  }

  @Test func `parameters are read as they were written, in any text`() {
    for seed in 1...200 {
      var random = RandomContacts(seed: seed)
      let parameters = (0..<random.random.below(5)).map { index in
        CardParameter("X-\(index)", (0...random.random.below(3)).map { _ in random.text(10) })
      }
      let written = CardText.text(of: parameters)
      let read = CardText.parameters(of: written)
      #expect(read == parameters, "seed \(seed) \(written)")
      #expect(isSame(CardText.text(of: read), written), "seed \(seed)")
      #expect(!written.utf8.contains { $0 < 0x20 && $0 != 0x09 }, "seed \(seed)")
    }
  }

  @Test(arguments: [
    ("^n^'^^", "\n\"^"), ("^x", "^x"), ("a^", "a^"), ("^^n", "^n"), ("^", "^"), ("^^", "^"),
  ])
  func `a caret escapes three signs`(written: String, text: String) {
    #expect(CardText.withoutCarets(written) == text)
  }

  @Test(arguments: [
    ("a", "a"), ("a:b", "\"a:b\""), ("a;b", "\"a;b\""), ("a,b", "\"a,b\""), ("a b", "a b"),
    ("\"", "\"^'\""), ("a\r\nb", "\"a^nb\""), ("\u{1}a\u{7F}", "a"), ("a=b", "a=b"), ("", ""),
  ])
  func `a parameter is in quotes if it contains a separator`(text: String, written: String) {
    #expect(CardText.parameterValue(text) == written)
  }

  @Test func `line ends and controls go, all else stays`() {
    for seed in 1...150 {
      var random = RandomContacts(seed: seed)
      let text = random.text(40)
      #expect(isSame(CardText.withUnixLineEnds(text), withUnixEnds(text)), "seed \(seed)")
      #expect(isSame(CardText.withoutControls(withUnixEnds(text)), plain(text)), "seed \(seed)")
      let line = plain(text).unicodeScalars.map { $0 == "\n" ? "\\n" : String($0) }.joined()
      #expect(isSame(CardText.withoutLineEnds(plain(text)), line), "seed \(seed)")
    }
    for value in 0...0x9F as ClosedRange<UInt32> {
      guard let scalar = Unicode.Scalar(value) else { continue }
      let isKept = value == 9 || value == 10 || (value >= 0x20 && value != 0x7F)
      #expect(CardText.withoutControls(String(scalar)).isEmpty == !isKept, "\(value)")
    }
  }

  @Test func `names are the same in any case of ASCII letters only`() {
    #expect("Tel".isSame(as: "tEL") && "é".isSame(as: "é") && "".isSame(as: ""))
    for (one, other) in [("é", "É"), ("tel", "tels"), ("[", "{"), ("@", "`"), ("k", "\u{212A}")] {
      #expect(!one.isSame(as: other) && !other.isSame(as: one))
    }
    for byte in UInt8.min ... .max {
      let isUpper = (0x41...0x5A).contains(byte)
      #expect(byte.asciiLowercased == (isUpper ? byte + 0x20 : byte))
      #expect(byte.isBlank == (byte == 0x20 || byte == 0x09))
    }
  }
}
