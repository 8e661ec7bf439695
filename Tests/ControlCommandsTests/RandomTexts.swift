// Texts that are hard to print, to quote and to parse. Names come from other people's devices.

import PredicateWorld

extension SeededGenerator {
  /// Returns up to `count` of `parts`, joined.
  mutating func text(of parts: [String], upTo count: Int) -> String {
    (0..<below(count + 1)).map { _ in one(of: parts) }.joined()
  }

  /// Returns a text of visible words in several scripts, with no line break.
  mutating func words(upTo count: Int) -> String {
    text(of: RandomTexts.visible, upTo: count)
  }

  /// Returns a text that may contain anything, except a byte order mark at its beginning: readers of YAML and JSON
  /// leave it out.
  mutating func hostile(upTo count: Int) -> String {
    let parts = RandomTexts.visible + RandomTexts.signs + RandomTexts.invisible
    let scalars = text(of: parts, upTo: count).unicodeScalars.drop { $0 == "\u{FEFF}" }
    return String(String.UnicodeScalarView(scalars))
  }
}

/// Parts of random texts.
enum RandomTexts {
  /// Parts that take room on a terminal.
  static let visible = [
    "a", "Z", "0", " ", "  ", "word", "é", "e\u{301}", "李", "龙", "한", "ｆ", "ö", "ß", "ا", "ש",
    "น้ำ", "कि", "क्ष", "👩‍👩‍👧", "🇸🇪", "☎️", "☎", "☝🏻", "1️⃣", "#️⃣", "*️⃣", "𝕏", "－",
  ]
  /// Parts with a meaning in YAML, in a shell, or in an argument.
  static let signs = [
    ":", ": ", " #", "#", "- ", "-", "?", "&a", "*a", "!", "|", ">", "@", "`", "\"", "'", "%", "{",
    "}", "[", "]", ",", "~", "\\", "$", "$(x)", ";", "=", "null", "yes", "no", "0x1F", "1e3", "...",
    "---", "<<", "\t", "\n", "\n\n", "\r\n", "\r", "  \n", "\u{301}", "\u{20E3}",
  ]
  /// Parts that are not visible, or that change the direction of what follows.
  static let invisible = [
    "\u{0}", "\u{7}", "\u{1B}[2J", "\u{1B}]0;x\u{7}", "\u{7F}", "\u{85}", "\u{9B}1m", "\u{AD}",
    "\u{200B}", "\u{200D}", "\u{200E}", "\u{2028}", "\u{2029}", "\u{202E}", "\u{2066}", "\u{2069}",
    "\u{FE0F}", "\u{FEFF}", "\u{FFFD}", "\u{FFFF}", "\u{E000}", "\u{E0041}", "\u{10FFFF}",
  ]
}
