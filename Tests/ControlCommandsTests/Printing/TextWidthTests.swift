// The width of text against a table that Python's unicodedata (14.0) prints: the ranges below are its
// characters of East Asian Width W and F, with combining marks and format characters left out. Characters
// that Unicode assigned since are in none of them, and not compared.

import PredicateWorld
import Testing

@testable import ControlCommands

@Suite("width of text")
struct TextWidthTests {
  @Test func `lines after a lead have its indentation, also where it leaves no room`() {
    #expect(
      TextWidth.lines(of: "one two three", after: "ok  ", limit: 12)
        == ["ok  one two", "    three"])
    #expect(TextWidth.lines(of: "李小龙 two", after: "李  ", limit: 12) == ["李  李小龙", "    two"])
    let long = String(repeating: "x", count: 20)
    #expect(
      TextWidth.lines(of: "one two three", after: long, limit: 10)
        == [long + "one two", String(repeating: " ", count: 20) + "three"])
    #expect(TextWidth.lines(of: "", after: "ok", limit: 80) == ["ok"])
  }

  private static let wide: [ClosedRange<UInt32>] = [
    0x1100...0x115F, 0x231A...0x231B, 0x2329...0x232A, 0x23E9...0x23EC, 0x23F0...0x23F0,
    0x23F3...0x23F3, 0x25FD...0x25FE, 0x2614...0x2615, 0x2648...0x2653, 0x267F...0x267F,
    0x2693...0x2693, 0x26A1...0x26A1, 0x26AA...0x26AB, 0x26BD...0x26BE, 0x26C4...0x26C5,
    0x26CE...0x26CE, 0x26D4...0x26D4, 0x26EA...0x26EA, 0x26F2...0x26F3, 0x26F5...0x26F5,
    0x26FA...0x26FA, 0x26FD...0x26FD, 0x2705...0x2705, 0x270A...0x270B, 0x2728...0x2728,
    0x274C...0x274C, 0x274E...0x274E, 0x2753...0x2755, 0x2757...0x2757, 0x2795...0x2797,
    0x27B0...0x27B0, 0x27BF...0x27BF, 0x2B1B...0x2B1C, 0x2B50...0x2B50, 0x2B55...0x2B55,
    0x2E80...0x303E, 0x3041...0x3247, 0x3250...0x4DBF, 0x4E00...0xA4C6, 0xA960...0xA97C,
    0xAC00...0xD7A3, 0xF900...0xFAD9, 0xFE10...0xFE6B, 0xFF01...0xFF60, 0xFFE0...0xFFE6,
    0x16FE0...0x1B2FB, 0x1F004...0x1F004, 0x1F0CF...0x1F0CF, 0x1F18E...0x1F18E,
    0x1F191...0x1F19A, 0x1F200...0x1F320, 0x1F32D...0x1F335, 0x1F337...0x1F37C,
    0x1F37E...0x1F393, 0x1F3A0...0x1F3CA, 0x1F3CF...0x1F3D3, 0x1F3E0...0x1F3F0,
    0x1F3F4...0x1F3F4, 0x1F3F8...0x1F43E, 0x1F440...0x1F440, 0x1F442...0x1F4FC,
    0x1F4FF...0x1F53D, 0x1F54B...0x1F54E, 0x1F550...0x1F567, 0x1F57A...0x1F57A,
    0x1F595...0x1F596, 0x1F5A4...0x1F5A4, 0x1F5FB...0x1F64F, 0x1F680...0x1F6C5,
    0x1F6CC...0x1F6CC, 0x1F6D0...0x1F6D2, 0x1F6D5...0x1F6DF, 0x1F6EB...0x1F6EC,
    0x1F6F4...0x1F6FC, 0x1F7E0...0x1F7F0, 0x1F90C...0x1F93A, 0x1F93C...0x1F945,
    0x1F947...0x1F9FF, 0x1FA70...0x1FAF6, 0x20000...0x3134A,
  ]

  /// Characters of the planes that are neither unassigned, nor invisible, nor of the exceptions: two halves
  /// of flags, and the vowels of Korean syllables.
  private static func isComparable(_ scalar: Unicode.Scalar) -> Bool {
    if (0x1F1E6...0x1F1FF).contains(scalar.value) || (0x1160...0x11FF).contains(scalar.value)
      || (0xD7B0...0xD7FF).contains(scalar.value)
    {
      return false
    }
    guard let age = scalar.properties.age, age.major <= 14 else { return false }
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .format, .control, .unassigned, .surrogate: return false
    default: return true
    }
  }

  @Test func `a character is as wide as Unicode's table says, at both ends of each range`() {
    var compared = 0
    for (index, range) in Self.wide.enumerated() {
      let near = [range.lowerBound, range.lowerBound + 1, range.upperBound - 1, range.upperBound]
      let outside = [range.lowerBound - 1, range.upperBound + 1, range.upperBound + 2]
      for value in near + outside {
        guard let scalar = Unicode.Scalar(value), Self.isComparable(scalar) else { continue }
        let isWide = Self.wide[max(0, index - 1)...min(index + 1, Self.wide.count - 1)]
          .contains { $0.contains(value) }
        let width = TextWidth.columns(of: Character(scalar))
        #expect(width == (isWide ? 2 : 1), "U+\(String(value, radix: 16, uppercase: true))")
        compared += 1
      }
    }
    #expect(compared > 300)
  }

  @Test(
    arguments: [
      0x20...0x7E, 0xA1...0xAC, 0x3A3...0x3FF, 0x400...0x45F, 0x5D0...0x5EA, 0x1E00...0x1EFF,
      0x2190...0x21FF, 0x2500...0x257F, 0x10400...0x1044F,
    ] as [ClosedRange<UInt32>])
  func `a letter, a sign or a line of a box takes one column`(range: ClosedRange<UInt32>) {
    for scalar in range.compactMap(Unicode.Scalar.init) where Self.isComparable(scalar) {
      #expect(TextWidth.columns(of: Character(scalar)) == 1, "\(scalar.value)")
    }
  }

  @Test(
    arguments: [
      0x300...0x36F, 0x483...0x489, 0x591...0x5BD, 0x64B...0x65F, 0x1AB0...0x1ABE, 0x20D0...0x20F0,
      0x200B...0x200F, 0x202A...0x202E, 0x2060...0x2064, 0xFE00...0xFE0F, 0xE0100...0xE01EF,
      0x1160...0x11FF,
    ] as [ClosedRange<UInt32>])
  func `a combining mark or an invisible character takes none`(range: ClosedRange<UInt32>) {
    for scalar in range.compactMap(Unicode.Scalar.init) {
      #expect(TextWidth.columns(of: Character(scalar)) == 0, "\(scalar.value)")
      #expect(TextWidth.columns(of: "a\(scalar)") == 1, "a and \(scalar.value)")
    }
  }

  /// Swift's characters are the clusters of Unicode, which join letters that a terminal shows side by side.
  @Test(arguments: [
    ("น้ำ", 2), ("กำ", 2), ("ที่", 1), ("कि", 2), ("हिन्दी", 5), ("தமிழ்", 4), ("한", 2),
    ("\u{1112}\u{1161}\u{11AB}", 2), ("が", 2), ("か\u{3099}", 2),
  ])
  func `a syllable takes the columns of its letters and vowel signs`(text: String, columns: Int) {
    #expect(TextWidth.columns(of: text) == columns)
  }

  @Test(arguments: [
    "👍", "👍🏽", "☝🏽", "❤️", "❤️‍🔥", "1️⃣", "#️⃣", "👨‍👩‍👧‍👦", "🏳️‍🌈", "🏴‍☠️", "🇦🇹", "👁️‍🗨️", "⛹🏿‍♀️",
  ])
  func `an emoji takes two columns, of however many characters it is made`(emoji: String) {
    #expect(TextWidth.columns(of: emoji) == 2)
  }

  @Test func `a selector for emoji changes nothing after a letter`() {
    #expect(TextWidth.columns(of: "a\u{FE0F}b") == 2)
    #expect(TextWidth.columns(of: "\u{FE0F}") == 0)
  }

  @Test func `a text cut fits, is the beginning of the whole, and is not cut too early`() {
    for seed in 0..<400 {
      var random = SeededGenerator(seed: UInt64(seed))
      let text = random.words(upTo: 12)
      let limit = random.below(30)
      let cut = TextWidth.cut(text, to: limit)
      let whole = TextWidth.columns(of: text)
      #expect(TextWidth.columns(of: cut) <= max(limit, 0), "seed \(seed): \(text) to \(limit)")
      guard whole > limit, limit > 0 else {
        #expect(whole <= limit ? cut == text : cut.isEmpty, "seed \(seed)")
        continue
      }
      let kept = cut.dropLast()
      #expect(cut.last == "…" && text.hasPrefix(kept), "seed \(seed): \(cut)")
      let next = text.dropFirst(kept.count).first.map { TextWidth.columns(of: $0) } ?? 0
      #expect(
        TextWidth.columns(of: String(kept)) + next > limit - 1, "seed \(seed): one more fits")
    }
  }

  @Test func `lines fit, keep all words in order, and are broken only where the next is too long`()
  {
    for seed in 0..<400 {
      var random = SeededGenerator(seed: UInt64(seed))
      let text = random.words(upTo: 20)
      let limit = 5 + random.below(30)
      let lines = TextWidth.lines(of: text, limit: limit)
      for line in lines {
        #expect(TextWidth.columns(of: line) <= limit, "seed \(seed): \(line)")
      }
      let words = { (text: String) in text.filter { $0 != " " } }
      #expect(words(lines.joined()) == words(text), "seed \(seed)")
      for (line, next) in zip(lines, lines.dropFirst()) {
        let first = next.prefix { $0 != " " }
        let joined = TextWidth.columns(of: line) + TextWidth.columns(of: String(first))
        #expect(joined + 1 > limit || first.isEmpty, "seed \(seed): “\(line)” and “\(next)”")
      }
    }
  }
}
