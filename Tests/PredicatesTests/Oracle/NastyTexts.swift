// Texts with difficult case, accents or lengths, and small variations of them that some options ignore
// and others do not.

import Foundation
import PredicateWorld

/// Generates random texts.
enum NastyTexts {
  private static let samples = [
    "", "a", "A", "Åsa Lind", "asa lind", "A\u{30A}sa", "\u{212B}sa", "Straße", "STRASSE",
    "stra\u{17F}se", "ẞ", "ſ", "İstanbul", "istanbul", "i\u{307}", "kadın", "KADIN", "Σίσυφος",
    "σίσυφοσ", "ΌΔΟΣ", "ς", "ﬁne ﬀ ﬃ", "fine", "한글", "\u{1112}\u{1161}\u{11AB}글",
    "각\u{11A8}", "ᄀ\u{1161}", "e\u{301}\u{323}", "e\u{323}\u{301}", "ẹ\u{301}", "é\u{323}",
    "\u{301}", "\u{323}\u{301}x", "q\u{307}\u{323}", "\u{345}", "ᾳ\u{345}", "α\u{345}\u{301}",
    "ᾈ", "ΰ", "ΐ", "ŉ", "ǰ", "ǅ Ǆ ǆ", "K", "Ω", "ǭ", "ỗ", "שּׁ", "בְּ", "पानी", "हिन्दी", "นำ้",
    "กำ", "ภาษาไทย", "ཀྵ", "日本語", "ガ", "カ\u{3099}", "ｶﾞ", "１２３", "٣٤", "Ⅳ ⓐ", "𐐀𐐨",
    "Ꭰ ꭰ", "ᏸ Ᏸ", "𝔸", "ø Ø ł", "x\u{200D}y", "x\u{200C}y", "\u{FEFF}x", "x\u{200B}y", "a\u{AD}b",
    "x\u{0}y", "\u{0}", "\u{0}x", "x\u{FFFD}", "\u{FFFF}", "\u{10FFFF}", "\u{E000}", "\u{D7FF}",
    "👩‍👩‍👧‍👦", "👍🏽", "🇸🇪", "❤\u{FE0F}", "1\u{FE0F}\u{20E3}", "o'neil", "\"x\"", "x*y", "x?y",
    "x\\y", "\\*", "*", "?", "\\", "**", "%@", "line\nbreak\ttab\r", "anna-maria", "anna maria",
    "snake_case", "a1b2", "²³ ½", "+46 70 1", "aaaaaaaaaaaaaaaaaaaaaaaaaaaab", "nil", "TRUE",
  ]

  /// Returns a text, rarely longer than a line.
  static func text(_ random: inout SeededGenerator) -> String {
    switch random.below(200) {
    case 0: return long(&random)
    case 1...3: return marks(random.below(300), &random)
    case 4...30: return random.one(of: samples) + random.one(of: samples)
    case 31...45: return random.one(of: samples) + " " + random.one(of: samples)
    case 46...60: return String((0..<1 + random.below(6)).map { _ in Character(scalar(&random)) })
    default: return random.one(of: samples)
    }
  }

  /// Returns `text` or a variation of it.
  static func near(_ text: String, _ random: inout SeededGenerator) -> String {
    guard text.utf8.count < 5000 else {
      return random.percent(70) ? text : String(text.unicodeScalars.dropFirst())
    }
    switch random.below(12) {
    case 0: return text.uppercased()
    case 1: return text.lowercased()
    case 2: return text.decomposedStringWithCanonicalMapping
    case 3: return text.precomposedStringWithCanonicalMapping
    case 4: return shuffled(text, &random)
    case 5:
      return String(
        String.UnicodeScalarView(
          text.unicodeScalars.filter { $0.properties.generalCategory != .nonspacingMark }))
    case 6: return text + random.one(of: ["\u{301}", "\u{323}", "x", "\u{0}", " ", "\u{345}"])
    case 7: return self.text(&random)
    default: return text
    }
  }

  /// Returns some consecutive scalars of `text`.
  static func part(_ text: String, _ random: inout SeededGenerator) -> String {
    let scalars = Array(text.unicodeScalars)
    let start = random.percent(30) ? 0 : random.below(scalars.count + 1)
    let end = random.percent(30) ? scalars.count : start + random.below(scalars.count - start + 1)
    return String(String.UnicodeScalarView(scalars[start..<end]))
  }

  private static func scalar(_ random: inout SeededGenerator) -> Unicode.Scalar {
    let blocks: [ClosedRange<UInt32>] = [
      0...0x24F, 0x300...0x36F, 0x370...0x58F, 0x591...0x6FF, 0x900...0x97F, 0xE00...0xEFF,
      0x1E00...0x1FFF, 0x2000...0x218F, 0x3040...0x30FF, 0xAC00...0xAC80, 0xFB00...0xFB4F,
      0x1D400...0x1D4FF, 0x10400...0x1044F, 0x1100...0x11FF,
    ]
    let block = random.one(of: blocks)
    let value = UInt32.random(in: block, using: &random)
    return Unicode.Scalar(value).flatMap { $0.properties.age == nil ? nil : $0 } ?? "x"
  }

  /// Returns a letter with `count` marks of many combining classes, in any order.
  private static func marks(_ count: Int, _ random: inout SeededGenerator) -> String {
    let marks: [Unicode.Scalar] = [
      "\u{301}", "\u{323}", "\u{327}", "\u{345}", "\u{5B0}", "\u{334}", "\u{338}", "\u{30A}",
      "\u{20D0}", "\u{94D}", "\u{3099}", "\u{34F}", "\u{200D}",
    ]
    var text = String.UnicodeScalarView("e".unicodeScalars)
    for _ in 0..<count { text.append(random.one(of: marks)) }
    return String(text)
  }

  /// Returns a long text, sometimes of about 64 KiB, the longest that is folded for subscriptions.
  private static func long(_ random: inout SeededGenerator) -> String {
    let letters = random.one(of: ["a", "é", "e\u{301}", "ab "])
    let count = (64 << 10) / letters.utf8.count + random.below(3) - 1
    return random.percent(90)
      ? String(repeating: letters, count: 200 + random.below(100))
      : String(repeating: letters, count: count)
  }

  private static func shuffled(_ text: String, _ random: inout SeededGenerator) -> String {
    var scalars = Array(text.unicodeScalars)
    guard scalars.count > 1 else { return text }
    let index = random.below(scalars.count - 1)
    scalars.swapAt(index, index + 1)
    return String(String.UnicodeScalarView(scalars))
  }
}
